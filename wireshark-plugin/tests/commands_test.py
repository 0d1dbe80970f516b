"""Ways into Wireshark: the command that starts it, the interface in its list, and the doctor."""

import shutil
import subprocess
import unittest

import shark
from shark import harness

PROFILE = shark.SOURCE / "wireshark-plugin" / "profile" / "ECI"
EXTCAP = shark.SOURCE / "wireshark-plugin" / "extcap" / "eciscope.sh"


class Commands(shark.WithShark):
    def test_wireshark_is_started_on_a_pipe(self):
        viewer = self.folder / "tshark-that-notes"
        viewer.write_text(f'#!/bin/sh\necho "$@" > {self.folder}/arguments\ncat > {self.folder}/seen.pcapng\n')
        viewer.chmod(0o755)
        capture = self.capture("small.pcap")
        self.eciscope("wireshark", capture, "--with", viewer, "--argument=-V", "-q")
        self.assertEqual((self.folder / "arguments").read_text(), "-i - -V\n")
        self.assertEqual((self.folder / "seen.pcapng").read_bytes(), self.converted(capture).read_bytes())

    def test_a_viewer_that_is_closed_early_is_no_fault(self):
        self.eciscope("wireshark", self.capture("boot.pcap"), "--with", "true", "-q")

    def test_a_viewer_that_is_missing(self):
        done = self.eciscope("wireshark", self.capture("small.pcap"), "--with", "no-such-viewer", expect=harness.DAMAGED)
        self.assertIn(b"cannot start no-such-viewer", done.stderr)

    def extcap(self, *arguments, **options):
        environment = {"ECISCOPE": harness.PROGRAM, "PATH": "/usr/bin:/bin"}
        return subprocess.run([EXTCAP, *map(str, arguments)], capture_output=True, env=environment, check=False, **options)

    def test_the_interface_replays_a_file(self):
        self.assertIn(b"{display=ECI: file}", self.extcap("--extcap-interfaces", "--extcap-version=4.0").stdout)
        self.assertIn(b"{number=148}", self.extcap("--extcap-dlts", "--extcap-interface", "eci-file").stdout)
        self.assertIn(b"{type=fileselect}", self.extcap("--extcap-config", "--extcap-interface=eci-file").stdout)
        capture = self.capture("small.pcap")
        out = self.folder / "fifo"
        done = self.extcap("--capture", "--extcap-interface", "eci-file", "--fifo", out, "--file", capture)
        self.assertEqual(done.returncode, harness.FINE, done.stderr)
        self.assertEqual(out.read_bytes(), self.converted(capture).read_bytes())
        self.assertIn(b"not said", self.extcap("--capture", "--fifo", out).stderr)

    def test_the_live_interface_has_its_options(self):
        self.assertIn(b"{display=ECI: live interposer}", self.extcap("--extcap-interfaces").stdout)
        self.assertIn(b"{number=1}{name=EN10MB}", self.extcap("--extcap-dlts", "--extcap-interface", "eci-live").stdout)
        options = self.extcap("--extcap-config", "--extcap-interface=eci-live").stdout
        self.assertIn(b"{call=--nic}", options)
        self.assertIn(b"value {arg=0}{value=lo}{display=lo}", options)
        out = self.folder / "fifo"
        live = ("--capture", "--extcap-interface", "eci-live", "--fifo", out)
        self.assertIn(b"not said", self.extcap(*live).stderr)
        self.assertIn(b"nowhere0", self.extcap(*live, "--nic", "nowhere0").stderr)

    def test_wireshark_lists_the_interface(self):
        folder = self._folder / "extcap"
        folder.mkdir()
        folder.chmod(0o755)
        (folder / "eciscope").write_bytes(EXTCAP.read_bytes())
        (folder / "eciscope").chmod(0o755)
        listed = self.run_as_user("tshark", "-D", check=False, WIRESHARK_EXTCAP_DIR=str(folder))
        self.assertIn(b"ECI: file", listed.stdout)

    def test_the_profile_s_columns_and_colours(self):
        profiles = self.home / ".config" / "wireshark" / "profiles"
        shutil.copytree(PROFILE, profiles / "ECI")
        path = self.converted(self.capture("small.pcap"))
        done = self.tshark("-C", "ECI", "-2", "-r", path, "-Y", 'eci.op == "RLDX"', "-c", "20")
        self.assertRegex(done.stdout.decode(), "7 RLDX 0x")
        self.assertEqual(done.stderr, b"")
        for line in (PROFILE / "colorfilters").read_text().splitlines():
            if line.startswith("@"):
                self.tshark("-r", path, "-c", "1", "-Y", line.split("@")[2])

    def doctor(self, **environment):
        command = [harness.PROGRAM, "doctor"]
        return subprocess.run(command, capture_output=True, check=True, env=environment).stdout.decode()

    def test_the_doctor_finds_the_plugin_or_says_what_is_wrong(self):
        home = self.folder
        path = {"PATH": "/usr/bin:/bin", "HOME": str(home)}
        wrong = home / ".local/lib/wireshark/plugins/3.6/epan"
        wrong.mkdir(parents=True)
        (wrong / "eciscope.so").write_bytes(b"")
        self.assertIn("not where Wireshark", self.doctor(**path))
        right = home / ".local/lib/wireshark/plugins" / shark.PLUGIN.parent.parent.name / "epan"
        right.mkdir(parents=True)
        (right / "eciscope.so").write_bytes(b"")
        self.assertRegex(self.doctor(**path), f"{right}/eciscope.so: (is loaded|Wireshark run as root takes no)")


if __name__ == "__main__":
    unittest.main()
