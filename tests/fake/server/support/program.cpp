#include "fake/server/support/program.h"

#include <regex>
#include <stdexcept>

namespace tally::test {

Greeting greetingOf(const std::string& line) {
  static const std::regex form{
      "tally-fake listening on (http://127\\.0\\.0\\.1:([0-9]+)) account=(acct_\\w+) "
      "live_key=(sk_live_\\w+) sandbox_key=(sk_test_\\w+)"};
  std::smatch parts;
  if (!std::regex_match(line, parts, form)) throw std::runtime_error{"no startup line: '" + line + "'"};
  return {.port = static_cast<std::uint16_t>(std::stoul(parts[2])),
          .url = parts[1],
          .account = parts[3],
          .liveKey = parts[4],
          .sandboxKey = parts[5]};
}

}  // namespace tally::test
