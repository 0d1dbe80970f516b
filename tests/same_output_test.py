"""The same input gives the same bytes, however it comes and whoever works on it."""

import os
import struct
import subprocess
import threading

import harness


def cut_at_a_record(capture, share):
    """A pcap in two files, each with a header."""
    data = capture.read_bytes()
    order = "<" if data[:4] == b"\x4d\x3c\xb2\xa1" else ">"
    position = 24
    while position < len(data) * share:
        position += 16 + struct.unpack_from(order + "I", data, position + 8)[0]
    return data[:position], data[:24] + data[position:]


class SameOutput(harness.EndToEnd):
    def setUp(self):
        super().setUp()
        self.capture = self.data("crc-replay.pcap")
        self.expected = self.written("decode", self.capture, name="expected.ewf")

    def test_from_a_pipe(self):
        with open(self.capture, "rb") as file:
            cat = subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE)
            self.assertEqual(self.written("decode", "-", stdin=cat.stdout), self.expected)
            cat.stdout.close()
            cat.wait()

    def test_from_redirected_standard_input(self):
        with open(self.capture, "rb") as file:
            self.assertEqual(self.written("decode", "-", stdin=file), self.expected)

    def test_from_a_named_pipe(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=lambda: pipe.write_bytes(self.capture.read_bytes()))
        writer.start()
        self.assertEqual(self.written("decode", pipe), self.expected)
        writer.join()

    def test_to_standard_output(self):
        self.assertEqual(self.eciscope("decode", self.capture, "--to", "ewf").stdout, self.expected)

    def test_in_reads_of_any_size(self):
        small = self.data("small.pcap")
        expected = self.written("decode", small)
        for size in (1, 7, 63, 64, 65, 4096):
            self.assertEqual(self.written("decode", small, "--read-size", size), expected, f"reads of {size}")

    def test_with_more_threads(self):
        for threads in (2, 3):
            self.assertEqual(self.written("decode", self.capture, "--threads", threads), self.expected)
            portions = ["--read-size", 65536]  # so that the file is read ahead in many of them
            self.assertEqual(self.written("decode", self.capture, "--threads", threads, *portions), self.expected)

    def test_cut_in_two_files(self):
        for share in (0.1, 0.5, 0.9):
            first, second = cut_at_a_record(self.capture, share)
            (self.folder / "a.pcap").write_bytes(first)
            (self.folder / "b.pcap").write_bytes(second)
            self.assertEqual(self.written("decode", self.folder / "a.pcap", self.folder / "b.pcap"), self.expected)

    def test_through_json_and_back(self):
        ewf = self.folder / "expected.ewf"
        for name in ("trace.ndjson", "trace.json"):
            self.written("decode", ewf, name=name)
            self.assertEqual(self.written("decode", self.folder / name), self.expected, name)
            with open(self.folder / name, "rb") as file:
                self.assertEqual(self.written("decode", "-", stdin=file), self.expected, name)

    def test_through_ewf_in_a_pipe(self):
        with open(self.folder / "expected.ewf", "rb") as file:
            cat = subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE)
            self.assertEqual(self.written("decode", "-", stdin=cat.stdout), self.expected)
            cat.stdout.close()
            cat.wait()

    def test_every_kind_of_input_gives_the_same_lines(self):
        lines = self.eciscope("decode", self.capture, "--to", "ndjson").stdout
        self.assertEqual(self.eciscope("decode", self.folder / "expected.ewf", "--to", "ndjson").stdout, lines)

    def test_what_is_decoded_has_the_digest_that_info_says(self):
        of_capture = self.eciscope("info", self.capture).stdout.decode()
        of_ewf = self.eciscope("info", self.folder / "expected.ewf").stdout.decode()
        digest = next(line for line in of_capture.splitlines() if "digest" in line).split()[1]
        self.assertIn(f"{digest} (agrees with the file)", of_ewf)


if __name__ == "__main__":
    harness.main()
