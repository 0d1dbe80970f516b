"""Statistics, exports and follow tell what eciscope itself tells; request and response are matched as it matches them."""

import collections
import json
import unittest

import shark
from shark import harness


class Statistics(shark.WithShark):
    def setUp(self):
        super().setUp()
        self.capture_file = self.capture("boot.pcap")
        self.blocks = self.readable(self.capture_file)
        self.packets = self.converted(self.capture_file)
        self.messages, _ = self.decoded(self.capture_file)

    def test_tree_by_circuit_and_operation(self):
        by_op = collections.Counter(f"VC {m['vc']} {m['op']}" for m in self.messages)
        for path, passes in ((self.packets, []), (self.blocks, ["-2"])):
            out = self.tshark(*passes, "-q", "-r", path, "-z", "eci,tree").stdout.decode()
            counted, circuit = {}, ""
            for line in out.splitlines():
                words = line.split()
                if words[:1] == ["VC"]:
                    circuit = f"VC {words[1]}"
                elif circuit and len(words) > 2 and words[1].isdigit():
                    counted[f"{circuit} {words[0]}"] = int(words[1])
            self.assertEqual(counted, dict(by_op))

    def test_response_times(self):
        out = self.tshark("-q", "-r", self.packets, "-z", "eci,srt").stdout.decode()
        rows = [line.split() for line in out.splitlines() if "RLDX" in line or "RLDD" in line]
        self.assertTrue(rows)
        requests = sum(1 for m in self.messages if m["op"] == "RLDX")
        row = next(r for r in rows if "RLDX" in r)
        calls = int(row[row.index("RLDX") + 1])
        self.assertLessEqual(calls, requests)
        self.assertGreater(calls, requests * 0.9)

    def test_requests_and_responses_name_each_other(self):
        shown = shark.messages_of(self.frames(self.packets, "-2", "-J", "eci"))
        by_frame = {m["frame"]: m for m in shown}
        answered = 0
        for message in shown:
            for response in message.get("eci.response_in", []):
                other = by_frame[int(response)]
                answered += 1
                self.assertEqual(other["eci.request_in"], [str(message["frame"])])
                self.assertEqual(other.get("eci.line"), message.get("eci.line"))
                self.assertEqual(other["eci.time_ps"], message["eci.time_ps"])
                first = [harness.picoseconds(m["eci.time_first"][0]) for m in (message, other)]
                self.assertEqual(int(message["eci.time_ps"][0]), first[1] - first[0])
        self.assertGreater(answered, 1000)

    def test_violations_are_those_of_the_checker(self):
        path = self.capture("races-edited.pcap")
        found = self.eciscope("check", path, "--to", "ndjson", "--limit", "1000", expect=1).stdout
        objects = [json.loads(line) for line in found.splitlines()]
        expected = sorted((o["index"], o["rule"]) for o in objects if "index" in o)
        for file in (self.converted(path), self.readable(path)):
            shown = shark.messages_of(self.frames(file, "-2", "-J", "eci"))
            rules = sorted((int(m["eci.index"][0]), rule) for m in shown for rule in m.get("eci.violation", []))
            self.assertEqual(rules, expected)
            self.assertGreater(len(rules), 10)

    def test_lines_can_be_exported(self):
        folder = self._folder / "objects"
        folder.mkdir()
        folder.chmod(0o777)
        self.tshark("-q", "-r", self.packets, "--export-objects", f"eci,{folder}")
        message = next(m for m in self.messages if m["op"] == "PEMD" and len(m["words"]) == 17)
        name = f"0x{int(message['address'], 16):010x}-of-node-{message['home']}-{message['index']:08d}-PEMD-mask-f.line"
        words = [bytes.fromhex(word) for word in message["words"][1:]]
        line = bytearray(128)
        for k in range(4):
            at = (k ^ message["fields"]["fillo"]) * 32
            line[at : at + 32] = b"".join(words[4 * k : 4 * k + 4])
        self.assertEqual((folder / name).read_bytes(), bytes(line))

    def test_a_line_can_be_followed(self):
        first = next(m for m in self.messages if "address" in m)
        own = [m for m in self.messages if (m.get("address"), m.get("home")) == (first["address"], first["home"])]
        for path, passes in ((self.packets, []), (self.blocks, ["-2"])):
            out = self.tshark(*passes, "-q", "-r", path, "-z", "follow,eci,ascii,0").stdout.decode()
            lines = [line for line in out.splitlines() if " to " in line and "VC" in line]
            self.assertEqual(len(lines), len(own))
            for message, line in zip(own, lines):
                self.assertIn(message["time_last"], line)
                self.assertIn(message["op"], line)

    def test_conversations_are_lines(self):
        out = self.tshark("-q", "-r", self.packets, "-z", "conv,eci").stdout.decode()
        lines = {(m["home"], m["aliased_cli"]) for m in self.messages if "address" in m}
        self.assertEqual(len([line for line in out.splitlines() if "<->" in line]), len(lines))


if __name__ == "__main__":
    unittest.main()
