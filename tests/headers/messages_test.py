"""Compiles wrong programs and checks what a compiler says about them: the first error line, and how many lines there are.

Usage: messages_test.py COMPILER INCLUDE_FOLDER...
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HEADERS = """
#include <chrono>
#include <ctime>
#include <string>
#include <tally/async_client.h>
#include <tally/tally.h>
"""

PROGRAM = """
using Records = tally::PaymentRecordSearchFields;
using Intents = tally::PaymentIntentSearchFields;
const auto now = std::chrono::system_clock::now();
const tally::Id<tally::Payout> payout{"po_1"};
void wrong(const tally::Client& client, const tally::AsyncClient& async) {
  const auto records = client.paymentRecords();
  const auto asyncRecords = async.paymentRecords();
  const auto payouts = client.payouts();
  %s
}
"""

TIME = "tally: a number is not a time: n seconds since the Unix epoch are std::chrono::sys_seconds{std::chrono::seconds{n}}"
DURATION = "tally: a duration is not a time: a duration d since the Unix epoch is std::chrono::sys_time<decltype(d)>{d}"
CLOCK = "tally: a time is a std::chrono::sys_time, such as std::chrono::system_clock::now()"
METADATA = "tally: a metadata value is a string: for a number, use std::to_string()"
INTEGER = "tally: this parameter is an integer, and amounts are in the currency's smallest unit"
MIXED = "tally: a query joins conditions with either && or ||, not with both; make several searches"
OTHER_RESOURCE = "tally: the condition is on a field of a different resource from that of the search"
FIELDS_OF_TWO = "tally: the fields in one query must belong to one resource"
ORDER = "tally: the query language orders only numbers and times: use ==, != or contains()"
SEARCHED_TEXT = "tally: compare this field with a string"
SEARCHED_ID = "tally: compare this field with an identifier of its own resource, or with a string"
SEARCHED_VALUE = "tally: compare this field with an enumerator of its own type, or with a string"
FIELD_ALONE = "tally: a field alone is not a condition: compare it, for example with != std::nullopt"
PARTS = "tally: this field has parts: compare one of them, such as .value"
METADATA_KEY = 'tally: compare one key of metadata: metadata("order")'
NEEDS_OPTIONS = "tally: a client needs ClientOptions{.apiKey = ..., .baseUrl = ...}"
SEARCHED_INTEGER = "tally: compare this field with an integer"
SEARCHED_TIME = "tally: compare this field with a std::chrono::sys_time, such as std::chrono::sys_seconds{std::chrono::seconds{n}}"

# Statements; what the first error line says; and the most lines of messages with g++ and with clang. Where the two say
# different things, a pair. C++ offers no way to replace the messages that do not begin with "tally:".
WRONG = [
    # Parameters.
    ('(void)records.reportFailed("pr_1", {.failedAt = 1700000000});', TIME, 20, 30),
    ('(void)records.reportFailed("pr_1", {.failedAt = std::time(nullptr)});', TIME, 20, 30),
    ('(void)records.reportFailed("pr_1", {.failedAt = 1.5});', TIME, 20, 30),
    ('(void)records.reportFailed("pr_1", {.failedAt = now.time_since_epoch()});', DURATION, 20, 30),
    ('(void)records.reportFailed("pr_1", {.failedAt = std::chrono::milliseconds{1}});', DURATION, 20, 30),
    ('(void)records.reportFailed("pr_1", {.failedAt = now, .metadata = {{"order", 42}}});', METADATA, 14, 16),
    ('(void)records.reportFailed("pr_1", {.failedAt = now, .metadata = {{"order", nullptr}}});', METADATA, 14, 16),
    ('(void)records.reportFailed("pr_1", {.failedAt = now, .metadata = {{1, "42"}}});',
     "tally: a metadata key is a string", 14, 16),
    ('(void)payouts.create({.amount = 24.99, .currency = "eur"});', INTEGER, 20, 30),
    ('(void)asyncRecords.reportFailed("pr_1", {.failedAt = 1700000000});', TIME, 20, 30),
    ('(void)asyncRecords.reportFailed("pr_1", {.failedAt = now, .metadata = {{"order", 42}}});', METADATA, 14, 16),
    ('(void)async.payouts().create({.amount = 24.99, .currency = "eur"});', INTEGER, 20, 30),
    ('(void)tally::PaymentRecordReportFailedParams{.faildAt = now};',
     ("has no non-static data member named .faildAt.", "did you mean 'failedAt'"), 8, 10),
    ('(void)records.reportFailed("pr_1", {.faildAt = now});',
     ("cannot convert .* to .*PaymentRecordReportFailedParams", "did you mean 'failedAt'"), 14, 10),
    ('(void)records.reportFailed("pr_1", {.failedAt = std::chrono::steady_clock::now()});', CLOCK, 20, 30),
    ('(void)asyncRecords.reportFailed("pr_1", {.failedAt = std::chrono::steady_clock::now()});', CLOCK, 20, 30),
    # Identifiers and results.
    ("(void)records.retrieve(payout);",
     ("cannot convert .*tally::Id<tally::Payout>.* to .*tally::Id<tally::PaymentRecord>",
      "no viable conversion from '.*Id<tally::Payout>' to 'const Id<PaymentRecord>'"), 16, 36),
    ("(void)records.retrieve(nullptr);",
     ("use of deleted function .*Id.std::nullptr_t.", "attempt to use a deleted function"), 16, 12),
    ('(void)records.retrieve("pr_1").amountRequested;',
     ("Result<tally::PaymentRecord>.* has no member named .amountRequested",
      "no member named 'amountRequested' in 'tally::Result<tally::PaymentRecord>'; did you mean to use '->'"), 8, 8),
    ('records.retrieve("pr_1");', ("ignoring return value .*nodiscard", "ignoring return value .*nodiscard"), 16, 8),
    ('(void)records.retrieve("pr_1").error().what();',
     "tally: an Error has no what(): message() is its text, and toString() adds all details", 16, 20),
    # Clients.
    ('(void)tally::Client{tally::ApiKey{"sk_test_1"}};', NEEDS_OPTIONS, 16, 20),
    ('(void)tally::Client{"sk_test_1"};', NEEDS_OPTIONS, 16, 20),
    ('(void)tally::AsyncClient{tally::ApiKey{"sk_test_1"}};', NEEDS_OPTIONS, 16, 20),
    ('(void)tally::AsyncClient{std::string{"sk_test_1"}, {}};', NEEDS_OPTIONS, 16, 20),
    # Search queries.
    ('(void)records.search((Records::created > now && Records::description == "a") || Records::created < now);',
     MIXED, 16, 20),
    ('(void)records.search((Records::created > now || Records::description == "a") && Records::created < now);',
     MIXED, 16, 20),
    ('(void)records.search(Records::created > now && Intents::amount > 1);', FIELDS_OF_TWO, 26, 30),
    ('(void)records.search(Records::created > now || Intents::amount > 1);', FIELDS_OF_TWO, 26, 30),
    ("(void)records.search(Intents::amount > 1);", OTHER_RESOURCE, 32, 34),
    ("(void)records.search({.query = Intents::amount > 1});", OTHER_RESOURCE, 32, 34),
    ("(void)asyncRecords.search(Intents::amount > 1);", OTHER_RESOURCE, 32, 34),
    ("(void)asyncRecords.search({.query = Intents::amount > 1});", OTHER_RESOURCE, 32, 34),
    ('(void)(Records::description > "a");', ORDER, 16, 20),
    ('(void)(Records::metadata("order") <= "a");', ORDER, 16, 20),
    ('(void)(Records::customerPresence < "a");', ORDER, 16, 20),
    ("(void)(Records::description == 42);", SEARCHED_TEXT, 16, 20),
    ("(void)records.search(Records::amountRequested >= 1000);", PARTS, 26, 30),
    ("(void)(Records::amountRequested == 1000);", PARTS, 26, 30),
    ("(void)(Records::processorDetails != std::nullopt);", PARTS, 26, 30),
    ('(void)(Records::metadata == "42");', METADATA_KEY, 26, 30),
    ("(void)(Records::metadata > 42);", METADATA_KEY, 26, 30),
    ('(void)(Records::metadata("order") == 42);', SEARCHED_TEXT, 20, 26),
    ("(void)(Records::description == nullptr);",
     "tally: compare with std::nullopt to find the objects without a value", 16, 20),
    ("(void)(Records::latestPaymentAttemptRecord == payout);", SEARCHED_ID, 16, 20),
    ("(void)(Records::customerPresence == tally::ProcessorDetailsType::custom);", SEARCHED_VALUE, 16, 20),
    ('(void)(Intents::amount == "1000");', SEARCHED_INTEGER, 16, 20),
    ("(void)(Intents::amount > 24.99);", SEARCHED_INTEGER, 18, 26),
    ("(void)(Intents::amount > true);", SEARCHED_INTEGER, 18, 26),
    ("(void)(Intents::amount > sizeof(int));",
     "tally: numbers in the query language are signed: convert this one to std::int64_t", 18, 26),
    ("(void)(Records::created > 1700000000);", SEARCHED_TIME, 18, 26),
    ("(void)(Records::created == 1700000000);", SEARCHED_TIME, 18, 26),
    ("(void)(Records::created == now);", "tally: == compares whole seconds", 16, 20),
    ('(void)(Records::metadata["order"] == "42");',
     'tally: write the key of metadata in parentheses: metadata("order")', 20, 26),
    ('(void)records.search({.query = Records::metadata("order")});', FIELD_ALONE, 20, 26),
    ("(void)asyncRecords.search({.query = Records::created});", FIELD_ALONE, 20, 26),
    ("(void)(Records::livemode == true);",
     (".livemode. is not a member of .*PaymentRecordSearchFields", "no member named 'livemode' in 'tally::P"), 8, 8),
]


class Compiler:
    """Compiles with the headers precompiled, which takes a tenth of the time."""

    def __init__(self, program, folders, work):
        self.is_clang = "clang" in program
        self.work = work
        # From version 14 on, g++ also shows the lines of the library that lead to an error.
        carets = [] if self.is_clang else ["-fno-diagnostics-show-caret"]
        self.command = [program, "-Wall", "-Wextra", "-fsyntax-only", *carets, *(f"-I{folder}" for folder in folders)]
        header = work / "headers.h"
        header.write_text(HEADERS)
        output = work / ("headers.pch" if self.is_clang else "headers.h.gch")
        arguments = [part for part in self.command if part != "-fsyntax-only"]
        subprocess.run([*arguments, "-std=c++20", "-x", "c++-header", header, "-o", output], check=True)
        self.include = ["-include-pch", output] if self.is_clang else ["-include", header]

    def compile(self, text, *flags):
        source = self.work / "program.cpp"
        source.write_text(text)
        done = subprocess.run([*self.command, *flags, source], capture_output=True, text=True, check=False)
        return done.stderr.splitlines()

    def compile_with_headers(self, text):
        return self.compile(text, "-std=c++20", *self.include)


def first_problem(lines):
    return next((line for line in lines if re.search("error: |warning: ", line)), "")


class Messages(unittest.TestCase):
    compiler: Compiler
    folders: list[pathlib.Path]

    def expect(self, lines, message, most):
        self.assertRegex(first_problem(lines), message, "\n".join(lines))
        self.assertLessEqual(len(lines), most, "\n".join(lines))

    def test_are_absent_for_correct_programs(self):
        self.assertEqual(self.compiler.compile_with_headers(PROGRAM % "(void)records; (void)asyncRecords; (void)payouts;"), [])

    def test_explain_the_mistake_in_a_program_briefly(self):
        for statement, message, most_gcc, most_clang in WRONG:
            with self.subTest(statement):
                if isinstance(message, tuple):
                    message = message[self.compiler.is_clang]
                else:
                    message = "static assertion failed.*: " + re.escape(message)
                lines = self.compiler.compile_with_headers(PROGRAM % statement)
                self.expect(lines, message, most_clang if self.compiler.is_clang else most_gcc)

    def test_demand_cpp20_when_the_standard_is_older(self):
        for header in ("client.h", "tally.h", "fake/service.h"):
            lines = self.compiler.compile(f"#include <tally/{header}>\n", "-std=c++17")
            self.expect(lines, "error: .*tally needs C\\+\\+20: compile with -std=c\\+\\+20", 12)

    def test_about_the_standard_come_first_in_each_header(self):
        headers = [header for folder in self.folders for header in folder.glob("tally/**/*.h")]
        self.assertGreater(len(headers), 100)
        for header in headers:
            includes = re.findall("^#include .*", header.read_text(), re.MULTILINE)
            if header.name != "cpp20.h":
                self.assertEqual(includes[0], "#include <tally/detail/cpp20.h>", header)


if __name__ == "__main__":
    program, *folders = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        Messages.compiler = Compiler(program, folders, pathlib.Path(folder))
        Messages.folders = [pathlib.Path(include) for include in folders]
        unittest.main(argv=sys.argv[:1])
