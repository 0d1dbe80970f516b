#!/usr/bin/env python3
"""Our explorer against rumur, a model checker written by others: both read the specification's machines, both must count the same states and
agree on whether something is wrong, for every profile and for specifications that were broken on purpose."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

MURPHIGEN = os.environ["MURPHIGEN"]
SAIL = pathlib.Path(os.environ["SAIL"])

# What is broken, the text in coherence.sail, what stands there instead, and the profile whose two verdicts are compared.
BROKEN = {
    "a remote that waits forgets the promise that its answer made": (
        "(R_IS, F21)    => remote_sends(R_IS_I, A11)",
        "(R_IS, F21)    => remote_sends(R_IS, A11)",
        "Read_only",
    ),
    "the home does not hold requests while the directory shows a copy": (
        "is_settled(h) & h.directory == Level_1 & not_bool(h.early_drop) & compatible(wanted, others)",
        "is_settled(h) & compatible(wanted, others)",
        "CPU_initiator",
    ),
    "a modified line is given up without its data": (
        "(R_M, Wish_give_up)     => remote_sends(R_I, V31d)",
        "(R_M, Wish_give_up)     => remote_sends(R_I, V31)",
        "CPU_initiator",
    ),
    "a home without memory writes what others may have read": (
        "= sub.home_remembers & h.directory == Level_1 & is_settled(h)",
        "= h.directory == Level_1 & is_settled(h)",
        "Stateless",
    ),
}


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    return done.returncode, done.stdout + done.stderr


def ours(specification, folder):
    """By profile: number of configurations, and the names of the checks that fail; the models lie in the folder."""
    code, output = run(MURPHIGEN, specification, "-o", folder)
    assert code == 0, output
    verdicts = {}
    for line in output.splitlines():
        head, *failed = line.split("; ")
        profile, count = head.split()
        verdicts[profile] = int(count), failed
    return verdicts


def rumurs(model):
    """The number of states, and whether an error was found."""
    assert shutil.which("rumur"), "rumur is missing; scripts/setup installs it"
    source, program = model.with_suffix(".c"), model.with_suffix(".out")
    code, output = run("rumur", "--quiet", "--threads", 1, "--output", source, model)
    assert code == 0, output
    code, output = run("cc", "-std=c11", "-w", "-mcx16", source, "-o", program, "-lpthread")
    assert code == 0, output
    code, output = run(program)
    return int(re.search(r"(\d+) states", output)[1]), code != 0 or "No error found" not in output, output


class Murphi(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def test_every_profile_has_as_many_states_and_no_error(self):
        verdicts = ours(SAIL / "rules.sail", self.path)
        self.assertEqual(len(verdicts), 6)
        for profile, (count, failed) in verdicts.items():
            with self.subTest(profile):
                states, found_error, output = rumurs(self.path / f"{profile}.m")
                print(f"{profile}: {count} configurations, rumur {states}", file=sys.stderr)
                self.assertEqual(failed, [])
                self.assertFalse(found_error, output)
                self.assertEqual(states, count)

    def test_both_find_what_was_broken(self):
        for name, (original, replacement, profile) in BROKEN.items():
            with self.subTest(name):
                copy = self.path / "sail"
                shutil.rmtree(copy, ignore_errors=True)
                copy.mkdir()
                for file in SAIL.glob("*.sail"):
                    shutil.copy(file, copy)
                text = (copy / "coherence.sail").read_text()
                self.assertEqual(text.count(original), 1, "the rule to break was not found")
                (copy / "coherence.sail").write_text(text.replace(original, replacement))
                _, failed = ours(copy / "rules.sail", self.path)[profile]
                _, found_error, output = rumurs(self.path / f"{profile}.m")
                print(f"{name}: {', '.join(failed)}", file=sys.stderr)
                self.assertNotEqual(failed, [])
                self.assertTrue(found_error, output)


if __name__ == "__main__":
    unittest.main()
