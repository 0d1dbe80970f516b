"""Reads an export as any other program would and compares it with the ground truth.

check_export.py ndjson|json|protobuf|schema FILE TRUTH SOURCE_DIR
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

import jsonschema

PS = 10**12
BASE = 1_700_000_000


def strict(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"duplicate key in {keys}"
    return dict(pairs)


def exact(text):
    number = int(text)
    assert abs(number) < 2**53, f"{text} does not survive a double"
    return number


def loads(text):
    return json.loads(text, object_pairs_hook=strict, parse_int=exact)


def picoseconds(text):
    sign = -1 if text.startswith("-") else 1
    seconds, fraction = text.lstrip("-").split(".")
    assert len(fraction) == 12
    return sign * (int(seconds) * PS + int(fraction))


def rows(truth):
    with open(truth, encoding="ascii") as file:
        for row in csv.DictReader(file):
            yield (int(row["t_first_ps"]), int(row["t_last_ps"]), int(row["from"]), int(row["link"]), int(row["vc"]),
                   [int(word, 16) for word in row["words"].split()])


def json_rows(objects):
    for each in objects:
        if each["type"] == "message":
            yield (picoseconds(each["time"]) - BASE * PS, picoseconds(each["time_last"]) - BASE * PS, each["from"],
                   each["link"], each["vc"], [int(word, 16) for word in each["words"]])


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def protobuf_rows(path, source):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["protoc", f"--python_out={folder}", f"-I{source}/ewf", f"{source}/ewf/message.proto"], check=True)
        sys.path.insert(0, folder)
        os.environ["PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"] = "python"
        import message_pb2
    with open(path, "rb") as file:
        data = file.read()
    at, kinds = 0, []
    while at < len(data):
        size, at = varint(data, at)
        record = message_pb2.Record.FromString(data[at:at + size])
        at += size
        kinds.append(record.WhichOneof("kind"))
        if kinds[-1] == "message":
            m = record.message
            assert m.index == kinds.count("message") - 1
            shown = {"RLDX": {"rreq_id", "dmask", "ns", "unknown_44", "fillo"}}.get(m.op)
            assert shown is None or {f.name for f in m.fields} <= shown, m
            yield m.time, m.time_last, getattr(m, "from"), m.link, m.vc, list(m.words)
        elif kinds[-1] == "header":
            assert record.header.base_seconds == BASE and record.header.clock == message_pb2.CLOCK_UNIX_TIME
    assert kinds[0] == "header" and kinds[-1] == "end"
    assert record.end.messages == kinds.count("message") and record.end.events == kinds.count("event")


def objects_of(how, path):
    with open(path, encoding="utf-8") as file:
        if how == "json":
            return loads(file.read())
        return [loads(line) for line in file]


def main():
    how, path, truth, source = sys.argv[1:]
    if how == "protobuf":
        found = list(protobuf_rows(path, source))
    else:
        objects = objects_of(how, path)
        with open(f"{source}/docs/trace.schema.json", encoding="utf-8") as file:
            schema = json.load(file)
        validator = jsonschema.Draft202012Validator(schema)
        validator.check_schema(schema)
        for each in objects:
            validator.validate(each)
        found = list(json_rows(objects))
        assert [each["index"] for each in objects if each["type"] == "message"] == list(range(len(found)))
        assert objects[0]["type"] == "capture" and objects[-1]["messages"] == len(found)
    if how == "schema":
        print(f"{len(found)} messages fit the schema")
        return
    for number, (a, b) in enumerate(zip(found, rows(truth), strict=True)):
        assert a == b, f"message {number}: {a} instead of {b}"
    print(f"{len(found)} messages agree")


main()
