"""What tshark shows of a message is what `eciscope decode` says of it, field for field."""

import unittest

import shark

NOT_SHOWN_BY_DECODE = {"op", "aliased_cli"}  # as numbers: decode has them as the name and as the line's


class Equality(shark.WithShark):
    def differences(self, message, shown):
        """Pairs of what decode says and what tshark shows."""
        expected = {
            "eci.index": message["index"],
            "eci.link": message["link"],
            "eci.from": message["from"],
            "eci.to": 1 - message["from"],
            "eci.vc": message["vc"],
            "eci.block_first": int(message["block"]),
            "eci.block_last": int(message["block_last"]),
            "eci.slot": message["slot"],
            "eci.word_count": len(message["words"]),
        }
        if "address" in message:
            expected["eci.home"] = message["home"]
            expected["eci.address"] = int(message["address"], 0)
            expected["eci.aliased_cli"] = int(message["aliased_cli"], 0)
            expected["eci.aliased_address"] = int(message["aliased_cli"], 0) << 7
        prefix = f"eci.{message['class'].lower()}."
        for name, value in message["fields"].items():
            expected[prefix + name] = value if isinstance(value, int) else int(value, 0)
        for name, value in expected.items():
            if [value] != [int(text, 0) for text in shown.get(name, [])]:
                yield name, value, shown.get(name)
        texts = {
            "eci.class": [message["class"]],
            "eci.op": [message["op"]],
            "eci.time_first": [message["time"]],
            "eci.time_last": [message["time_last"]],
        }
        for name, value in texts.items():
            if value != shown.get(name):
                yield name, value, shown.get(name)
        words = [int(word, 16) for word in message["words"]]
        if words != [int(text, 0) for text in shown.get("eci.word", [])]:
            yield "eci.word", words, shown.get("eci.word")
        data = [text.replace(":", "") for text in shown.get("eci.data", [])]
        if data != ["".join(message["words"][1:])][: len(words) - 1]:
            yield "eci.data", message["words"][1:], data
        for name, values in shown.items():
            field = name.removeprefix(prefix)
            if field != name and name not in expected and field not in NOT_SHOWN_BY_DECODE:
                if not field.startswith(("unused_", "unknown_")) or any(int(value, 0) for value in values):
                    yield name, None, values

    def check(self, path, frames):
        messages, _ = self.decoded(path)
        shown = shark.messages_of(frames)
        self.assertEqual(len(shown), len(messages))
        for message, each in zip(messages, shown):
            self.assertEqual(list(self.differences(message, each)), [], f"message {message['index']}")

    def test_messages_of_blocks(self):
        for name in [*shark.IN_TREE, "boot.pcap"]:
            with self.subTest(name):
                path = self.readable(self.capture(name))
                self.check(path, self.frames(path, "-2", "-J", "eci"))

    def test_converted_messages(self):
        for name in [*shark.IN_TREE, "boot.pcap", "races-edited.pcap", "edge_blocks.csv", "sys_messages.csv"]:
            with self.subTest(name):
                path = self.capture(name)
                self.check(path, self.frames(self.converted(path), "-J", "eci"))

    def test_events_are_packets_of_their_own(self):
        for name in ["crc-replay.pcap", "gap.pcap", "lossy.pcap"]:
            with self.subTest(name):
                path = self.capture(name)
                _, events = self.decoded(path)
                frames = self.frames(self.converted(path), "-J", "eci")
                shown = [frame["eci"][0].fields() for frame in frames if frame["eci"][0]["eci.event"]]
                self.assertEqual(len(shown), len(events))
                for event, fields in zip(events, shown):
                    self.assertEqual(fields["eci.event"], [event["type"]])
                    self.assertEqual(fields["eci.event.time"], [event["time"]])
                    self.assertEqual(fields["eci.event.block"], [event["block"]])
                    self.assertEqual(int(fields["eci.from"][0]), event["from"])
                    self.assertEqual(fields.get("eci.event.count", [None])[0], event.get("count", "0"))

    def test_lost_blocks_are_the_packet_s_drop_count(self):
        path = self.capture("gap.pcap")
        _, events = self.decoded(path)
        lost = [int(event["count"]) for event in events if event["type"] == "lost" and event["count"]]
        out = self.tshark("-r", self.converted(path), "-Y", "frame.drop_count", "-T", "fields", "-e", "frame.drop_count")
        self.assertEqual([int(line) for line in out.stdout.split()], lost)


if __name__ == "__main__":
    unittest.main()
