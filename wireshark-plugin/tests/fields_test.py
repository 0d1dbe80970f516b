"""The registered fields: a stored list, and each of them filters, comes out of -T fields and is what the tree shows."""

import pathlib
import unittest

import shark

STORED = pathlib.Path(__file__).resolve().parent / "data" / "fields.txt"
NOT_IN_LEAVES = {"eci", "eciblk"}  # the protocols themselves


class Fields(shark.WithShark):
    def registered(self):
        """Filter and type of every field and expert item, as tshark lists them."""
        fields = set()
        for line in self.run_as_user("tshark", "-G", "fields").stdout.decode().splitlines():
            parts = line.split("\t")
            if parts[0] == "F" and parts[4] in ("eci", "eciblk"):
                fields.add((parts[2], parts[3]))
        return sorted(fields)

    def test_the_list_is_the_stored_one(self):
        listed = "".join(f"{name} {kind}\n" for name, kind in self.registered())
        self.assertEqual(listed, STORED.read_text(), f"tests/data/{STORED.name} is out of date: see docs/wireshark.md")

    def test_every_field_has_one_type(self):
        names = [name for name, _ in self.registered()]
        self.assertEqual(len(names), len(set(names)))

    def test_every_field_filters(self):
        names = [name for name, _ in self.registered()]
        path = self.converted(self.capture("small.pcap"))
        everything = self.tshark("-r", path, "-c", "50").stdout.splitlines()
        found = self.tshark("-r", path, "-c", "50", "-Y", " || ".join(names)).stdout.splitlines()
        self.assertEqual(len(found), len(everything))

    def compare_fields_with_trees(self, path, *arguments):
        names = [name for name, kind in self.registered() if kind != "FT_NONE"]
        columns = [part for name in names for part in ("-e", name)]
        lines = self.tshark(*arguments, "-r", path, "-T", "fields", "-E", "aggregator=|", *columns).stdout
        seen = set()
        frames = self.frames(path, *arguments)
        rows = lines.decode().splitlines()
        self.assertEqual(len(rows), len(frames))
        for frame, row in zip(frames, rows):
            leaves = frame.fields()
            for name, values in zip(names, row.split("\t")):
                expected = [value for value in leaves.get(name, []) if isinstance(value, str)]
                if not expected and name in leaves:
                    continue
                self.assertEqual(values, "|".join(expected).replace(":", "") if name == "eci.data" else "|".join(expected), name)
                seen.update([name] if values else [])
        return seen

    def test_fields_of_messages_are_those_of_the_tree(self):
        path = self.first_frames(self.converted(self.capture("crc-replay.pcap")), 300)
        seen = self.compare_fields_with_trees(path, "-2")
        for name in ("eci.op", "eci.mreq.rreq_id", "eci.request_in", "eci.response_in", "eci.time", "eci.data"):
            self.assertIn(name, seen)

    def test_fields_of_blocks_are_those_of_the_tree(self):
        path = self.first_frames(self.readable(self.capture("crc-replay.pcap")), 20)
        seen = self.compare_fields_with_trees(path, "-2")
        for name in ("eciblk.sequence", "eciblk.crc", "eciblk.fragment", "eciblk.reassembled_in", "eci.mrsp.dmask"):
            self.assertIn(name, seen)

    def test_names_of_nodes_and_link_types_are_preferences(self):
        path = self.converted(self.capture("small.pcap"))
        out = self.tshark("-r", path, "-c", "1", "-o", "eci.node0:left", "-o", "eci.node1:right").stdout.decode()
        self.assertRegex(out, "left|right")
        other = self.tshark("-r", path, "-c", "1", "-o", "eci.message_user:5", "-T", "fields", "-e", "eci.from").stdout
        self.assertEqual(other.strip(), b"")


if __name__ == "__main__":
    unittest.main()
