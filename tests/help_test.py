"""Help, manual pages and completions tell of every command and option, and their examples work."""

import re
import shutil
import subprocess

import harness

COMMANDS = ["decode", "convert", "info", "cut", "merge", "recover", "wireshark", "view", "doctor", "capture", "replay", "completion"]


class Help(harness.EndToEnd):
    def help_of(self, *command):
        return self.eciscope(*command, "--help").stdout.decode()

    def options_of(self, command):
        options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", self.help_of(command).split("Examples:")[0]))
        self.assertIn("--help", options)
        return options

    def test_every_command_is_listed_and_shows_examples(self):
        listed = self.help_of()
        for command in COMMANDS:
            self.assertRegex(listed, rf"(?m)^  {command} ")
            self.assertIn(f"  eciscope {command}", self.help_of(command).split("Examples:")[1])

    def test_the_version(self):
        self.assertRegex(self.eciscope("--version").stdout, rb"^eciscope \d+\.\d+\.\d+\n$")

    def test_manual_pages_tell_of_every_option(self):
        for command in COMMANDS:
            page = self.eciscope("manual", command).stdout.decode().replace("\\-", "-")
            for option in self.options_of(command):
                self.assertIn(f"\\fB{option}\\fR", page, command)
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS"):
                self.assertIn(f".SH {section}\n", page)
        whole = self.eciscope("manual").stdout.decode().replace("\\-", "-")
        for command in COMMANDS:
            self.assertIn(f"eciscope {command}", whole)

    def test_manual_pages_are_good_roff(self):
        if not shutil.which("man"):
            self.skipTest("man is not installed")
        for command in ["", *COMMANDS]:
            page = self.folder / "page.1"
            page.write_bytes(self.eciscope("manual", *([command] if command else [])).stdout)
            shown = subprocess.run(
                ["man", "--warnings=all", "-l", str(page)],
                capture_output=True,
                check=True,
                env={"PATH": "/usr/bin:/bin", "MANPAGER": "cat", "LC_ALL": "C.UTF-8", "MANWIDTH": "100"},
            )
            self.assertEqual(shown.stderr, b"", command)
            self.assertIn(b"EXIT STATUS", shown.stdout)

    def test_completions_tell_of_every_command_and_option(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.eciscope("completion", shell).stdout.decode()
            for command in COMMANDS:
                self.assertIn(command, script)
                for option in self.options_of(command):
                    wanted = option if shell != "fish" else f"-l {option[2:]}"
                    self.assertIn(wanted, script, shell)

    def test_completions_are_sound_scripts(self):
        for shell, check in (("bash", ["bash", "-n"]), ("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])):
            if shutil.which(check[0]):
                script = self.folder / shell
                script.write_bytes(self.eciscope("completion", shell).stdout)
                subprocess.run([*check, str(script)], check=True)

    def bash_completes(self, *words):
        script = self.folder / "completion.bash"
        script.write_bytes(self.eciscope("completion", "bash").stdout)
        line = " ".join(f"'{word}'" for word in words)
        program = (
            f"source {script}; COMP_WORDS=(eciscope {line}); COMP_CWORD={len(words)}; _eciscope;"
            ' printf "%s\\n" "${COMPREPLY[@]}"'
        )
        process = subprocess.run(["bash", "-c", program], capture_output=True, check=True, cwd=self.folder)
        return process.stdout.decode().split()

    def test_bash_completes(self):
        self.assertEqual(self.bash_completes("de"), ["decode"])
        self.assertEqual(self.bash_completes("decode", "--to", "pr"), ["protobuf"])
        self.assertEqual(self.bash_completes("cut", "--op", "RLDX"), ["RLDX"])
        self.assertEqual(self.bash_completes("decode", "--no-p"), ["--no-progress"])
        self.assertEqual(self.bash_completes("completion", "z"), ["zsh"])
        (self.folder / "boot.pcap").touch()
        self.assertEqual(self.bash_completes("decode", "boo"), ["boot.pcap"])
        self.assertEqual(self.bash_completes("decode", "-o", "boo"), ["boot.pcap"])


if __name__ == "__main__":
    harness.main()
