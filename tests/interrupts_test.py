"""Nothing that is done is lost: not by Ctrl-C, not by a killed writer, not by a file that shrinks."""

import json
import signal
import subprocess
import time

import harness


class Feeder:
    """A decode that reads a pipe, of which so far only a part has been written."""

    def __init__(self, test, *arguments):
        self.process = subprocess.Popen(
            [harness.PROGRAM, "decode", "-", *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        test.addCleanup(self.close)

    def feed(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def end(self, signal_number):
        time.sleep(0.5)
        self.process.send_signal(signal_number)
        self.process.wait(timeout=60)
        return self.process.returncode, self.process.stderr.read().decode()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass


class Interrupts(harness.EndToEnd):
    def test_an_interrupt_leaves_a_whole_file(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            out = self.folder / "part.ewf"
            feeder = Feeder(self, "-o", out)
            feeder.feed(self.data("small.pcap").read_bytes()[:200_000])
            returned, said = feeder.end(number)
            self.assertEqual(returned, code, said)
            self.assertIn("interrupted", said)
            doctor = self.eciscope("doctor", out).stdout.decode()
            self.assertIn("its digest agrees", doctor)
            self.assertIn("the trace was interrupted while it was written", doctor)
            rows = self.rows_of(out)
            self.assertGreater(len(rows), 500)
            self.assertFalse(set(rows) - set(harness.truth_rows(self.data("small.truth.csv"))))

    def test_an_interrupt_leaves_whole_json(self):
        out = self.folder / "part.ndjson"
        feeder = Feeder(self, "-o", out)
        feeder.feed(self.data("small.pcap").read_bytes()[:200_000])
        self.assertEqual(feeder.end(signal.SIGINT)[0], harness.INTERRUPTED)
        end = json.loads(out.read_bytes().splitlines()[-1])
        self.assertEqual((end["type"], end["interrupted"]), ("end", True))
        self.assertIn(b"was interrupted", self.eciscope("decode", out, "--to", "none").stderr)

    def test_the_mark_goes_along_but_is_not_part_of_the_canonical_bytes(self):
        out = self.folder / "part.ndjson"
        feeder = Feeder(self, "-o", out)
        feeder.feed(self.data("small.pcap").read_bytes()[:200_000])
        feeder.end(signal.SIGINT)
        whole = self.folder / "whole.ndjson"
        whole.write_bytes(out.read_bytes().replace(b',"interrupted":true', b""))
        marked, plain = self.written("decode", out, name="part.ewf"), self.written("decode", whole, name="whole.ewf")
        self.assertGreater(len(marked), len(plain))
        length = int.from_bytes(plain[-40:-32], "little")  # of the canonical part, as the trailer says
        self.assertEqual(marked[:length], plain[:length])
        self.assertEqual(marked[-32:-16], plain[-32:-16], "the digest")
        for name in ("again.ndjson", "again.json"):
            again = self.written("decode", self.folder / "part.ewf", name=name)
            self.assertIn(b',"interrupted":true}', again.splitlines()[-1] + again.splitlines()[-2])
        self.assertNotIn(b"interrupted", self.written("decode", self.folder / "whole.ewf", name="w.ndjson"))

    def test_a_killed_writer_is_recovered(self):
        whole = harness.repeated(self.data("small.pcap").read_bytes(), 40)
        out = self.folder / "killed.ewf"
        feeder = Feeder(self, "-o", out)
        feeder.feed(whole)
        deadline = time.monotonic() + 60
        while (not out.exists() or out.stat().st_size < 10_000) and time.monotonic() < deadline:
            time.sleep(0.05)
        feeder.end(signal.SIGKILL)
        self.assertEqual(feeder.process.returncode, -signal.SIGKILL)

        said = self.eciscope("doctor", out, expect=harness.DAMAGED).stdout.decode()
        self.assertIn("eciscope recover", said)
        saved = self.folder / "saved.ewf"
        self.eciscope("recover", out, "-o", saved, expect=harness.DAMAGED)
        self.assertIn("its digest agrees", self.eciscope("doctor", saved).stdout.decode())
        rows = self.rows_of(saved)
        self.assertGreater(len(rows), 1000)
        self.assertEqual(rows, self.rows_of(out, expect=harness.DAMAGED), "the killed file reads as it was recovered")
        self.written("recover", saved, name="again.ewf")
        self.assertEqual((self.folder / "again.ewf").read_bytes(), saved.read_bytes(), "a whole file stays the same")


if __name__ == "__main__":
    harness.main()
