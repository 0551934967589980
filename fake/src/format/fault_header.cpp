#include "format/fault_header.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "form/validation.h"
#include "format/json_input.h"
#include "format/rule_json.h"
#include "json/json_writer.h"
#include "tables/parsed_number.h"
#include "tables/utf8.h"
#include "text/ascii.h"
#include "text/suggestion.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view faultName = "fault";

/// How the value of a parameter is written in JSON.
enum class Form : std::uint8_t { text, number, numberOrWord };

/// Where a parameter belongs in the JSON of a rule.
enum class Owner : std::uint8_t { rule, response, headers };

struct Known {
  std::string_view name;
  Form form = Form::number;
  Owner owner = Owner::rule;
  std::string_view member{};  // in the JSON, if it is another name
};

constexpr std::array known{Known{faultName, Form::text},
                           Known{"error", Form::text},
                           Known{"rate_limited_reason", Form::text},
                           Known{"status", Form::number, Owner::response},
                           Known{"body", Form::text, Owner::response},
                           Known{"retry_after", Form::text, Owner::headers, "Retry-After"},
                           Known{"times", Form::numberOrWord},
                           Known{"every"},
                           Known{"probability"},
                           Known{"probability_at_end"},
                           Known{"latency_ms"},
                           Known{"latency_up_to_ms"},
                           Known{"latency_sigma"},
                           Known{"chunks"},
                           Known{"pause_ms"},
                           Known{"period_ms"}};

[[noreturn]] void refuse(const std::string& problem) {
  throw BadInput{problem};
}

bool isTokenCharacter(char c) {
  return tally::detail::isHeaderName(std::string_view{&c, 1});  // both are tokens
}

/// Takes parts off the front of a header.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : left_(text) {}

  [[nodiscard]] bool atEnd() const noexcept { return left_.empty(); }
  void skipBlanks() { left_.remove_prefix(std::min(left_.find_first_not_of(blanks), left_.size())); }

  bool take(char c) {
    const bool isNext = left_.starts_with(c);
    if (isNext) left_.remove_prefix(1);
    return isNext;
  }

  /// Empty if none comes next.
  std::string_view token() {
    const auto end = std::ranges::find_if_not(left_, isTokenCharacter);
    const std::string_view taken = left_.substr(0, static_cast<std::size_t>(end - left_.begin()));
    left_.remove_prefix(taken.size());
    return taken;
  }

  /// A token, or a quoted string without its quotes and backslashes.
  std::string value(std::string_view name) {
    if (!take('"')) {
      std::string taken{token()};
      if (taken.empty())
        refuse(std::string{name} + ": expected a value, such as 2, lock_timeout or \"some text\"");
      return taken;
    }
    std::string text;
    while (!take('"')) {
      (void)take('\\');
      if (left_.empty()) refuse(std::string{name} + ": the closing quote is missing");
      text += left_.front();
      left_.remove_prefix(1);
    }
    return text;
  }

  /// What comes next, for a message.
  [[nodiscard]] std::string rest() const {
    constexpr std::size_t shown = 40;
    return readable(left_.substr(0, shown));
  }

 private:
  std::string_view left_;
};

const Known& find(const std::string& name) {
  const auto* const found = std::ranges::find(known, name, &Known::name);
  if (found == known.end())
    refuse(readable(name) + ": unknown part" +
           tally::detail::suggestionOrList(name, known | std::views::transform(&Known::name)));
  return *found;
}

std::string inLowerCase(std::string_view name) {
  std::string lower{name};
  std::ranges::transform(lower, lower.begin(), tally::detail::asciiLower);
  return lower;
}

std::string asJsonText(const std::string& value) {
  std::string text;
  tally::detail::writeJsonString(text, value);
  return text;
}

/// The number as it is given, if JSON has such numbers.
std::string asJson(const Known& part, const std::string& value) {
  if (part.form == Form::text) return asJsonText(value);
  JsonDocument number{value};
  if (!number.problem() && number.root().isNumber()) return value;
  if (part.form == Form::number)
    refuse(std::string{part.name} + ": expected a number, not '" + readable(value) + "'");
  return asJsonText(value);
}

/// The JSON of a rule, whose members are added one by one.
class RuleJson {
 public:
  void add(const std::string& name, const std::string& value) {
    const Known& part = find(name);
    const std::string_view member = part.member.empty() ? part.name : part.member;
    if (!objects_[part.owner].emplace(member, asJson(part, value)).second) refuse(name + ": given twice");
  }

  /// Applies any number of times unless specified otherwise.
  [[nodiscard]] std::string text() {
    objects_[Owner::rule].emplace("times", "\"unlimited\"");
    for (const auto& [owner, member] :
         {std::pair{Owner::response, "response"}, std::pair{Owner::headers, "headers"}})
      if (objects_.contains(owner)) objects_[Owner::rule][member] = written(objects_[owner]);
    return written(objects_[Owner::rule]);
  }

 private:
  using Object = std::map<std::string_view, std::string>;

  [[nodiscard]] static std::string written(const Object& object) {
    std::string text{"{"};
    for (const auto& [name, value] : object) {
      if (text.size() > 1) text += ',';
      text.append("\"").append(name).append("\":").append(value);
    }
    return text += '}';
  }

  std::map<Owner, Object> objects_{};
};

void readParameter(HeaderReader& reader, std::string_view name, RuleJson& rule) {
  const std::string lower = inLowerCase(name);
  (void)find(lower);
  if (!reader.take('=')) refuse(lower + ": expected '=' and a value");
  rule.add(lower, reader.value(lower));
}

void checkFault(std::string_view name) {
  const std::vector<std::string> names = faultNames();
  if (std::ranges::find(names, name) != names.end()) return;
  const std::string similar = tally::detail::suggestion(name, names);
  refuse("unknown fault '" + std::string{name} + "'" +
         (similar.empty() ? "; for an error response, write error=" + std::string{name} : similar));
}

/// The first part may be the name of a fault.
void readFirst(HeaderReader& reader, RuleJson& rule) {
  reader.skipBlanks();
  const std::string_view name = reader.token();
  if (name.empty())
    refuse("expected a fault, such as response_lost, or a parameter, such as error=lock_timeout");
  if (reader.take('=')) {
    const std::string lower = inLowerCase(name);
    rule.add(lower, reader.value(lower));
  } else {
    checkFault(name);
    rule.add(std::string{faultName}, std::string{name});
  }
}

void readRest(HeaderReader& reader, RuleJson& rule) {
  for (reader.skipBlanks(); !reader.atEnd(); reader.skipBlanks()) {
    if (!reader.take(';')) refuse("expected ';' before '" + reader.rest() + "'");
    reader.skipBlanks();
    const std::string_view name = reader.token();
    if (!name.empty()) {
      readParameter(reader, name, rule);
    } else if (!reader.atEnd() && !reader.rest().starts_with(';')) {
      refuse("expected the name of a parameter at '" + reader.rest() + "'");
    }
  }
}

}  // namespace

FaultRule readFaultHeader(std::string_view value) {
  if (!isUtf8(value)) refuse("the header is not UTF-8");
  HeaderReader reader{value};
  RuleJson rule;
  readFirst(reader, rule);
  readRest(reader, rule);
  const JsonDocument parsed{rule.text()};
  JsonInput input{parsed};
  return readMembers<FaultRule>(input);
}

}  // namespace tally::fake::detail
