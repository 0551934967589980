#!/usr/bin/python3
"""Tests counts.py on small files and profiles."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import counts  # noqa: E402
from counts import Row  # noqa: E402

# As callgrind writes it: names are numbered where they first occur, also those of callees; a line after `calls=` is the cost of the
# callee, which its own lines have too; positions are absolute or relative, and a cost may be missing.
PROFILE = """\
version: 1
cmd: /build/tally_counts retrieve 512
positions: line
events: Ir

ob=(1) /build/tally_counts
fl=(1) ???
fn=(1) tally::Client::retrieve
0 100
cob=(2) /lib/libc.so.6
cfn=(2) malloc
calls=7 0
0 5000
+3 20
*
cfn=(3) tally::read
calls=1 0
* 300

fn=(3)
-3 300

ob=(2)
fn=(2)
0 4000
cob=(1)
cfn=(3)
calls=1 0
0 1000

ob=(1)
fn=(4) tally::compare
0 7

totals: 5427
"""


class CountsTest(unittest.TestCase):
    def setUp(self):
        self.old = {"report": Row(1000, 20), "retrieve": Row(500, 10, "reads the header")}

    def changed(self, **rows):
        return {**self.old, **rows}

    def test_counts_only_the_instructions_of_the_program_itself(self):
        self.assertEqual(counts.own_instructions(PROFILE, "/build/tally_counts"), 100 + 20 + 300 + 7)
        self.assertEqual(counts.own_instructions(PROFILE, "/lib/libc.so.6"), 4000)

    def test_accepts_its_own_output(self):
        self.assertEqual(counts.parse(counts.written(self.old, "g++ 12")), self.old)
        self.assertEqual(list(counts.problems(self.old, self.old)), [])

    def test_accepts_growth_of_two_percent(self):
        self.assertEqual(list(counts.problems(self.old, self.changed(report=Row(1020, 20.4)))), [])

    def test_names_the_row_whose_instructions_grow(self):
        self.assertEqual(list(counts.problems(self.old, self.changed(report=Row(1021, 20)))), ["report: instructions grew from 1000 to 1021 (+2.1%)"])

    def test_names_the_row_whose_allocations_grow(self):
        self.assertEqual(list(counts.problems(self.old, self.changed(report=Row(900, 21)))), ["report: allocations grew from 20.00 to 21.00 (+5.0%)"])

    def test_reports_growth_from_zero(self):
        self.assertEqual(list(counts.problems({"idle": Row(10, 0)}, {"idle": Row(10, 0.01)})), ["idle: allocations grew from 0.00 to 0.01"])

    def test_lists_rows_that_shrink_but_accepts_them(self):
        new = self.changed(retrieve=Row(480, 10))
        self.assertEqual(list(counts.problems(self.old, new)), [])
        self.assertEqual(counts.shrunk(self.old, new), ["retrieve"])
        self.assertEqual(counts.shrunk(self.old, self.changed(retrieve=Row(495, 10))), [])

    def test_refuses_a_path_that_the_file_lacks(self):
        self.assertEqual(list(counts.problems(self.old, self.changed(retry=Row(1, 1)))), ["retry is missing from the file"])

    def test_refuses_a_path_that_is_not_measured(self):
        found = list(counts.problems(self.old, {"retrieve": self.old["retrieve"]}))
        self.assertEqual(found, ["report is in the file, but no such path is measured"])

    def test_shows_each_path_in_the_table(self):
        lines = counts.table(self.old, {"report": Row(1100, 20), "retry": Row(3, 4)}).splitlines()
        self.assertRegex(lines[2], r"^report +1000 +1100 +1.100 +20.00 +20.00 +1.000$")
        self.assertRegex(lines[3], r"^retry +- +3.00 +- +- +4.00 +-$")
        self.assertRegex(lines[4], r"^retrieve +500.00 +- +- +10.00 +- +-$")

    def test_requires_a_new_reason_for_rows_that_grew(self):
        after = {"report": Row(1100, 20), "retrieve": Row(600, 10, "reads the header")}
        self.assertEqual(counts.unexplained(self.old, after), ["report", "retrieve"])
        after = {"report": Row(1100, 20, "checks the id"), "retrieve": Row(600, 10, "checks the id")}
        self.assertEqual(counts.unexplained(self.old, after), [])

    def test_requires_no_reason_for_new_and_smaller_rows(self):
        self.assertEqual(counts.unexplained(self.old, {"report": Row(1000, 20), "retrieve": Row(1, 1), "retry": Row(1, 1)}), [])

    def test_keeps_rows_that_are_nearly_unchanged(self):
        self.assertEqual(counts.updated(self.old, {"report": Row(1019, 20), "retrieve": Row(491, 10)}, "checks the id"), self.old)

    def test_refuses_a_line_that_is_not_a_row(self):
        with self.assertRaisesRegex(SystemExit, "Not a path and two counts in counts.txt: <<<<<<< ours"):
            counts.parse("report 1 2\n<<<<<<< ours\n")

    def test_assigns_the_reason_to_the_rows_that_grew(self):
        new = {"report": Row(1100, 20), "retrieve": Row(480, 10), "retry": Row(3, 4)}
        expected = {"report": Row(1100, 20, "checks the id"), "retrieve": Row(480, 10, "reads the header"), "retry": Row(3, 4)}
        self.assertEqual(counts.updated(self.old, new, "checks the id"), expected)

    def test_finds_the_previous_version_of_the_file(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("counts.FILE", pathlib.Path(folder) / "counts.txt"):
            self.assertEqual(counts.version_before("first"), "")  # without a history
            git = ["git", "-C", folder, "-c", "user.name=tally", "-c", "user.email=tally@localhost"]
            subprocess.run([*git, "init", "--quiet"], check=True)
            for text in ("first", "second"):
                counts.FILE.write_text(text)
                subprocess.run([*git, "add", "counts.txt"], check=True)
                subprocess.run([*git, "commit", "--quiet", "--message", text], check=True)
            subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message", "another change"], check=True)
            self.assertEqual(counts.version_before("second"), "first")
            self.assertEqual(counts.version_before("third"), "second")


if __name__ == "__main__":
    unittest.main()
