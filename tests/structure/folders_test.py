#!/usr/bin/python3
"""Tests that each rule of folders.py names what breaks it, on small trees."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("folders.py")
README = "| Folder |\n|---|\n| `low` |\n| `deep/low` |\n| `deep/high` |\n"


class Folders(unittest.TestCase):
    def problems(self, rule, files, *arguments):
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                file = pathlib.Path(root, name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            ended = subprocess.run([sys.executable, SCRIPT, rule, *arguments], cwd=root, text=True, capture_output=True)
        self.assertEqual(ended.stderr, "")
        self.assertEqual(ended.returncode, bool(ended.stdout.strip()))
        return ended.stdout.strip()

    def order(self, changes, *arguments):
        files = {
            "src/README.md": README,
            "src/low/a.h": "",
            "src/deep/low/b.h": '#include "low/a.h"\n',
            "src/deep/high/c.cpp": '#include "deep/low/b.h"\n#include "low/a.h"\n',
        }
        return self.problems("order", files | changes, "src", *arguments)

    def test_order_allows_includes_of_folders_listed_above(self):
        self.assertEqual(self.order({}), "")

    def test_order_reports_an_include_of_a_folder_listed_below(self):
        problem = self.order({"src/deep/low/d.cpp": '#include "deep/high/e.h"\n', "src/deep/high/e.h": ""})
        self.assertEqual(problem, 'deep/low/d.cpp includes "deep/high/e.h", but deep/high is not above deep/low')

    def test_order_reports_folders_without_a_row(self):
        self.assertEqual(self.order({"src/new/f.h": ""}), "new/f.h lies in new, which has no row in README.md")

    def test_order_reports_rows_without_a_folder(self):
        self.assertEqual(self.order({"src/README.md": README + "| `gone` |\n"}),
                         "README.md has a row for gone, which has no sources")

    def test_order_reports_includes_that_do_not_name_their_folder(self):
        changes = {"src/low/g.h": '#include "a.h"\n'}
        self.assertIn("without naming its folder", self.order(changes))
        self.assertEqual(self.order(changes | {"made/a.h": ""}, "--generated", "made"), "")

    def test_order_allows_only_the_named_folders_of_other_trees(self):
        changes = {"src/low/g.h": '#include "text/h.h"\n', "other/text/h.h": ""}
        self.assertIn("which is in no folder that it may include", self.order(changes))
        self.assertIn("which is in no folder that it may include", self.order(changes, "--below", "other:time"))
        self.assertEqual(self.order(changes, "--below", "other:time,text"), "")
        self.assertEqual(self.order(changes, "--below", "other"), "")

    def test_mirror_reports_tests_without_a_counterpart(self):
        files = {"src/low/a.cpp": "", "tests/low/a_test.cpp": "", "tests/support/b.h": ""}
        self.assertEqual(self.problems("mirror", files, "tests", "src", "--apart", "support"), "")
        self.assertEqual(self.problems("mirror", files, "tests", "src"), "support has no counterpart in src")
        files["tests/c_test.cpp"] = ""
        self.assertEqual(self.problems("mirror", files, "tests", "src", "--apart", "support"),
                         "c_test.cpp belongs in the folder of its subject")

    def test_size_reports_folders_with_too_many_sources(self):
        files = {f"src/low/{number}.h": "" for number in range(26)} | {"src/low/notes.md": ""}
        self.assertEqual(self.problems("size", files, "src"), "")
        files["src/low/26.cpp"] = ""
        self.assertEqual(self.problems("size", files, "src"), "src/low has 27 sources, more than 26: split it by subject")
        public = {f"src/include/tally/{number}.h": "" for number in range(27)}
        self.assertEqual(self.problems("size", public, "src"), "")

    def test_system_reports_system_headers_included_outside_their_folder(self):
        files = {"src/platform/a.cpp": "#include <sys/epoll.h>\n#include <unistd.h>\n", "src/low/b.h": "#include <map>\n#include <tally/c.h>\n"}
        self.assertEqual(self.problems("system", files, "src", "--only", "src/platform"), "")
        for header in ("sys/socket.h", "netinet/in.h", "unistd.h", "poll.h"):
            with self.subTest(header):
                files["src/low/b.h"] = f"#ifdef __linux__\n#  include <{header}>\n#endif\n"
                self.assertEqual(self.problems("system", files, "src", "--only", "src/platform"),
                                 f"src/low/b.h includes <{header}>, as only sources in src/platform may")

    def test_cycles_counts_a_header_and_its_source_as_one(self):
        files = {"src/low/a.h": "", "src/low/a.cpp": '#include "low/a.h"\n#include "low/b.h"\n', "src/low/b.h": "",
                 "src/low/b.cpp": '#include "low/b.h"\n'}
        self.assertEqual(self.problems("cycles", files, "src"), "")
        files["src/low/b.cpp"] += '#include "low/a.h"\n'
        self.assertEqual(self.problems("cycles", files, "src"), "include each other: src/low/a, src/low/b")

    def test_cycles_follows_chains_of_includes_through_public_headers(self):
        files = {"src/low/a.h": '#include "high/b.h"\n', "src/high/b.h": "#include <tally/c.h>\n",
                 "include/tally/c.h": "#include <tally/d.h>\n", "include/tally/d.h": ""}
        self.assertEqual(self.problems("cycles", files, "src", "include"), "")
        files["include/tally/d.h"] = "#include <tally/c.h>\n"
        self.assertEqual(self.problems("cycles", files, "src", "include"),
                         "include each other: include/tally/c, include/tally/d")
        files["include/tally/d.h"] = '#include "low/a.h"\n'
        self.assertEqual(self.problems("cycles", files, "src", "include"),
                         "include each other: include/tally/c, include/tally/d, src/high/b, src/low/a")


unittest.main()
