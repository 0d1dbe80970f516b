"""Every message of a capture comes out, once, with the values that it was sent with."""

import collections
import json
import lzma
import pathlib

import harness


class GroundTruth(harness.EndToEnd):
    def assert_equals_truth(self, capture, truth, expect=harness.FINE):
        rows = self.rows_of(capture, expect=expect)
        wanted = harness.truth_rows(truth)
        self.assertEqual([row[1] for row in rows], sorted(row[1] for row in rows), "not in order of completion")
        missing = collections.Counter(wanted) - collections.Counter(rows)
        invented = collections.Counter(rows) - collections.Counter(wanted)
        self.assertFalse(missing, f"{missing.total()} of {len(wanted)} messages are missing")
        self.assertFalse(invented, f"{invented.total()} messages are made up")

    def test_boot(self):
        self.assert_equals_truth(self.data("small.pcap"), self.data("small.truth.csv"))

    def test_datagrams_that_come_late(self):
        self.assert_equals_truth(self.data("udp.pcap"), self.data("udp.truth.csv"))

    def test_five_silent_seconds(self):
        self.assert_equals_truth(self.data("gap.pcap"), self.data("gap.truth.csv"))

    def test_blocks_damaged_before_the_tap_and_sent_again_are_no_damage(self):
        self.assert_equals_truth(self.data("crc-replay.pcap"), self.data("crc-replay.truth.csv"))

    def test_blocks_damaged_before_behind_and_at_the_tap(self):
        rows = self.rows_of(self.data("crc-where.pcap"), expect=harness.DAMAGED)
        wanted = harness.truth_rows(self.data("crc-where.truth.csv"))
        self.assertFalse(collections.Counter(rows) - collections.Counter(wanted), "messages are made up")
        missing = (collections.Counter(wanted) - collections.Counter(rows)).total()
        self.assertLessEqual(missing, len(wanted) * 0.005)

    def test_lost_records_invent_nothing(self):
        rows = self.rows_of(self.data("lossy.pcap"))
        sent = harness.truth_rows(self.data("lossy.sent.csv"))
        self.assertFalse(collections.Counter(rows) - collections.Counter(sent), "messages are made up or altered")
        self.assertGreater(len(rows), len(sent) * 0.9)
        info = json.loads(self.eciscope("info", self.data("lossy.pcap"), "--to", "json").stdout)
        self.assertTrue(info["accounts"]["sums_agree"])
        self.assertGreater(info["accounts"]["lost"], 0)

    def test_captures_in_the_wrong_order_invent_nothing(self):
        """Records of the second are dropped as too late; what is left of its streams begins in mid-message."""
        rows = self.rows_of(self.data("small.pcap"), self.data("gap.pcap"))
        sent = harness.truth_rows(self.data("small.truth.csv")) + harness.truth_rows(self.data("gap.truth.csv"))
        self.assertFalse(collections.Counter(rows) - collections.Counter(sent), "messages are made up or altered")

    def test_real_blocks(self):
        """Facts documented of the recording: see the traces' description of windows 3, 42, 46, 52, 53 and 55."""
        process = self.eciscope("decode", self.data("edge_blocks.csv"), "--to", "ndjson")
        messages = [json.loads(line) for line in process.stdout.splitlines() if b'"type":"message"' in line]
        ops = collections.Counter(message["op"] for message in messages)
        self.assertGreaterEqual(ops["IOBLD"], 1)
        self.assertGreaterEqual(ops["IOBRSP"], 1)
        self.assertGreaterEqual(ops["IOBSTA"], 2)
        self.assertGreaterEqual(ops["RLDD"], 1)
        grant = next(message for message in messages if message["op"] == "PSHA")
        self.assertEqual((grant["address"], len(grant["words"])), ("0x100", 17))
        drop = next(message for message in messages if message["op"] == "VICS")
        self.assertEqual(drop["address"], "0x100")
        self.assertIn(b"the source did not capture the CRC", process.stderr)

    def test_larger_captures_where_they_are_given(self):
        if not harness.SHARED:
            self.skipTest("ECISCOPE_SHARED_TRACES is not set")
        shared = pathlib.Path(harness.SHARED)
        capture = self.folder / "boot-200k.pcap"
        capture.write_bytes(lzma.decompress((shared / "boot-200k.pcap.xz").read_bytes()))
        self.assert_equals_truth(capture, shared / "boot-200k.truth.csv.xz")


if __name__ == "__main__":
    harness.main()
