"""capture and replay over a network of their own: two namespaces joined by a pair of virtual interfaces, or loopback."""

import collections
import json
import os
import pathlib
import re
import resource
import signal
import socket
import struct
import subprocess
import time

import harness

PORT = 60443


class Network:
    """Where replay sends from and capture listens. Removes what it made."""

    def __init__(self):
        self.names = [f"eciscope-{os.getpid()}-{end}" for end in "ab"]
        self.made = []
        try:
            self.make()
        except (OSError, subprocess.CalledProcessError) as error:
            self.close()
            self.names = None
            self.why = str(error)
            with socket.socket(socket.AF_PACKET, socket.SOCK_RAW):  # PermissionError: nothing can be captured here
                pass
        self.interface = "veth" if self.names else "lo"
        self.address = "10.99.0.2" if self.names else "127.0.0.1"

    def make(self):
        for name in self.names:
            self.ip("netns", "add", name)
            self.made.append(name)
        self.ip("link", "add", "veth", "netns", self.names[0], "type", "veth", "peer", "name", "veth", "netns", self.names[1])
        for number, name in enumerate(self.names, 1):
            self.ip("-n", name, "address", "add", f"10.99.0.{number}/24", "dev", "veth")
            self.ip("-n", name, "link", "set", "veth", "up", "mtu", "9000")
        # Before an address is resolved, the system drops most of what is sent to it.
        link = json.loads(self.ip("-n", self.names[1], "-json", "link", "show", "veth"))[0]["address"]
        self.ip("-n", self.names[0], "neighbour", "replace", "10.99.0.2", "lladdr", link, "dev", "veth")

    @staticmethod
    def ip(*arguments):
        return subprocess.run(["ip", *arguments], check=True, capture_output=True).stdout

    def at(self, end, *command):
        """The command as it runs at one end: 0 sends, 1 captures."""
        return ["ip", "netns", "exec", self.names[end], *map(str, command)] if self.names else [*map(str, command)]

    def close(self):
        for name in self.made:
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)
        self.made = []


class Capture:
    """A running capture."""

    def __init__(self, test, network, out, *arguments, **options):
        self.test, self.out = test, out
        first = out.with_name(f"{out.stem}-00001{out.suffix}") if any("rotate" in str(a) for a in arguments) else out
        first.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            network.at(1, harness.PROGRAM, "capture", "-i", network.interface, "-o", out, *arguments),
            stderr=subprocess.PIPE,
            **options,
        )
        test.addCleanup(self.close)
        deadline = time.monotonic() + 30
        while not (first.exists() and first.stat().st_size >= 24) and self.process.poll() is None:
            test.assertLess(time.monotonic(), deadline, "the capture did not begin")
            time.sleep(0.01)

    def end(self, number=signal.SIGINT, expect=harness.FINE):
        if number is not None:
            self.process.send_signal(number)
        said = self.process.communicate(timeout=60)[1].decode()
        self.test.assertEqual(self.process.returncode, expect, said)
        return said

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def number_of(text, pattern):
    return int(re.search(pattern, text)[1].replace(",", ""))


def records_of(path):
    """Headers of the records in a captured pcap, read without eciscope: (stream, sequence number)."""
    data = path.read_bytes()
    records, position = records_of_bytes(data), 24
    while position < len(data):
        position += 16 + struct.unpack_from("<I", data, position + 8)[0]
    assert position == len(data), "ends with a whole packet"
    return records


def records_of_bytes(data):
    """The same of as much of a pcap as is there."""
    assert data[:4] == b"\x4d\x3c\xb2\xa1", "nanoseconds, little-endian"
    position, records = 24, []
    while position + 16 <= len(data):
        length, original = struct.unpack_from("<II", data, position + 8)
        if position + 16 + length > len(data):
            break
        assert length == original
        record = data[position + 16 + 42 : position + 16 + length]
        assert record[:4] == b"ECIB" and struct.unpack_from(">H", data, position + 16 + 36)[0] == PORT
        records.append(((record[6], record[5] & 1), struct.unpack_from("<I", record, 8)[0]))
        position += 16 + length
    return records


