#!/usr/bin/python3
"""The calls and requests that the pages of the resources show.

shown_requests.py PROJECT write OUTPUT writes a program that makes these calls and prints their requests.
shown_requests.py PROJECT check PROGRAM compares what it prints with the pages."""

import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

PROGRAM = """// Makes the calls that the pages of the resources show, and prints their requests.

#include <concepts>
#include <iostream>
#include <memory>

#include <tally/tally.h>

namespace {{

class Printer : public tally::Transport {{
 public:
  tally::TransportResult send(const tally::HttpRequest& request, const tally::SendLimits&) override {{
    std::cout << tally::toString(request.method) << ' ' << request.url << '\\n' << request.body << '\\n';
    return tally::HttpResponse{{.status = 404, .headers = {{}}, .body = "{{}}"}};
  }}
  [[nodiscard]] bool inProcess() const noexcept override {{ return true; }}
}};

// A pager makes its first request when its first object is read.
template <class Made>
void finish(Made made) {{
  if constexpr (requires {{ made.begin(); }})
    for (const auto& one : made) (void)one;
}}

}}  // namespace

int main() {{
  const tally::Client client{{{{.apiKey = "sk_test_1", .baseUrl = "https://api.example.com", .transport = std::make_shared<Printer>()}}}};
{calls}}}
"""


def shown(project):
    """(page, line, call, request) for each call with its request."""
    import markdown_text

    for page in sorted((project / "docs/reference").glob("*.md")):
        line, call = 1, None
        for is_code, language, lines in markdown_text.parts(page.read_text()):
            code = "".join(lines[1:-1])
            if is_code and language == "cpp":
                call = page, line + 1, code
            elif is_code and call and re.match("(GET|POST) /", code):
                yield *call, code
                call = None
            line += len(lines)


def write(project, output):
    calls = "".join(f'#line {line} "{page}"\n  finish({call.strip().removesuffix(";")});\n' for page, line, call, _ in shown(project))
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(PROGRAM.format(calls=calls))


def without_time(request):
    """Calls report what happened just now."""
    return re.sub(r"(?<=_at=)\d{10}$", "now", request.strip())


def readable(target, body):
    """A request as the pages show it."""
    path = urllib.parse.unquote_plus(target).replace("https://api.example.com", "")
    if body.startswith("{"):
        return f"{path}\n\n{json.dumps(json.loads(body))}".rstrip()
    return f"{path}\n\n{urllib.parse.unquote_plus(body)}".rstrip()


def check(project, program):
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    sent = [readable(target, body) for target, body in zip(lines[::2], lines[1::2])]
    expected = list(shown(project))
    wrong = [f"{page}:{line}: shows\n{request}\nbut sends\n{one}" for (page, line, _, request), one in zip(expected, sent) if without_time(request) != without_time(one)]
    assert len(sent) == len(expected), f"{len(expected)} calls have made {len(sent)} requests"
    assert len(sent) > 20, sent
    assert not wrong, "\n".join(wrong)
    print(f"{len(sent)} calls send what the pages show")


if __name__ == "__main__":
    project, task, file = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    sys.path.insert(0, str(project / "docs/site"))
    sys.dont_write_bytecode = True
    {"write": write, "check": check}[task](project, file)
