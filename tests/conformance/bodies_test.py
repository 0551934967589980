"""Every body that the conformance suite receives, judged by an independent validator of JSON Schema."""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: the package python3-jsonschema is not installed")
    sys.exit(77)

sys.path.append(str(pathlib.Path(__file__).parents[1] / "fake" / "server"))
from support.served_fake import ServedFake  # noqa: E402

SUITE, PROGRAM = sys.argv[1:3]
del sys.argv[1:3]

# Well below what the suite receives, since it must only rule out a run that sees next to nothing.
FEWEST_BODIES = 1_000


def document():
    with ServedFake(PROGRAM) as fake:
        return json.loads(fake.get("/_fake/openapi.json"))


class Description:
    """What the OpenAPI document says about responses."""

    def __init__(self):
        self.document = document()
        self.operations = {
            (method.upper(), path): operation
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
        }
        # Of two paths that match, the one with fewer parameters counts.
        paths = sorted(self.document["paths"], key=lambda path: path.count("{"))
        self.paths = [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in paths]
        self.validators = {}

    def names(self):
        return {operation["operationId"] for operation in self.operations.values()}

    def operation(self, method, url):
        """None if the description has no such path or method."""
        target = re.sub(r"^\w+://[^/]*", "", url).split("?")[0]
        path = next((path for pattern, path in self.paths if pattern.fullmatch(target)), None)
        return self.operations.get((method, path))

    def resolved(self, response):
        while "$ref" in response:
            response = self.document["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
        return response

    def validator(self, operation, status, content_type):
        """KeyError if the description gives this response no schema."""
        key = (operation and operation["operationId"], status, content_type)
        if key not in self.validators:
            self.validators[key] = self.made_validator(operation, status, content_type)
        return self.validators[key]

    def made_validator(self, operation, status, content_type):
        if operation is None:
            response = self.document["components"]["responses"]["error"]
        else:
            responses = operation["responses"]
            response = self.resolved(responses[str(status)] if str(status) in responses else responses["default"])
        schema = response["content"][content_type]["schema"]
        # References in it start at the root of the document. A field without description is an error too.
        schema = {**schema, "components": self.document["components"], "unevaluatedProperties": False}
        Draft202012Validator.check_schema(schema)
        return Draft202012Validator(schema)


def exchanges():
    """Runs the suite. Yields each distinct exchange once, except those that a fault may have changed."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "exchanges")
        subprocess.run(
            [SUITE, "--gtest_brief"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "TALLY_EXCHANGES": path}
        )
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in dict.fromkeys(file):
                exchange = json.loads(line)
                if not exchange["faulty"]:
                    yield exchange


class Bodies(unittest.TestCase):
    def test_match_the_description(self):
        description = Description()
        seen, succeeded, wrong = 0, set(), collections.Counter()
        for exchange in exchanges():
            seen += 1
            operation = description.operation(exchange["method"], exchange["url"])
            name = operation["operationId"] if operation else "no operation"
            if exchange["status"] == 200:
                succeeded.add(name)
            for problem in self.problems(description, operation, exchange):
                wrong[f"{name}, {exchange['status']}: {problem}"] += 1
        print(f"{seen} distinct exchanges, {len(succeeded)} operations, {len(description.validators)} schemas")
        self.assertFalse(wrong, "\n" + "\n".join(f"{count} times {where}" for where, count in wrong.items()))
        self.assertEqual(succeeded, description.names())
        self.assertGreater(seen, FEWEST_BODIES)

    def problems(self, description, operation, exchange):
        try:
            validator = description.validator(operation, exchange["status"], exchange["content_type"])
            body = json.loads(exchange["body"])
        except KeyError as missing:
            return [f"the description has no {missing}"]
        except ValueError as error:
            return [f"no JSON: {error}"]
        return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(body)]


if __name__ == "__main__":
    unittest.main()
