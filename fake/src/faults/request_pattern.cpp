#include <algorithm>
#include <array>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <tally/fake/request_pattern.h>

#include "faults/request_parts.h"
#include "request/request_params.h"
#include "tables/utf8.h"
#include "text/readable.h"

namespace tally::fake {

using detail::Part;
using detail::RequestParts;

namespace {

constexpr std::string_view nothing = "nothing";
constexpr std::string_view notLogged = "unknown, since the log lacks the response";

template <class Value>
std::string inWords(const Value& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

std::string inQuotes(std::string_view text) {
  if (text.empty()) return std::string{nothing};
  std::string quoted;
  tally::detail::appendQuoted(quoted, text);
  return quoted;
}

/// Whether the parameters may have text that is not in the URL or the body as it was sent.
bool mayEncodeParams(const HttpRequest& request) {
  const auto isEncoded = [](std::string_view form) { return form.find_first_of("%+") != form.npos; };
  return isEncoded(request.url) || isEncoded(request.body) || detail::beginsLikeJsonObject(request.body);
}

bool occurs(std::string_view text, const LoggedRequest& logged, RequestParts& parts) {
  const auto in = [&](std::string_view value) { return detail::containsIgnoringCase(value, text); };
  if (in(logged.request.url) || in(logged.request.body) || in(logged.account) || in(logged.operation) ||
      in(logged.object) || in(logged.requestId) || in(logged.errorCode) || in(logged.limit))
    return true;
  if (logged.response && in(logged.response->body)) return true;
  return mayEncodeParams(logged.request) && std::ranges::any_of(parts.params(), [&](const SentParam& param) {
           return in(param.name + '=' + param.value);
         });
}

std::string partName(Part part) {
  constexpr std::array<std::string_view, 3> names{"parameter ", "metadata ", "header "};
  return std::string{names[static_cast<std::size_t>(part)]};
}

/// Compares a request with a pattern, part by part.
class Comparison {
 public:
  explicit Comparison(const LoggedRequest& logged) : logged_(logged), parts_(logged.request) {}

  std::vector<Difference> differences(const RequestPattern& pattern) {
    compare("account", pattern.account, logged_.account);
    compare("operation", pattern.operation, logged_.operation);
    compare("object", pattern.object, logged_.object);
    compare(Part::param, pattern.params);
    compare(Part::metadata, pattern.metadata);
    compare(Part::header, pattern.headers);
    compare("body", pattern.body, logged_.request.body, true);
    compareStatus(pattern.status);
    compareFlag("processed", pattern.processed, logged_.processed);
    compare("error code", pattern.errorCode, logged_.errorCode);
    compareResponse(pattern.responseBody);
    compareOutcome(pattern);
    compareTime(pattern);
    if (!occurs(pattern.text, logged_, parts_)) addOfResponse("text", "containing " + inQuotes(pattern.text));
    compare("call", pattern.call, logged_.call);
    return std::move(found_);
  }

 private:
  void add(std::string part, std::string expected, std::string_view actual) {
    found_.push_back({std::move(part), std::move(expected), std::string{actual}});
  }

  /// Something that the response lacks, or may lack.
  void addOfResponse(std::string part, std::string expected) {
    add(std::move(part), std::move(expected), logged_.responseMissing ? notLogged : nothing);
    found_.back().unknown = logged_.responseMissing;
  }

  void compare(const char* name, const std::string& expected, const std::string& actual) {
    if (!expected.empty() && expected != actual) add(name, inQuotes(expected), inQuotes(actual));
  }

  void compare(const char* name, const std::optional<TextPattern>& expected, const std::string& actual,
               bool present) {
    if (!expected) return;
    const bool hasValue = present && !actual.empty();
    const bool fits =
        expected->rule() == TextPattern::Rule::absent || expected->rule() == TextPattern::Rule::any
            ? hasValue == (expected->rule() == TextPattern::Rule::any)
            : present && expected->matches(actual);
    if (!fits) add(name, inWords(*expected), inQuotes(actual));
  }

  void compareResponse(const std::optional<TextPattern>& expected) {
    constexpr const char* name = "response body";
    if (!expected) return;
    if (logged_.responseMissing) return addOfResponse(name, inWords(*expected));
    compare(name, expected, logged_.response ? logged_.response->body : "", logged_.response.has_value());
  }

  void compareStatus(const std::optional<int>& expected) {
    if (expected && *expected != logged_.status)
      add("status", std::to_string(*expected), std::to_string(logged_.status));
  }

  void compareFlag(const char* name, std::optional<bool> expected, bool actual) {
    if (expected && *expected != actual) add(name, *expected ? "true" : "false", actual ? "true" : "false");
  }

  void compareOutcome(const RequestPattern& pattern) {
    if (pattern.outcome && *pattern.outcome != outcomeOf(logged_))
      add("outcome", inWords(*pattern.outcome), inWords(outcomeOf(logged_)));
    compareFlag("faulted", pattern.faulted, logged_.hasFault());
    compareFlag("has operation", pattern.hasOperation, !logged_.operation.empty());
  }

  void compareTime(const RequestPattern& pattern) {
    if (pattern.from && logged_.time < *pattern.from)
      add("time", "from " + tally::toString(*pattern.from), tally::toString(logged_.time));
    if (pattern.until && logged_.time >= *pattern.until)
      add("time", "before " + tally::toString(*pattern.until), tally::toString(logged_.time));
  }

  void compare(Part part, const std::vector<NamedPattern>& patterns) {
    for (const NamedPattern& pattern : patterns) {
      if (parts_.match(part, pattern)) continue;
      std::string name = partName(part);
      tally::detail::appendReadable(name, pattern.name);
      add(std::move(name), inWords(detail::shownPattern(pattern)), actualOf(part, pattern.name));
    }
  }

  [[nodiscard]] std::string actualOf(Part part, const std::string& name) {
    std::string shown;
    for (const std::string_view value : parts_.values(part, name)) {
      if (!shown.empty()) shown += ", ";
      tally::detail::appendQuoted(shown,
                                  part == Part::header ? shownHeader(name, value) : std::string{value});
    }
    return shown.empty() ? std::string{nothing} : shown;
  }

  const LoggedRequest& logged_;
  RequestParts parts_;
  std::vector<Difference> found_{};
};

/// Lists what a pattern demands, such as `with parameter amount = "500" and status 200`.
class Demands {
 public:
  explicit Demands(std::ostream& out) : out_(out) {}

  void add(const std::string& demand) {
    out_ << (std::exchange(first_, false) ? " with " : " and ") << demand;
  }
  void addAll(Part part, const std::vector<NamedPattern>& patterns) {
    for (const NamedPattern& pattern : patterns)
      add(partName(part) + inWords(pattern));
  }
  void addWord(const char* name, const std::string& value) {
    if (!value.empty()) add(name + inQuotes(value));
  }

 private:
  std::ostream& out_;
  bool first_ = true;
};

}  // namespace

RequestPattern patternOf(const FaultRule& rule) {
  return {.operation = rule.operation,
          .object = rule.object,
          .params = rule.params,
          .metadata = rule.metadata,
          .headers = rule.requestHeaders};
}

std::vector<Difference> differences(const RequestPattern& pattern, const LoggedRequest& request) {
  return Comparison{request}.differences(pattern);
}

bool areUnknown(const std::vector<Difference>& differences) {
  return !differences.empty() && std::ranges::all_of(differences, &Difference::unknown);
}

bool matches(const RequestPattern& pattern, const LoggedRequest& request) {
  const bool mayMatch = (pattern.operation.empty() || pattern.operation == request.operation) &&
                        (pattern.status.value_or(request.status) == request.status) &&
                        (!pattern.outcome || *pattern.outcome == outcomeOf(request)) &&
                        (!pattern.from || *pattern.from <= request.time) &&
                        (!pattern.until || request.time < *pattern.until);
  return mayMatch && differences(pattern, request).empty();
}

Count Count::between(std::size_t least, std::size_t most) {
  if (most < least)
    throw std::invalid_argument{"no number is at least " + std::to_string(least) + " and at most " +
                                std::to_string(most)};
  return {least, most};
}

std::ostream& operator<<(std::ostream& out, const Count& count) {
  if (count.least() == count.most()) return out << "exactly " << count.least();
  if (count.most() == Count::unlimited) return out << "at least " << count.least();
  if (count.least() == 0) return out << "at most " << count.most();
  return out << "from " << count.least() << " to " << count.most();
}

std::ostream& operator<<(std::ostream& out, const Difference& difference) {
  return out << difference.part << " is " << difference.actual << ", not " << difference.expected;
}

std::ostream& operator<<(std::ostream& out, const RequestPattern& pattern) {
  std::string what = pattern.operation.empty() ? "any operation" : pattern.operation;
  if (!pattern.object.empty()) tally::detail::appendReadable(what += " of ", pattern.object);
  out << what;
  Demands demands{out};
  demands.addWord("account ", pattern.account);
  demands.addAll(Part::param, pattern.params);
  demands.addAll(Part::metadata, pattern.metadata);
  demands.addAll(Part::header, pattern.headers);
  if (pattern.body) demands.add("body " + inWords(*pattern.body));
  if (pattern.status) demands.add("status " + std::to_string(*pattern.status));
  if (pattern.processed) demands.add(*pattern.processed ? "an effect" : "no effect");
  demands.addWord("error code ", pattern.errorCode);
  if (pattern.responseBody) demands.add("response body " + inWords(*pattern.responseBody));
  if (pattern.outcome) demands.add("outcome " + inWords(*pattern.outcome));
  if (pattern.faulted) demands.add(*pattern.faulted ? "a fault" : "no fault");
  if (pattern.hasOperation) demands.add(*pattern.hasOperation ? "an operation" : "no operation");
  if (pattern.from) demands.add("a time from " + tally::toString(*pattern.from));
  if (pattern.until) demands.add("a time before " + tally::toString(*pattern.until));
  demands.addWord("text ", pattern.text);
  demands.addWord("call ", pattern.call);
  return out;
}

}  // namespace tally::fake
