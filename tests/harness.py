"""What the end-to-end tests have in common: the program, captures with their ground truth, and an independent reading of
both."""

import csv
import json
import lzma
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("ECISCOPE", str(SOURCE / "build" / "dev" / "cli" / "eciscope"))
SHARED = os.environ.get("ECISCOPE_SHARED_TRACES")  # a folder with larger captures, tested as well where it is given
EPOCH_PS = 1_700_000_000 * 10**12  # ground truth counts from here

FINE, DAMAGED, USAGE, INTERRUPTED = 0, 2, 3, 130

_DECODER = SOURCE / "decoder" / "tests" / "data"
_CAPTURE = SOURCE / "capture" / "tests" / "data"
_CONFORMANCE = SOURCE / "conformance" / "tests" / "data"
_HERE = SOURCE / "tests" / "data"
_FILES = {
    "small.pcap": _DECODER / "small.pcap.xz",
    "small.truth.csv": _DECODER / "small.truth.csv.xz",
    "crc-replay.pcap": _DECODER / "crc-replay.pcap.xz",
    "crc-replay.truth.csv": _DECODER / "crc-replay.truth.csv.xz",
    "crc-where.pcap": _DECODER / "crc-where.pcap.xz",
    "crc-where.truth.csv": _DECODER / "crc-where.truth.csv.xz",
    "gap.pcap": _DECODER / "gap.pcap.xz",
    "gap.truth.csv": _DECODER / "gap.truth.csv.xz",
    "lossy.pcap": _DECODER / "lossy.pcap.xz",
    "lossy.sent.csv": _DECODER / "lossy.sent.csv.xz",
    "udp.pcap": _CAPTURE / "udp.pcap",
    "udp.truth.csv": _HERE / "udp.truth.csv.xz",
    "races-legal.pcap": _CONFORMANCE / "races-legal.pcap.xz",
    "races-edited.pcap": _CONFORMANCE / "races-edited.pcap.xz",
    "races-edited.verdicts.csv": _CONFORMANCE / "races-edited.verdicts.csv",
    "sys_messages.csv": SOURCE / "demo" / "hang.csv",
    "edge_blocks.csv": _DECODER / "edge_blocks.csv",
}


class EndToEnd(unittest.TestCase):
    """A test with a folder of its own and the program at hand."""

    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls._shared_folder = tempfile.TemporaryDirectory(prefix="eciscope-")
        cls._folder = pathlib.Path(cls._shared_folder.name)

    @classmethod
    def tearDownClass(cls):
        cls._shared_folder.cleanup()

    def setUp(self):
        own = tempfile.TemporaryDirectory(prefix="eciscope-test-")
        self.addCleanup(own.cleanup)
        self.folder = pathlib.Path(own.name)

    @classmethod
    def data(cls, name):
        """Path of a test capture or its truth, unpacked."""
        packed = _FILES[name]
        if packed.suffix != ".xz":
            return packed
        path = cls._folder / name
        if not path.exists():
            path.write_bytes(lzma.decompress(packed.read_bytes()))
        return path

    def eciscope(self, *arguments, expect=FINE, **options):
        """Runs the program, checks its exit code, returns the finished process with bytes as output."""
        process = subprocess.run(
            [PROGRAM, *map(str, arguments)], capture_output=True, timeout=300, check=False, **options
        )
        self.assertEqual(
            process.returncode, expect, f"eciscope {arguments}:\n{process.stderr.decode(errors='replace')}"
        )
        return process

    def written(self, *arguments, name="out.ewf", expect=FINE, **options):
        """Runs the program with -o and returns what the file then holds."""
        path = self.folder / name
        self.eciscope(*arguments, "-o", path, expect=expect, **options)
        return path.read_bytes()

    def rows_of(self, *arguments, expect=FINE):
        """Messages of a trace as rows of the ground truth, from the NDJSON output; the last object must be the end."""
        process = self.eciscope("decode", *arguments, "--to", "ndjson", expect=expect)
        objects = [json.loads(line) for line in process.stdout.splitlines()]
        self.assertEqual(objects[-1]["type"], "end")
        messages = [each for each in objects if each["type"] == "message"]
        self.assertEqual(objects[-1]["messages"], len(messages))
        return [row_of(message) for message in messages]


def picoseconds(text):
    """Decimal seconds with twelve digits as picoseconds since the epoch of the ground truth."""
    whole, fraction = text.split(".")
    assert len(fraction) == 12
    return int(whole) * 10**12 + int(fraction) - EPOCH_PS


def row_of(message):
    last = message.get("time_last", message["time"])
    return (
        picoseconds(message["time"]),
        picoseconds(last),
        message["from"],
        message["link"],
        message["vc"],
        " ".join(message["words"]),
    )


def truth_rows(path):
    opened = lzma.open(path, "rt") if str(path).endswith(".xz") else open(path, encoding="ascii")
    with opened as file:
        return [
            (int(r["t_first_ps"]), int(r["t_last_ps"]), int(r["from"]), int(r["link"]), int(r["vc"]), r["words"])
            for r in csv.DictReader(file)
        ]


def repeated(data, times):
    """The small capture again and again, each time ten seconds later and with sequence numbers that go on."""
    order = "<" if data[:4] == b"\x4d\x3c\xb2\xa1" else ">"
    records, position, streams = [], 24, {}
    while position < len(data):
        length = struct.unpack_from(order + "I", data, position + 8)[0]
        records.append(data[position : position + 16 + length])
        position += 16 + length
    out = bytearray(data[:24])
    for turn in range(times):
        for record in records:
            changed = bytearray(record)
            seconds = struct.unpack_from(order + "I", changed, 0)[0]
            struct.pack_into(order + "I", changed, 0, seconds + 10 * turn)
            stream = bytes(changed[21:23])
            streams[stream] = streams.get(stream, -1) + 1
            struct.pack_into("<I", changed, 24, streams[stream])
            nanoseconds = struct.unpack_from("<Q", changed, 32)[0]
            struct.pack_into("<Q", changed, 32, nanoseconds + turn * 10 * 10**9)
            out += changed
    return bytes(out)


def main():
    sys.dont_write_bytecode = True
    unittest.main()
