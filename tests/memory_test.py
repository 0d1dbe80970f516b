"""Memory does not grow with the input: many copies of a capture need what the bound allows, whatever is done with them."""

import os
import subprocess
import unittest

import harness

REPEAT = os.environ.get("REPEAT_CAPTURE")
COPIES = 120  # of 0.3 MB: some seconds; anything that is kept for each block or message shows
MOST = 128 << 20


@unittest.skipUnless(REPEAT, "needs repeat_capture")
class Memory(harness.EndToEnd):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.capture = cls._folder / "long.pcap"
        subprocess.run([REPEAT, cls.data("small.pcap"), cls.capture, str(COPIES)], check=True)

    def peak(self, *arguments):
        """Bytes that the command needed at the most."""
        command = [harness.PROGRAM, *map(str, arguments), "-q"]
        pid = os.posix_spawn(command[0], command, os.environ)
        _, status, usage = os.wait4(pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), harness.FINE, command)
        return usage.ru_maxrss * 1024

    def test_is_bounded_and_does_not_grow(self):
        short = self.data("small.pcap")
        for threads in (1, 2):
            for output in (["--to", "none"], ["-o", self.folder / "long.ewf"]):
                options = ["--threads", threads, *output]
                much = self.peak("decode", self.capture, *options)
                little = self.peak("decode", short, *options)
                self.assertLess(much, MOST, options)
                self.assertLess(much - little, self.capture.stat().st_size // 2, options)


if __name__ == "__main__":
    harness.main()
