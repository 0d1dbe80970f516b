"""`eciscope check`: verdicts known from elsewhere, and what its reports look like to programs."""

import csv
import json
import unittest
import xml.etree.ElementTree

import harness

FINDINGS = 1
CASES = harness.SOURCE / "conformance" / "tests" / "data" / "cases"

# Where each broken case breaks: the message, counted from 0, and the rule.
BROKEN_AT = {
    "upgrade-granted-without-copy": (5, "coherence.wrong-grant"),
    "grant-without-request": (2, "coherence.grant-without-request"),
    "two-evictions-one-grant": (3, "coherence.drop-without-copy"),
    "dirty-data-from-a-shared-copy": (2, "coherence.wrong-drop"),
    "shared-grant-for-exclusive": (1, "coherence.wrong-grant"),
    "forward-to-a-node-without-a-copy": (0, "coherence.forward-without-copy"),
    "drop-while-upgrading": (3, "coherence.wrong-drop"),
    "answer-with-a-foreign-id": (3, "exchange.foreign-id"),
}


class Check(harness.EndToEnd):
    def findings(self, capture, *options, expect=harness.FINE):
        output = self.eciscope("check", capture, "--to", "ndjson", *options, expect=expect).stdout
        return [json.loads(line) for line in output.splitlines()]

    @staticmethod
    def of_type(findings, kind):
        return [finding for finding in findings if finding["type"] == kind]

    # --- verdicts

    def test_a_boot_from_the_handshake_on_is_legal(self):
        summary = self.findings(self.data("small.pcap"))[-1]
        self.assertTrue(summary["began_at_rest"])
        self.assertEqual(summary["messages"], 2000)
        self.assertTrue(summary["sums_agree"])
        covered = sum(row["messages"] for row in summary["coverage"])
        self.assertEqual(covered + summary["messages_refused"], summary["messages_checked"])

    def test_every_race_that_the_protocol_allows(self):
        findings = self.findings(self.data("races-legal.pcap"))
        self.assertEqual(self.of_type(findings, "violation"), [])

    def test_edited_races_break_exactly_where_no_legal_run_goes_on(self):
        findings = self.findings(self.data("races-edited.pcap"), expect=FINDINGS)
        found = sorted(
            (v["home"], v["aliased_cli"], self.picoseconds(v["time"]), v["op"])
            for v in self.of_type(findings, "violation")
        )
        with self.data("races-edited.verdicts.csv").open() as file:
            wanted = sorted(
                (int(r["home"]), r["aliased_cli"], int(r["first_bad_ps"]), r["opcode"]) for r in csv.DictReader(file)
            )
        self.assertEqual(found, wanted)

    def test_cases(self):
        with (CASES / "index.csv").open() as file:
            cases = list(csv.DictReader(file))
        for case in cases:
            with self.subTest(case["case"]):
                self.assert_case(case["case"], case["expected"])

    def assert_case(self, name, expected):
        broken = expected.startswith("violation")
        findings = self.findings(CASES / f"{name}.pcap", expect=FINDINGS if broken else harness.FINE)
        violations = [(v["index"], v["rule"]) for v in self.of_type(findings, "violation")]
        self.assertEqual(violations, [BROKEN_AT[name]] if broken else [])
        if expected == "owed":
            self.assertEqual([o["op"] for o in self.of_type(findings, "owed")], ["SINV_H"])

    def test_a_real_machine_owes_exactly_the_requests_that_hung(self):
        """Each run of the table was joined midway; its description names these five."""
        findings = self.findings(self.data("sys_messages.csv"))
        self.assertEqual(self.of_type(findings, "violation"), [])
        owed = self.of_type(findings, "owed")
        self.assertEqual([o["address"] for o in owed], ["0x80", "0x80", "0x100", "0x8000", "0x80"])
        self.assertEqual({o["op"] for o in owed}, {"RLDD"})

    def test_damage_and_loss_break_no_rule(self):
        for capture, exit_code in [
            ("crc-replay.pcap", harness.FINE),
            ("crc-where.pcap", harness.DAMAGED),
            ("lossy.pcap", harness.FINE),
            ("udp.pcap", harness.FINE),
            ("gap.pcap", harness.FINE),
        ]:
            with self.subTest(capture):
                findings = self.findings(self.data(capture), expect=exit_code)
                self.assertEqual(self.of_type(findings, "violation"), [])
                self.assertTrue(findings[-1]["sums_agree"])

    def test_a_stored_trace_gets_the_same_verdict(self):
        stored = self.folder / "races.ewf"
        self.eciscope("decode", self.data("races-edited.pcap"), "-o", stored)
        direct = self.findings(self.data("races-edited.pcap"), expect=FINDINGS)
        self.assertEqual([f for f in self.findings(stored, expect=FINDINGS)], [f for f in direct if f["type"] != "link"])

    def test_threads_do_not_change_the_report(self):
        stored = self.folder / "races.ewf"
        self.eciscope("decode", self.data("races-edited.pcap"), "-o", stored)
        one = self.eciscope("check", stored, "--to", "ndjson", expect=FINDINGS).stdout
        two = self.eciscope("check", stored, "--to", "ndjson", "--threads", "2", expect=FINDINGS).stdout
        self.assertEqual(one, two)

    def test_a_missing_chunk_is_a_loss(self):
        """Everything after it may be: lines whose grant went with the chunk are not reported."""
        stored = self.folder / "boot.ewf"
        self.eciscope("decode", self.data("small.pcap"), "-o", stored)
        whole = stored.read_bytes()
        for place in (len(whole) // 4, len(whole) // 2):
            stored.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
            findings = self.findings(stored, expect=harness.DAMAGED)
            self.assertEqual(self.of_type(findings, "violation"), [])

    # --- options

    def test_a_reply_that_takes_longer_than_the_timeout_is_a_violation(self):
        capture = self.data("sys_messages.csv")
        findings = self.findings(capture, "--timeout", "10us", expect=FINDINGS)
        late = [o["address"] for o in self.of_type(findings, "owed") if o["rule"] == "end.timeout"]
        self.assertEqual(late, ["0x80", "0x80"])
        self.findings(capture, "--timeout", "2s", expect=harness.FINE)

    def test_a_waiver_takes_a_finding_out_and_is_counted(self):
        waivers = self.folder / "waivers"
        waivers.write_text("# looked at\nexchange.foreign-id  # known\n")
        findings = self.findings(CASES / "answer-with-a-foreign-id.pcap", "--waive", waivers)
        self.assertEqual(findings[-1]["waived"], {"exchange.foreign-id": 1})
        waivers.write_text("no.such-rule\n")
        self.eciscope("check", CASES / "never-answered.pcap", "--waive", waivers, expect=harness.USAGE)

    def test_rules_can_be_switched_off(self):
        self.findings(CASES / "answer-with-a-foreign-id.pcap", "--rule", "exchange.foreign-id=off")
        self.eciscope("check", CASES / "never-answered.pcap", "--rule", "nonsense", expect=harness.USAGE)

    def test_a_message_outside_the_subset(self):
        findings = self.findings(CASES / "writeback-crosses-forward.pcap", "--profile", "Read_only", expect=FINDINGS)
        self.assertEqual({v["rule"] for v in self.of_type(findings, "violation")}, {"coherence.outside-subset"})

    def test_rules_are_listed(self):
        rules = [json.loads(line) for line in self.eciscope("check", "--list-rules", "--to", "ndjson").stdout.splitlines()]
        self.assertIn("coherence.grant-without-request", [rule["id"] for rule in rules])
        self.assertTrue(all(rule["sentence"] and rule["source"] for rule in rules))

    # --- reports

    def test_a_violation_says_why(self):
        findings = self.findings(CASES / "upgrade-granted-without-copy.pcap", expect=FINDINGS)
        violation = self.of_type(findings, "violation")[0]
        self.assertIn("RA3", violation["expected"])
        self.assertTrue(violation["history_is_whole"])
        self.assertEqual([entry["op"] for entry in violation["history"]][0], "RLDD")
        self.assertTrue(violation["hypotheses"])
        self.assertIn("unordered", violation["assumptions"])

    def test_junit(self):
        report = self.eciscope("check", self.data("races-edited.pcap"), "--to", "junit", expect=FINDINGS).stdout
        suite = xml.etree.ElementTree.fromstring(report).find("testsuite")
        failed = [case.get("name") for case in suite if case.find("failure") is not None]
        self.assertEqual(int(suite.get("failures")), len(failed))
        self.assertIn("coherence.drop-without-copy", failed)

    def test_html_is_one_page_that_loads_nothing(self):
        page = self.eciscope("check", self.data("races-edited.pcap"), "--to", "html", expect=FINDINGS).stdout.decode()
        self.assertIn("17 violations", page)
        for outside in ("http://", "https://", "<script", "src="):
            self.assertNotIn(outside, page)

    def test_text(self):
        text = self.eciscope("check", CASES / "drop-while-upgrading.pcap", expect=FINDINGS).stdout.decode()
        self.assertIn("coherence.wrong-drop", text)
        self.assertIn("1 violation", text)

    @staticmethod
    def picoseconds(text):
        seconds, fraction = text.split(".")
        return int(seconds) * 10**12 + int(fraction) - harness.EPOCH_PS


if __name__ == "__main__":
    unittest.main()
