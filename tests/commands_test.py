"""info, cut, merge, recover and doctor on real captures, against an independent reading of the truth."""

import collections
import json
import os
import pty
import subprocess

import harness


class Commands(harness.EndToEnd):
    def setUp(self):
        super().setUp()
        self.truth = harness.truth_rows(self.data("small.truth.csv"))
        self.ewf = self.folder / "small.ewf"
        self.eciscope("decode", self.data("small.pcap"), "-o", self.ewf)
        self.rows = self.rows_of(self.ewf)

    def cut(self, *arguments, source=None):
        out = self.folder / "cut.ewf"
        self.eciscope("cut", source or self.ewf, "-o", out, *arguments)
        return self.rows_of(out)

    # info

    def test_info_counts_what_the_truth_holds(self):
        for source in (self.ewf, self.data("small.pcap")):
            info = json.loads(self.eciscope("info", source, "--to", "json").stdout)
            self.assertEqual(info["messages"], len(self.truth))
            self.assertEqual(info["words"], sum(len(row[5].split()) for row in self.truth))
            by_vc = collections.Counter(str(row[4]) for row in self.truth)
            self.assertEqual(info["by_vc"], dict(by_vc))
            self.assertEqual(sum(each["messages"] for each in info["by_operation"]), len(self.truth))
            by_stream = collections.Counter((row[3], row[2]) for row in self.truth)
            self.assertEqual({(e["link"], e["from"]): e["messages"] for e in info["links"]}, dict(by_stream))

    def test_info_knows_the_busiest_line(self):
        requests = collections.Counter()
        for row in self.truth:
            header = int(row[5].split()[0], 16)
            if 2 <= row[4] <= 11 and header >> 59 not in (24, 31):
                requests[header >> 7 & (1 << 33) - 1] += 1
        info = json.loads(self.eciscope("info", self.ewf, "--to", "json", "--lines", 1000000 // 10).stdout)
        self.assertTrue(info["lines_exact"])
        counted = collections.Counter()
        for line in info["lines"]:
            counted[int(line["aliased_cli"], 16)] += line["messages"]
        self.assertEqual(counted, requests)

    def test_info_draws_bars_with_what_the_terminal_shows(self):
        plain = self.eciscope("info", self.ewf, env={**os.environ, "LC_ALL": "C"}).stdout
        self.assertIn(b"####", plain)
        plain.decode("ascii")
        fine = self.eciscope("info", self.ewf, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout.decode()
        self.assertIn("████", fine)

    def test_info_of_several_traces(self):
        self.written("decode", self.data("gap.pcap"), name="gap.ewf")
        text = self.eciscope("info", self.ewf, self.folder / "gap.ewf").stdout.decode()
        self.assertEqual(text.count("messages by operation"), 2)

    # cut

    def test_cut_by_number(self):
        for source in (self.ewf, self.data("small.pcap")):
            self.assertEqual(self.cut("--messages", "100..200", source=source), self.rows[100:200])
            self.assertEqual(self.cut("--messages", "1990..", source=source), self.rows[1990:])

    def test_cut_by_time(self):
        first = min(row[1] for row in self.rows)
        middle = self.rows[len(self.rows) // 2][1]
        for source in (self.ewf, self.data("small.pcap")):
            text = f"1700000000.{middle:012d}"
            self.assertEqual(self.cut("--from-time", text, source=source), [r for r in self.rows if r[1] >= middle])
            self.assertEqual(self.cut("--to-time", text, source=source), [r for r in self.rows if r[1] < middle])
        info = json.loads(self.eciscope("info", self.ewf, "--to", "json").stdout)
        start = min(first, harness.picoseconds(info["time_first"]))
        relative = self.cut("--to-time", f"+{middle - start}ps")
        self.assertEqual(relative, [row for row in self.rows if row[1] < middle])

    def test_cut_by_circuit_operation_class_and_line(self):
        for source in (self.ewf, self.data("small.pcap")):
            self.assertEqual(self.cut("--vc", "4,5", source=source), [r for r in self.rows if r[4] in (4, 5)])
            wanted = [r for r in self.rows if r[4] in (6, 7) and int(r[5][:16], 16) >> 59 == 5]
            self.assertTrue(wanted)
            self.assertEqual(self.cut("--op", "RLDX", "--class", "MREQ", source=source), wanted)

    def test_cut_by_line(self):
        lines = json.loads(self.eciscope("info", self.ewf, "--to", "json").stdout)["lines"]
        line = lines[0]
        aliased = int(line["aliased_cli"], 16)
        for source in (self.ewf, self.data("small.pcap")):
            plain = self.cut("--line", f"{line['address']}@{line['home']}", source=source)
            self.assertEqual(len(plain), line["messages"])
            self.assertTrue(all(int(row[5][:16], 16) >> 7 & (1 << 33) - 1 == aliased for row in plain))
            self.assertEqual(self.cut("--line", f"a:{aliased}@{line['home']}", source=source), plain)

    def test_cut_keeps_events_of_its_time(self):
        self.written("cut", self.ewf, "--to-time", "+1us", name="start.ndjson")
        kinds = [json.loads(line)["type"] for line in (self.folder / "start.ndjson").read_text().splitlines()]
        whole = self.eciscope("decode", self.ewf, "--to", "ndjson").stdout.decode().splitlines()
        events = [json.loads(line) for line in whole if '"type":"message"' not in line][1:-1]
        first = json.loads(self.eciscope("info", self.ewf, "--to", "json").stdout)["time_first"]
        early = [e for e in events if harness.picoseconds(e["time"]) < harness.picoseconds(first) + 10**6]
        self.assertEqual(len([kind for kind in kinds if kind not in ("capture", "message", "end")]), len(early))

    # merge

    def test_merge_puts_parts_together_again(self):
        for link in ("0", "1"):
            vcs = ",".join(str(vc) for vc in range(16) if vc % 2 == int(link))
            self.eciscope("cut", self.ewf, "--vc", vcs, "-o", self.folder / f"{link}.ewf")
        self.eciscope("merge", self.folder / "0.ewf", self.folder / "1.ewf", "-o", self.folder / "both.ewf")
        merged = self.rows_of(self.folder / "both.ewf")
        self.assertEqual(sorted(merged), sorted(self.rows))
        self.assertEqual([row[1] for row in merged], sorted(row[1] for row in self.rows))

    def test_merge_of_one_changes_nothing(self):
        self.assertEqual(self.written("merge", self.ewf), self.ewf.read_bytes())

    def test_merge_of_different_kinds(self):
        self.eciscope("decode", self.ewf, "-o", self.folder / "x.ndjson")
        both = self.rows_of(self.folder / "x.ndjson")
        self.eciscope("merge", self.data("small.pcap"), self.folder / "x.ndjson", "-o", self.folder / "both.ewf")
        self.assertEqual(len(self.rows_of(self.folder / "both.ewf")), 2 * len(both))

    # recover, doctor

    def test_a_flipped_byte_costs_at_most_a_chunk_and_is_reported(self):
        data = bytearray(self.ewf.read_bytes())
        for place in (3, len(data) // 2, len(data) - 10):
            data[place] ^= 0x40
            damaged = self.folder / "damaged.ewf"
            damaged.write_bytes(data)
            data[place] ^= 0x40
            process = self.eciscope("decode", damaged, "--to", "none", expect=harness.DAMAGED)
            self.assertIn(b"damage: ", process.stderr, place)
            doctor = self.eciscope("doctor", damaged, expect=harness.DAMAGED).stdout.decode()
            self.assertIn("→", doctor)

    def test_doctor_finds_nothing_wrong_with_whole_files(self):
        self.assertIn("Nothing is wrong", self.eciscope("doctor", self.ewf).stdout.decode())
        self.assertIn("The file is whole", self.eciscope("doctor", self.data("small.pcap")).stdout.decode())

    def test_doctor_does_not_call_remarks_nothing(self):
        text = self.eciscope("doctor", self.data("sys_messages.csv")).stdout.decode()
        self.assertIn("note: the source did not capture data words", text)
        self.assertIn("The file is whole; what is listed here is about what it holds.", text)
        self.assertNotIn("Nothing is wrong", text)

    def test_doctor_says_what_a_file_is_instead(self):
        paper = self.folder / "paper.pdf"
        paper.write_bytes(b"%PDF-1.5\n")
        text = self.eciscope("doctor", paper, self.folder / "missing", expect=harness.DAMAGED).stdout.decode()
        self.assertIn("a PDF document", text)
        self.assertIn("No such file", text)

    def test_doctor_looks_at_the_installation(self):
        text = self.eciscope("doctor").stdout.decode()
        for part in ("libpcap", "character set", "free in", "tools on PATH", "permissions"):
            self.assertIn(part, text)

    # text

    def test_text_is_coloured_and_unicode_only_where_that_is_welcome(self):
        piped = self.eciscope("decode", self.ewf, "--to", "text").stdout
        self.assertNotIn(b"\x1b[", piped)
        self.assertGreater(len(piped.splitlines()), len(self.rows))
        forced = self.eciscope("decode", self.ewf, "--to", "text", "--color", "always").stdout
        self.assertIn(b"\x1b[", forced)

    def test_a_terminal_gets_text(self):
        master, terminal = pty.openpty()
        process = subprocess.Popen(
            [harness.PROGRAM, "cut", str(self.ewf), "--messages", "0..3"], stdout=terminal, stderr=subprocess.DEVNULL
        )
        self.assertEqual(process.wait(timeout=60), harness.FINE)
        os.close(terminal)
        shown = os.read(master, 100_000).decode()
        os.close(master)
        self.assertIn("MREQ", shown)
        self.assertNotIn('{"type"', shown)


if __name__ == "__main__":
    harness.main()
