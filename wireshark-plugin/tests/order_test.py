"""What a frame shows does not depend on which frames were looked at before."""

import json
import random
import unittest

import shark


def without_places(node):
    """A tree of sharkd's as plain values."""
    return {key: [without_places(each) for each in value] if key == "n" else value for key, value in node.items()}


class Order(shark.WithShark):
    def trees(self, path, numbers):
        """Trees of these frames, in one run of sharkd."""
        calls = [{"jsonrpc": "2.0", "id": 1, "method": "load", "params": {"file": str(path)}}]
        for i, number in enumerate(numbers, 2):
            calls.append(
                {"jsonrpc": "2.0", "id": i, "method": "frame", "params": {"frame": number, "proto": True, "columns": True}}
            )
        text = "".join(json.dumps(call) + "\n" for call in calls).encode()
        lines = self.run_as_user("sharkd", "-", text=text).stdout.decode().splitlines()
        answers = [json.loads(line) for line in lines if line.startswith("{")]
        by_id = {answer["id"]: answer["result"] for answer in answers if "result" in answer}
        return [(number, by_id[i]) for i, number in enumerate(numbers, 2)]

    def check(self, path, count, seed):
        shuffled = [*range(1, count + 1), *range(1, count + 1)]
        random.Random(seed).shuffle(shuffled)
        in_order = dict(self.trees(path, range(1, count + 1)))
        for number, tree in self.trees(path, shuffled):
            self.assertEqual(tree, in_order[number], f"frame {number}, seed {seed}")
        for number in random.Random(seed).sample(range(1, count + 1), 2):
            self.assertEqual(self.trees(path, [number])[0][1], in_order[number], f"frame {number} alone")

    def test_blocks(self):
        self.check(self.first_frames(self.readable(self.capture("crc-replay.pcap")), 30), 30, seed=1)

    def test_datagrams(self):
        self.check(self.first_frames(self.readable(self.capture("udp.pcap")), 30), 30, seed=2)

    def test_messages(self):
        self.check(self.first_frames(self.converted(self.capture("races-edited.pcap")), 200), 200, seed=3)

    def test_what_is_known_of_a_line_goes_from_message_to_message(self):
        path = self.converted(self.capture("races-edited.pcap"))
        names = ["eci.line", "eci.op", "eci.line.state_before", "eci.line.state_after", "eci.finding.violation"]
        table = self.tshark("-2", "-r", path, "-Y", "eci.line", "-T", "fields", *(f"-e{name}" for name in names))
        known, fetched = {}, 0
        for row in table.stdout.decode().splitlines():
            line, op, before, after, violation = row.split("\t")
            self.assertEqual(before, known.get(line, before))
            if (op, before) == ("PSHA", "remote IS*, home E|S"):
                self.assertEqual(after, "remote S, home S")
                fetched += 1
            if violation:
                self.assertEqual(after, "unknown")
            known[line] = after
        self.assertGreater(fetched, 10)

    def test_a_second_pass_adds_only_what_comes_later(self):
        path = self.converted(self.capture("races-edited.pcap"))
        later = ("eci.response_in", "eci.retired_by", "eci.line.next", "eci.violation", "eci.line.hypotheses",
                 "eci.time", "eci.time_ps", "_ws.", "eci.finding", "eci.never_answered")  # fmt: skip
        for once, twice in zip(self.frames(path, "-J", "eci"), self.frames(path, "-2", "-J", "eci")):
            before, after = once.fields(), twice.fields()
            for name in {*before, *after}:
                if not name.startswith(later):
                    self.assertEqual(before.get(name), after.get(name), name)


if __name__ == "__main__":
    unittest.main()
