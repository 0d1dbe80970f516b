"""Damaged captures: no bug of the dissector, no hang. The seeds are those below; ECISCOPE_FUZZ_SEEDS names more."""

import os
import unittest

import shark

SEEDS = os.environ.get("ECISCOPE_FUZZ_SEEDS", "1 2 3").split()
STRICT = {
    "WIRESHARK_ABORT_ON_DISSECTOR_BUG": "1",
    "WIRESHARK_ABORT_ON_TOO_MANY_ITEMS": "1",
    "WIRESHARK_DEBUG_WMEM_OVERRIDE": "strict",
    "G_SLICE": "debug-blocks",
    "MALLOC_CHECK_": "3",
}


class Fuzz(shark.WithShark):
    def check(self, path, frames):
        part = self.first_frames(path, frames)
        for seed in SEEDS:
            damaged = self._folder / f"{path.stem}.{seed}.pcapng"
            self.run_in_tree("editcap", "-E", "0.02", "--seed", seed, part, damaged)
            damaged.chmod(0o644)
            for arguments in (["-V", "-x"], ["-2"], ["-q", "-z", "eci,srt", "-z", "eci,tree", "-z", "expert"]):
                done = self.tshark("-r", damaged, *arguments, check=False, **STRICT)
                self.assertEqual(done.returncode, 0, f"seed {seed} {arguments}: {done.stderr.decode()[-2000:]}")
                self.assertNotIn(b"bug", done.stderr.lower())
                self.assertNotIn(b"Dissector bug", done.stdout)

    def test_messages(self):
        self.check(self.converted(self.capture("crc-replay.pcap")), 400)

    def test_blocks(self):
        self.check(self.readable(self.capture("lossy.pcap")), 12)

    def test_datagrams(self):
        self.check(self.readable(self.capture("udp.pcap")), 12)


if __name__ == "__main__":
    unittest.main()
