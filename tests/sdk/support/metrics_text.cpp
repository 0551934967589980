#include "sdk/support/metrics_text.h"

#include <limits>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace tally::test {

namespace {

const std::string name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const std::string label = R"re((?!__)[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*")re";
const std::regex helpLine{"# HELP (" + name + R"() [^\\]+)"};
const std::regex typeLine{"# TYPE (" + name + ") (counter|gauge|histogram)"};
const std::regex sampleLine{"(" + name + R"()(?:\{()" + label + "(?:," + label +
                            R"()*)\})? (-?[0-9]+(?:\.[0-9]+)?))"};

void require(bool condition, const std::string& complaint) {
  if (!condition) throw std::runtime_error{complaint};
}

/// The buckets, sum and count of one set of labels.
struct Buckets {
  double lastBound = -std::numeric_limits<double>::infinity();
  double lastCount = 0;
  std::optional<double> sum{};
  std::optional<double> count{};

  void add(double bound, double number) {
    require(bound > lastBound, "bounds do not rise");
    require(number >= lastCount, "buckets do not rise");
    lastBound = bound;
    lastCount = number;
  }
  void check() const {
    require(lastBound == std::numeric_limits<double>::infinity(), "there is no bucket +Inf");
    require(sum && count, "there is no sum, or no count");
    require(*count == lastCount, "the count is not that of the last bucket");
  }
};

/// Removes the label `le`, which is last, from `labels`. Returns its value.
double takeBound(std::string& labels) {
  const std::regex last{R"((.*?),?le="([^"]*)\")"};
  std::smatch found;
  require(std::regex_match(labels, found, last), "a bucket has no bound: " + labels);
  const std::string bound = found[2];
  labels = found.str(1);
  return bound == "+Inf" ? std::numeric_limits<double>::infinity() : std::stod(bound);
}

class Reader {
 public:
  void read(const std::string& line) {
    std::smatch found;
    if (std::regex_match(line, found, helpLine)) return begin(found[1]);
    if (std::regex_match(line, found, typeLine)) return setType(found[1], found[2]);
    require(std::regex_match(line, found, sampleLine), "no line of the format: " + line);
    sample(found[1], found[2], std::stod(found[3]));
  }

  [[nodiscard]] std::map<std::string, double> done() {
    endFamily();
    return std::move(samples_);
  }

 private:
  void begin(const std::string& family) {
    endFamily();
    require(families_.insert(family).second, "told of twice: " + family);
    family_ = family;
  }

  void setType(const std::string& family, const std::string& type) {
    require(family == family_ && type_.empty(), "a type that does not follow its help: " + family);
    require((type == "counter") == family.ends_with("_total"), "not named after its type: " + family);
    type_ = type;
  }

  void endFamily() {
    require(family_.empty() || hasSamples_, "no samples: " + family_);
    for (const auto& [labels, buckets] : buckets_)
      buckets.check();
    buckets_.clear();
    type_.clear();
    hasSamples_ = false;
  }

  void sample(const std::string& metric, const std::string& labels, double value) {
    require(!type_.empty() && metric.starts_with(family_), "a sample outside its family: " + metric);
    require(samples_.emplace(metric + '{' + labels + '}', value).second, "twice: " + metric + labels);
    require(type_ == "gauge" || value >= 0, "below zero: " + metric);
    hasSamples_ = true;
    const std::string suffix = metric.substr(family_.size());
    if (type_ == "histogram") return part(suffix, labels, value);
    require(suffix.empty(), "not the family's name: " + metric);
  }

  void part(const std::string& suffix, std::string labels, double value) {
    if (suffix == "_bucket") {
      const double bound = takeBound(labels);
      buckets_[labels].add(bound, value);
    } else {
      require(suffix == "_sum" || suffix == "_count", "no part of a histogram: " + suffix);
      (suffix == "_sum" ? buckets_[labels].sum : buckets_[labels].count) = value;
    }
  }

  std::set<std::string> families_{};
  std::string family_{};
  std::string type_{};
  bool hasSamples_ = false;
  std::map<std::string, Buckets> buckets_{};
  std::map<std::string, double> samples_{};
};

}  // namespace

std::map<std::string, double> readMetrics(std::string_view text) {
  require(text.empty() || text.ends_with('\n'), "the last line has no end");
  Reader reader;
  std::istringstream lines{std::string{text}};
  for (std::string line; std::getline(lines, line);)
    reader.read(line);
  return reader.done();
}

}  // namespace tally::test
