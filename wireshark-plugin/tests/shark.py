"""What the plugin's tests have in common: tshark with the plugin, run as an ordinary user, and a reading of its JSON."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(SOURCE / "tests"))
import harness  # noqa: E402

PLUGIN = pathlib.Path(os.environ["ECISCOPE_WIRESHARK_PLUGIN"])
NOBODY = "65534"
IN_TREE = ["small.pcap", "crc-replay.pcap", "crc-where.pcap", "gap.pcap", "lossy.pcap", "udp.pcap"]


class WithShark(harness.EndToEnd):
    """tshark takes no plugins from a folder of the user's when it runs as root, so root steps down."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plugins = cls._folder / "plugins"
        into = cls.plugins / PLUGIN.parent.parent.name / "epan"
        into.mkdir(parents=True)
        shutil.copy(PLUGIN, into)
        cls.home = cls._folder / "home"
        cls.home.mkdir()
        if os.getuid() == 0:
            os.chown(cls.home, int(NOBODY), int(NOBODY))
        for path in [cls._folder, cls.plugins, into.parent, into, into / PLUGIN.name]:
            path.chmod(0o755)

    @classmethod
    def environment(cls, **more):
        return {
            "PATH": "/usr/bin:/bin",
            "HOME": str(cls.home),
            "LC_ALL": "C.UTF-8",
            "WIRESHARK_PLUGIN_DIR": str(cls.plugins),
            **more,
        }

    @classmethod
    def run_as_user(cls, *command, check=True, text=None, **more):
        step_down = []
        if os.getuid() == 0:
            step_down = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        done = subprocess.run(
            [*step_down, *map(str, command)], capture_output=True, env=cls.environment(**more), input=text, timeout=120
        )
        if check and done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}: {done.stderr.decode()}")
        return done

    @classmethod
    def tshark(cls, *arguments, **more):
        return cls.run_as_user("tshark", "-n", *arguments, **more)

    def capture(self, name):
        """A capture of the tree's, or with a path in its name of anywhere."""
        return SOURCE / "demo" / name if name == "boot.pcap" else self.data(name)

    @staticmethod
    def eciscope_in_any_case(*arguments):
        """eciscope's output, whether it found the input whole or damaged."""
        done = subprocess.run([harness.PROGRAM, *map(str, arguments)], capture_output=True, timeout=300, check=False)
        if done.returncode not in (harness.FINE, harness.DAMAGED):
            raise AssertionError(f"eciscope {arguments}: {done.stderr.decode()}")
        return done.stdout

    def readable(self, path):
        """A copy that the other user can read."""
        copy = self._folder / pathlib.Path(path).name
        if not copy.exists():
            shutil.copy(path, copy)
        copy.chmod(0o644)
        return copy

    def converted(self, path):
        """The same trace, a message a packet."""
        out = self._folder / (pathlib.Path(path).stem + ".messages.pcapng")
        if not out.exists():
            self.eciscope_in_any_case("convert", path, out)
        out.chmod(0o644)
        return out

    @classmethod
    def run_in_tree(cls, *command):
        """A tool that reads and writes files of ours."""
        subprocess.run([*map(str, command)], capture_output=True, check=True, timeout=60)

    def first_frames(self, path, count):
        part = self._folder / f"{path.stem}.first-{count}.pcapng"
        self.run_in_tree("editcap", "-r", path, part, f"1-{count}")
        part.chmod(0o644)
        return part

    def decoded(self, path):
        """What eciscope itself says: messages and events."""
        lines = self.eciscope_in_any_case("decode", path, "--to", "ndjson").splitlines()
        objects = [json.loads(line) for line in lines]
        return [o for o in objects if o["type"] == "message"], [
            o for o in objects if o["type"] not in ("message", "capture", "end")
        ]

    def frames(self, path, *arguments):
        """Frames of tshark's JSON; an object is a list of pairs, since keys come more than once."""
        out = self.tshark("-r", path, "-T", "json", *arguments).stdout
        return [Tree(frame)["_source"][0]["layers"][0] for frame in json.loads(out, object_pairs_hook=list)]


class Tree:
    """An object of tshark's JSON."""

    def __init__(self, pairs):
        self.pairs = [(key, Tree(value) if isinstance(value, list) else value) for key, value in pairs]

    def __getitem__(self, name):
        return [value for key, value in self.pairs if key == name]

    def leaves(self):
        for key, value in self.pairs:
            if isinstance(value, Tree):
                yield from value.leaves()
            else:
                yield key, value

    def fields(self):
        found = {}
        for key, value in self.leaves():
            found.setdefault(key, []).append(value)
        return found


def messages_of(frames):
    """Messages, each as its fields with the frame's number, in the order of the trace."""
    messages = []
    for number, frame in enumerate(frames, 1):
        for tree in frame["eci"]:
            if isinstance(tree, Tree) and tree["eci.index"]:
                messages.append({**tree.fields(), "frame": number})
    return sorted(messages, key=lambda message: int(message["eci.index"][0]))