class Live(harness.EndToEnd):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.network = None
        try:
            cls.network = Network()
        except PermissionError:
            return
        if not cls.network.names:
            print(f"no namespaces here ({cls.network.why})")
            cls.network = None  # loopback is shared with whatever else runs, so that nothing could be counted on it

    @classmethod
    def tearDownClass(cls):
        if cls.network:
            cls.network.close()
        super().tearDownClass()

    def setUp(self):
        super().setUp()
        if self.network is None:
            self.skipTest("NOTHING LIVE IS TESTED: no network namespaces here, or no right to capture")
        self.small = self.data("small.pcap")

    def capture(self, *arguments, name="live.pcap", **options):
        return Capture(self, self.network, self.folder / name, *arguments, **options)

    def replay(self, file, *arguments, expect=harness.FINE):
        command = [harness.PROGRAM, "replay", file, "--to", f"{self.network.address}:{PORT}", *arguments]
        process = subprocess.run(self.network.at(0, *command), capture_output=True, timeout=60, check=False)
        said = process.stderr.decode()
        self.assertEqual(process.returncode, expect, said)
        self.assertIn("sums agree", said)
        return said

    def messages_of(self, *files, expect=harness.FINE):
        lines = self.eciscope("decode", *files, "--to", "ndjson", expect=expect).stdout.splitlines()
        return [line for line in lines if b'"type":"message"' in line]

    def long_capture(self, times=15):
        path = self.folder / "long.pcap"
        path.write_bytes(harness.repeated(self.small.read_bytes(), times))
        return path

    # what comes, comes whole

    def test_a_replayed_capture_is_captured_without_loss(self):
        capture = self.capture("--decode", self.folder / "live.ewf")
        sent = number_of(self.replay(self.small, "--speed", "max"), r"sent ([\d,]+) datagrams")
        said = capture.end()
        self.assertIn("sums agree", said)
        self.assertEqual(number_of(said, r"frames taken ([\d,]+)"), sent)
        self.assertEqual(number_of(said, r"= ([\d,]+) records"), sent)
        self.assertEqual(len(records_of(capture.out)), sent)
        self.assertEqual(re.findall(r"records missing (\d+)", said), ["0"] * said.count("  link "))
        self.assertEqual(self.messages_of(capture.out), self.messages_of(self.small))
        whole = self.written("decode", capture.out)
        self.assertEqual((self.folder / "live.ewf").read_bytes(), whole, "decoded live and later is the same")

    def test_every_lost_record_is_counted(self):
        long = self.long_capture(10)
        capture = self.capture()
        bad = ["--loss", "0.05", "--reorder", "0.05", "--duplicate", "0.05", "--seed", "3"]
        replayed = self.replay(long, "--speed", "max", *bad)
        said = capture.end()
        for pattern in (r"- ([\d,]+) lost", r"\+ ([\d,]+) sent twice", r"; ([\d,]+) sent behind"):
            self.assertGreater(number_of(replayed, pattern), 5)
        seen = collections.defaultdict(list)
        for stream, sequence in records_of(capture.out):
            seen[stream].append(sequence)
        shown = {}
        pattern = r"link (\d), node (\d) .*?: ([\d,]+) records.*missing ([\d,]+), late ([\d,]+), again ([\d,]+)"
        for link, node, *counts in re.findall(pattern, said):
            shown[int(link), int(node)] = tuple(int(count.replace(",", "")) for count in counts)
        self.assertEqual(shown.keys(), seen.keys())
        for stream, numbers in seen.items():
            missing = max(numbers) - min(numbers) + 1 - len(set(numbers))
            again = len(numbers) - len(set(numbers))
            self.assertEqual(shown[stream][0], len(numbers))
            self.assertEqual(shown[stream][1], missing, stream)
            self.assertEqual(shown[stream][3], again, stream)
        total = sum(len(numbers) for numbers in seen.values())
        self.assertEqual(total, number_of(replayed, r"sent ([\d,]+) datagrams"))
        again = self.replay(long, "--speed", "max", *bad)
        self.assertEqual(again.split("\n")[1], replayed.split("\n")[1], "the same seed, the same mishaps")

    def test_a_replay_keeps_the_time_between_records(self):
        began = time.monotonic()
        self.replay(self.small, "--speed", "0.0001")  # 108 µs take 1.08 s
        self.assertGreater(time.monotonic() - began, 1.0)

    def test_decoding_reads_behind_rotated_files(self):
        long = self.long_capture(6)
        ewf = self.folder / "live.ewf"
        capture = self.capture("--decode", ewf, "--rotate-size", "50k")
        sent = number_of(self.replay(long, "--speed", "max"), r"sent ([\d,]+) datagrams")
        said = capture.end()
        self.assertEqual(number_of(said, r"= ([\d,]+) written"), sent)
        files = sorted(self.folder.glob("live-*.pcap"))
        self.assertGreater(len(files), 20)
        self.assertEqual(self.messages_of(ewf), self.messages_of(*files))
        self.assertEqual(self.messages_of(ewf), self.messages_of(long))

    def test_what_a_ring_deletes_before_it_is_decoded_is_counted(self):
        """The decoder is held up: its output is a pipe that nobody reads."""
        fifo = self.folder / "fifo.ndjson"
        os.mkfifo(fifo)
        reading = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        capture = self.capture("--decode", fifo, "--rotate-size", "100k", "--ring", "3")
        sent = number_of(self.replay(self.long_capture(40), "--speed", "max"), r"sent ([\d,]+) datagrams")
        capture.process.send_signal(signal.SIGINT)
        os.set_blocking(reading, True)
        with os.fdopen(reading, "rb") as pipe:
            lines = pipe.read().splitlines()
        said = capture.end(None)
        self.assertEqual(number_of(said, r"frames taken ([\d,]+)"), sent, "the capture never waited")
        missed = number_of(said, r"([\d,]+) frames were captured and not decoded")
        self.assertGreater(missed, sent // 2)
        self.assertEqual(len(list(self.folder.glob("live-*.pcap"))), 3)
        self.assertTrue(any(b'"type":"lost"' in line or b'"type":"restarted"' in line for line in lines))

    # in Wireshark

    def live_extcap(self, fifo, *command, program=harness.PROGRAM):
        """The extcap program as Wireshark runs it, at the capturing end."""
        script = harness.SOURCE / "wireshark-plugin" / "extcap" / "eciscope.sh"
        arguments = ["--capture", "--extcap-interface", "eci-live", "--fifo", fifo, "--nic", "veth"]
        process = subprocess.Popen(
            self.network.at(1, *command, script, *arguments, "--kernel-buffer=16"),
            env={**os.environ, "ECISCOPE": str(program)},
            stderr=subprocess.PIPE,
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def for_a_user(self):
        """A copy of the program that an ordinary user may capture with, and how to become one."""
        self.folder.chmod(0o755)
        program = self.folder / "eciscope"
        program.write_bytes(pathlib.Path(harness.PROGRAM).read_bytes())
        program.chmod(0o755)
        if subprocess.run(["setcap", "cap_net_raw+ep", program], capture_output=True, check=False).returncode != 0:
            self.skipTest("no right to give a file a capability")
        return program, ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    def test_the_live_interposer_is_an_interface_of_wireshark(self):
        program, user = self.for_a_user()
        folder = self.folder
        fifo = folder / "fifo"
        os.mkfifo(fifo)
        fifo.chmod(0o666)
        extcap = self.live_extcap(fifo, *user, program=program)
        received = folder / "received.pcap"
        with fifo.open("rb") as pipe, received.open("wb") as out:
            out.write(pipe.read(24))
            out.flush()
            sent = number_of(self.replay(self.small, "--speed", "max"), r"sent ([\d,]+) datagrams")
            while len(records_of_bytes(received.read_bytes())) < sent:
                out.write(os.read(pipe.fileno(), 1 << 20))
                out.flush()
            extcap.send_signal(signal.SIGTERM)  # as Wireshark's button "stop" does
            self.assertEqual(pipe.read(), b"")
        self.assertEqual(extcap.wait(timeout=30), harness.FINE)
        self.assertEqual(self.messages_of(received), self.messages_of(self.small))

    def test_wireshark_that_is_closed_ends_the_capture(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        extcap = self.live_extcap(fifo)
        with fifo.open("rb") as pipe:
            pipe.read(24)
        self.replay(self.small, "--speed", "max")
        self.assertEqual(extcap.wait(timeout=30), harness.FINE, extcap.stderr.read())

    def test_tshark_captures_from_the_live_interposer(self):
        if subprocess.run(["which", "tshark"], capture_output=True, check=False).returncode != 0:
            self.skipTest("tshark is not installed")
        program, user = self.for_a_user()  # started by root, tshark takes no extcap from elsewhere
        home = self.folder / "home"
        (home / "extcap").mkdir(parents=True)
        script = home / "extcap" / "eciscope"
        script.write_bytes((harness.SOURCE / "wireshark-plugin" / "extcap" / "eciscope.sh").read_bytes())
        script.chmod(0o755)
        os.chown(home, 65534, 65534)
        environment = {
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": str(home),
            "ECISCOPE": str(program),
            "WIRESHARK_EXTCAP_DIR": str(home / "extcap"),
        }

        def tshark(*arguments):
            command = self.network.at(1, *user, "tshark", *arguments)
            return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        self.assertIn(b"ECI: live interposer", tshark("-D").communicate(timeout=30)[0])
        out = home / "shark.pcapng"
        shark = tshark("-i", "eci-live", "-o", "extcap.eci_live.nic:veth", "-w", out, "-c", "78")
        self.addCleanup(shark.communicate)
        self.addCleanup(shark.kill)
        deadline = time.monotonic() + 30
        while not (out.exists() and out.stat().st_size > 0):
            self.assertLess(time.monotonic(), deadline, "tshark did not begin")
            time.sleep(0.1)
        time.sleep(1)
        self.replay(self.small, "--speed", "max")
        self.assertEqual(shark.wait(timeout=30), 0, shark.stderr.read())
        self.assertEqual(self.messages_of(out), self.messages_of(self.small))

    # every end is an orderly one

    def test_a_stop_in_the_middle_leaves_readable_files(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            ewf = self.folder / "live.ewf"
            capture = self.capture("--decode", ewf)
            sender = subprocess.Popen(
                self.network.at(0, harness.PROGRAM, "replay", self.long_capture(), "--to", self.network.address)
                + ["--speed", "0.0005", "-q"]
            )
            time.sleep(0.4)
            said = capture.end(number)
            sender.kill()
            sender.wait()
            self.assertIn("sums agree", said)
            self.assertIn("ended by a signal", said)
            taken = len(records_of(capture.out))
            self.assertGreater(taken, 10)
            self.assertEqual(number_of(said, r"frames taken ([\d,]+)"), taken)
            self.assertIn("its digest agrees", self.eciscope("doctor", ewf).stdout.decode())
            self.assertEqual(self.messages_of(ewf), self.messages_of(capture.out))

    def test_stop_conditions(self):
        long = self.long_capture(4)
        for condition, what in ((["--count", "100"], "100 records"), (["--size", "200k"], "200 kB")):
            capture = self.capture(*condition)
            self.replay(long, "--speed", "max")
            self.assertIn(f"ended by {what}", capture.end(None))
            records = records_of(capture.out)
            if "--count" in condition:
                self.assertEqual(len(records), 100)
            else:
                self.assertTrue(200_000 <= capture.out.stat().st_size < 210_000)
        capture = self.capture("--duration", "300ms")
        self.assertIn("ended by the time given", capture.end(None))
        self.assertEqual(records_of(capture.out), [])
        self.assertEqual(self.messages_of(capture.out), [])

    def test_a_trigger_ends_it(self):
        long = self.long_capture()
        message = json.loads(self.messages_of(self.small)[0])
        for trigger in (["--until-op", message["op"]], ["--until-op", message["op"], "--post", "200ms"]):
            capture = self.capture(*trigger)
            self.replay(long, "--speed", "max")
            self.assertIn(f"ended by the trigger: {message['op']} at 17", capture.end(None))
            self.assertTrue(records_of(capture.out))

    def test_a_violation_ends_it(self):
        edited = self.folder / "edited.pcap"
        edited.write_bytes(harness.repeated(self.data("races-edited.pcap").read_bytes(), 3))
        capture = self.capture("--until-violation")
        self.replay(edited, "--speed", "max")
        self.assertIn("ended by the trigger: a violation of ", capture.end(None))

    # files

    def test_rotation_loses_nothing_and_a_ring_keeps_the_last(self):
        long = self.long_capture(4)
        for ring in (None, 3):
            folder = self.folder / f"ring{ring}"
            folder.mkdir()
            more = [] if ring is None else ["--ring", str(ring)]
            capture = Capture(self, self.network, folder / "live.pcap", "--rotate-size", "100k", *more)
            sent = number_of(self.replay(long, "--speed", "max"), r"sent ([\d,]+) datagrams")
            self.assertEqual(number_of(capture.end(), r"= ([\d,]+) written"), sent)
            files = sorted(folder.iterdir())
            self.assertTrue(all(file.stat().st_size <= 100_000 for file in files))
            self.assertEqual(files[-1].name, f"live-{len(files) if ring is None else self.last:05}.pcap")
            if ring is None:
                self.last = len(files)
                self.assertGreater(self.last, 10)
                self.assertEqual(sum(len(records_of(file)) for file in files), sent)
                self.assertEqual(self.messages_of(*files), self.messages_of(long))
            else:
                self.assertEqual(len(files), ring)
                self.assertGreater(len(self.messages_of(*files)), 100)

    def test_rotation_by_time(self):
        capture = self.capture("--rotate-time", "150ms")
        self.replay(self.small, "--speed", "0.0002")
        capture.end()
        files = sorted(self.folder.glob("live-*.pcap"))
        self.assertIn(len(files), (3, 4))
        self.assertEqual(self.messages_of(*files), self.messages_of(self.small))

    def test_a_full_disk_leaves_whole_frames(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

        capture = self.capture(preexec_fn=small_files, restore_signals=False)
        self.replay(self.long_capture(4), "--speed", "max")
        said = capture.end(None, harness.DAMAGED)
        self.assertIn("cannot write on to", said)
        self.assertIn("sums agree", said)
        records = records_of(capture.out)
        self.assertGreater(len(records), 15)
        self.assertLessEqual(capture.out.stat().st_size, 150_000)
        self.assertEqual(number_of(said, r"= ([\d,]+) written"), len(records))

    def test_an_interface_that_goes_down_leaves_whole_frames(self):
        if not self.network.names:
            self.skipTest("loopback is not taken down")
        capture = self.capture()
        self.replay(self.small, "--speed", "max")
        self.network.ip("-n", self.network.names[1], "link", "set", "veth", "down")
        try:
            said = capture.end(None, harness.DAMAGED)
        finally:
            self.network.ip("-n", self.network.names[1], "link", "set", "veth", "up")
        self.assertIn("veth", said)
        self.assertEqual(self.messages_of(capture.out), self.messages_of(self.small))
        link = json.loads(self.network.ip("-n", self.network.names[1], "-json", "link", "show", "veth"))[0]["address"]
        self.network.ip(
            "-n", self.network.names[0], "neighbour", "replace", self.network.address, "lladdr", link, "dev", "veth"
        )

    def test_a_pipe_takes_it_as_well(self):
        decoded = self.folder / "piped.ndjson"
        reader = subprocess.Popen(
            [harness.PROGRAM, "decode", "-", "-o", decoded, "-q"], stdin=subprocess.PIPE
        )
        command = self.network.at(1, harness.PROGRAM, "capture", "-i", self.network.interface, "-o", "-", "--count", "78")
        capture = subprocess.Popen(command, stdout=reader.stdin, stderr=subprocess.PIPE)
        reader.stdin.close()
        time.sleep(1)
        self.replay(self.small, "--speed", "max")
        said = capture.communicate(timeout=60)[1].decode()
        self.assertEqual(capture.returncode, harness.FINE, said)
        self.assertEqual(reader.wait(timeout=60), harness.FINE)
        self.assertEqual(len([x for x in decoded.read_bytes().splitlines() if b'"message"' in x]), 2000)

    # wrong usage

    def test_wrong_usage(self):
        out = self.folder / "x.pcap"
        said = self.eciscope("capture", "-i", "nowhere0", "-o", out, expect=harness.DAMAGED).stderr.decode()
        self.assertIn("There are: ", said)
        self.assertFalse(out.exists())
        for wrong in (["--ring", "3"], ["--duration", "soon"], ["--post", "1s"], ["--until-line", "x"]):
            self.eciscope("capture", "-i", "lo", "-o", out, *wrong, expect=harness.USAGE)
        for wrong in (["--speed", "0"], ["--speed", "fast"], ["--loss", "2"]):
            self.eciscope("replay", self.small, "--to", "127.0.0.1:9", *wrong, expect=harness.USAGE)
        text = pathlib.Path(__file__)
        self.eciscope("replay", text, "--to", "127.0.0.1:9", expect=harness.DAMAGED)


if __name__ == "__main__":
    harness.main()
