"""Every command of the tutorials does what stands there.

A block ```console has commands after `$ ` and below each what it prints; a line `…` stands for any lines.
"""

import os
import pathlib
import re
import subprocess
import unittest

import harness

TUTORIALS = ["docs/tutorial-hang.md"]


def commands(path):
    text = (harness.SOURCE / path).read_text()
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


class Tutorials(harness.EndToEnd):
    def test_commands(self):
        tree = self.folder
        (tree / "demo").symlink_to(harness.SOURCE / "demo")
        program = str(pathlib.Path(harness.PROGRAM).resolve().parent)
        environment = dict(os.environ, PATH=program + ":" + os.environ["PATH"], LC_ALL="C.UTF-8", COLUMNS="80")
        for tutorial in TUTORIALS:
            found = list(commands(tutorial))
            self.assertTrue(found, tutorial)
            for command, wanted in found:
                with self.subTest(command):
                    process = subprocess.run(
                        ["bash", "-c", command], cwd=tree, env=environment, capture_output=True, text=True, check=False
                    )
                    pieces = [re.escape(piece) for piece in re.split(r"^…\n", wanted, flags=re.MULTILINE)]
                    self.assertRegex(process.stdout, re.compile("^" + "(?:.*\n)*?".join(pieces) + "$"))
                    self.assertEqual(process.stderr, "")


if __name__ == "__main__":
    unittest.main()
