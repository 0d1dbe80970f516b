"""What other tools wrote: dumps of a trace buffer, analysers' tables, hexadecimal text; from files and from pipes."""

import json
import os
import subprocess
import threading
import time

import harness

REQUEST, GRANT = 0x0007F00000000100, 0x4807C00000000100  # RLDD of line 0x100 and PSHA for it, VC 7 and 5


def sample(source, stamp, low, vc=0, accepted=0):
    """As the trace buffer's documentation lays it out: payload 74:0, source 80:75, time stamp 127:81."""
    return (low | vc << 64 | accepted << 68 | source << 75 | stamp << 81).to_bytes(16, "little")


def trace_map(path):
    sources = [
        {"source": 22, "type": "eci", "clock_domain": "sys", "channel": "req_wod_i", "pipeline_stages": 5},
        {"source": 26, "type": "eci", "clock_domain": "sys", "channel": "rsp_wd_o", "pipeline_stages": 5},
        {"source": 63, "type": "lost"},
    ]
    layout = {"payload_width": 75, "source_width": 6, "timestamp_width": 47, "sample_width": 128, "lost_source": 63}
    fields = {"eci_header": (0, 64), "vc": (64, 4), "accepted": (68, 1)}
    fields = {name: {"offset": offset, "width": width} for name, (offset, width) in fields.items()}
    path.write_text(json.dumps({"sample": layout, "payload_formats": {"eci": {"fields": fields}}, "sources": sources}))
    return path


