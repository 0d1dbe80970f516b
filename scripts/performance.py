#!/usr/bin/env python3
"""Runs the benchmarks of a build folder and prints docs/performance.md: every figure beside its yardstick."""

import gzip
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

# Program, what it measures, and the benchmark that the others are compared with.
PROGRAMS = [
    ("decode_bench", "Headers to plain structs, by the generated decoder and by one written by hand", "by_hand/boot"),
    ("pipeline_bench", "A capture in memory to messages, and each part of that way alone", "copy_of_file"),
    ("ewf_bench", "EWF written and read; bytes are those of the capture", "copy_of_words"),
    ("export_bench", "Messages to JSON, Protobuf and text, and JSON back", "yardstick_memcpy"),
    ("conformance_bench", "A stored trace of 20 M messages of 1.2 M lines against the state machines", "read_heads/real_time"),
]

UNITS = {"ns": 1, "us": 1e3, "ms": 1e6}


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def rate(run):
    if "bytes_per_second" in run:
        return f"{run['bytes_per_second'] / 1e6:,.0f} MB/s"
    return "–"


def items(run):
    if run.get("items_per_second", 0) > 0 and run["items_per_second"] < 1e5:
        return f"{run['items_per_second'] / 1e3:,.1f} k/s"
    if "items_per_second" in run:
        return f"{run['items_per_second'] / 1e6:,.1f} M/s"
    return "–"


def measure(program, words):
    command = [program, "--benchmark_format=json", "--benchmark_min_time=0.5"]
    environment = {**os.environ, "ECISCOPE_BENCH_WORDS": words}
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    return json.loads(output)["benchmarks"]


def print_sizes(runs, words):
    """EWF holds exact times and block numbers as well; the others are given the words alone."""
    stored = {run["name"]: run["stored"] for run in runs if "stored" in run}
    by_gzip = len(gzip.compress(pathlib.Path(words).read_bytes(), 6))
    rows = [("raw words", stored["copy_of_words"]), ("gzip -6 of the raw words", by_gzip)]
    rows += [(f"zstd -{name.split('/')[1]} of the raw words", size) for name, size in stored.items() if "/" in name]
    rows.append(("EWF, with exact times and block numbers", stored["write"]))
    print("## Sizes\n")
    print("Raw words are those of all messages, most significant byte first, without times.\n")
    print("| what | bytes | of gzip -6 |")
    print("|---|---|---|")
    for name, size in rows:
        print(f"| {name} | {size:,.0f} | {size / by_gzip:.2f} |")
    print()


def main():
    build = pathlib.Path(sys.argv[1])
    capture = os.environ.get("ECISCOPE_BENCH_CAPTURE", "demo/boot.pcap")
    print("# Performance\n")
    print(f"Made by `scripts/bench` on {processor()}, {os.cpu_count()} cores; release build. Times are of the processor, or of the")
    print("clock where a name says real_time, which is so where several threads work.")
    print(f"Capture: `{pathlib.Path(capture).name}`. The last column is the time of a line")
    print("over that of its yardstick in the same run.\n")
    words = tempfile.NamedTemporaryFile()
    for program, title, yardstick in PROGRAMS:
        runs = measure(build / "bench" / program, words.name)
        time = {run["name"]: run["real_time" if "real_time" in run["name"] else "cpu_time"] * UNITS[run["time_unit"]] for run in runs}
        base = time.get(yardstick)
        print(f"## {title} (`{program}`)\n")
        print("| benchmark | bytes | items | time to yardstick |")
        print("|---|---|---|---|")
        for run in runs:
            ratio = f"{time[run['name']] / base:.2f} ×" if base else "–"
            mark = " (yardstick)" if run["name"] == yardstick else ""
            print(f"| {run['name']}{mark} | {rate(run)} | {items(run)} | {ratio} |")
        print()
        if program == "ewf_bench":
            print_sizes(runs, words.name)


if __name__ == "__main__":
    main()