class Importers(harness.EndToEnd):
    def messages(self, *arguments, **options):
        done = self.eciscope("decode", *arguments, "--to", "ndjson", **options)
        objects = [json.loads(line) for line in done.stdout.splitlines()]
        return [each for each in objects if each["type"] == "message"], done.stderr.decode()

    def ring(self):
        """Four samples of a ring that went round, with a marker, an offer that waited, and padding."""
        old = [sample(63, 900, 3), sample(22, 1005, REQUEST, 7, 0), sample(22, 1015, REQUEST, 7, 1)]
        new = [sample(26, 1185, GRANT, 5, 1), sample(63, 2000, 0)]
        dump = self.folder / "trace-dram.bin"
        dump.write_bytes(b"".join(new + old))
        return dump

    def test_a_dump_of_a_ring(self):
        dump, layout = self.ring(), trace_map(self.folder / "map.json")
        messages, said = self.messages(dump, "--map", layout)
        self.assertEqual([each["op"] for each in messages], ["RLDD", "PSHA"])
        self.assertEqual([each["from"] for each in messages], [0, 1])
        self.assertEqual(messages[1]["time"], "0.000005900000")
        self.assertIn("samples 5 = 2 accepted + 1 offers that waited + 1 padding + 1 marks of losses", said)
        self.assertIn("lost 3; the ring had gone round; sums agree", said)
        with dump.open("rb") as pipe:
            piped = self.messages("-", "--format", "dma", "--map", layout, stdin=pipe)[0]
        self.assertEqual(piped, messages)
        through = subprocess.run(["cat", dump], capture_output=True, check=True).stdout
        self.assertEqual(self.messages("-", "--map", layout, input=through)[0], messages)
        self.written("decode", dump, "--map", layout, name="dump.ewf")
        self.assertEqual(self.messages(self.folder / "dump.ewf")[0], messages)
        self.eciscope("check", self.folder / "dump.ewf")

    def test_a_dump_without_its_map(self):
        dump = self.ring()
        said = self.eciscope("decode", dump, "--format", "dma", expect=harness.USAGE).stderr.decode()
        self.assertIn("Give --map", said)
        wrong = self.folder / "wrong.json"
        wrong.write_text('{"sample": 1}')
        said = self.eciscope("decode", dump, "--map", wrong, expect=harness.DAMAGED).stderr.decode()
        self.assertIn("no usable map", said)
        self.eciscope("decode", dump, "--map", self.folder / "none.json", expect=harness.DAMAGED)
        self.eciscope("decode", dump, "--map", wrong, "--point", "here", expect=harness.USAGE)

    def test_an_analyser_s_table_of_messages(self):
        path = ",i_app/dcs_odd/i_trace_sys/traceOut_"
        table = self.folder / "odd_sys.csv"
        table.write_text(
            f"Sample in Buffer,Sample in Window,TRIGGER{path}event_data[63:0]{path}event_size[4:0]{path}event_vc[4:0]"
            f"{path}src[2:0]{path}ts[63:0],i_app/dcs_odd/i_trace_sys/dump_1,i_app/dcs_odd/i_trace_sys/sampleLost\n"
            "Radix - UNSIGNED,UNSIGNED,UNSIGNED,HEX,HEX,HEX,HEX,HEX,HEX,HEX\n"
            "32,32,1,0000000000000000,00,00,0,0000000000000000,1,0\n"
            "39,39,0,0003e00000000000,01,07,0,0000000000000021,1,0\n"
            "40,40,0,4803c00000000000,11,05,4,0000000000000063,1,0\n"
        )
        messages = self.messages(table)[0]
        self.assertEqual([each["op"] for each in messages], ["RLDD", "PSHA"])
        self.assertEqual(messages[0]["time"], "0.000000102400")
        self.assertEqual(self.messages("-", input=table.read_bytes())[0], messages)
        self.assertEqual(self.messages(table, "--format", "ila-csv")[0], messages)

    def test_hexadecimal_text(self):
        whole, _ = self.messages(self.data("small.pcap"))
        data, position, lines = self.data("small.pcap").read_bytes(), 24, []
        while position < len(data):
            length = int.from_bytes(data[position + 8 : position + 12], "little")
            record = data[position + 16 : position + 16 + length]
            begin = int.from_bytes(record[16:24], "little") * 1000
            for entry in range(24, len(record), 72):
                time_ps = begin + int.from_bytes(record[entry : entry + 4], "little")
                lines.append((time_ps, f"@{time_ps // 10**12}.{time_ps % 10**12:012}s L{record[6]} from={record[5] & 1} {record[entry + 8 : entry + 72].hex()}"))
            position += 16 + length
        text = self.folder / "blocks.txt"
        text.write_text("# link 0 and 1\n" + "\n".join(line for _, line in sorted(lines)) + "\n")
        messages = self.messages(text)[0]
        self.assertEqual([(m["time"], m["words"]) for m in messages], [(m["time"], m["words"]) for m in whole])
        self.assertEqual(self.messages("-", input=text.read_bytes())[0], messages)
        unsaid = self.folder / "unsaid.txt"
        unsaid.write_text("".join(line.split()[-1] + "\n" for _, line in lines[:100]))
        said = self.eciscope("decode", unsaid, "--to", "none", expect=harness.DAMAGED).stderr.decode()
        self.assertIn("--link and --from", said)
        self.eciscope("decode", unsaid, "--link", "0", "--from", "0", "--to", "none")

    # pipes

    def test_every_format_is_known_in_a_pipe(self):
        stored = {f: self.written("decode", self.data("small.pcap"), name=f"s.{f}") for f in ("ewf", "ndjson", "json")}
        inputs = {
            **stored,
            "sys-csv": self.data("sys_messages.csv").read_bytes(),
            "edge-csv": self.data("edge_blocks.csv").read_bytes(),
            "pcap": self.data("small.pcap").read_bytes(),
        }
        for name, data in inputs.items():
            path = self.folder / f"file-{name}"
            path.write_bytes(data)
            from_file = self.eciscope("decode", path, "--to", "ndjson").stdout
            self.assertEqual(self.eciscope("decode", "-", "--to", "ndjson", input=data).stdout, from_file, name)

    def test_a_slow_writer_is_waited_for(self):
        """Byte by byte at first, through a named pipe."""
        for name, first in (("sys_messages.csv", 60), ("small.pcap", 3)):
            data, fifo = self.data(name).read_bytes(), self.folder / "fifo"
            fifo.unlink(missing_ok=True)
            os.mkfifo(fifo)

            def write(data=data, fifo=fifo, first=first):
                with fifo.open("wb", buffering=0) as out:
                    for byte in range(first):
                        out.write(data[byte : byte + 1])
                        time.sleep(0.005)
                    out.write(data[first:])

            writer = threading.Thread(target=write)
            writer.start()
            piped = self.eciscope("decode", fifo, "--to", "ndjson").stdout
            writer.join()
            self.assertEqual(piped, self.eciscope("decode", self.data(name), "--to", "ndjson").stdout)

    def test_what_is_no_trace_is_named_in_a_pipe_too(self):
        for data, what in ((b"%PDF-1.5\n", "PDF"), (b"", "empty"), (b"dear diary", "text"), (b"a,b,c\n1,2,3\n", "CSV")):
            said = self.eciscope("decode", "-", "--to", "none", input=data, expect=harness.DAMAGED).stderr.decode()
            self.assertIn(what, said)


if __name__ == "__main__":
    harness.main()
