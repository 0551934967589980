#include "bench/driver/results.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>

namespace tally::bench {

namespace json = boost::json;

namespace {

constexpr std::string_view format = "tally bench 1";

json::value toJson(const Row& row) {
  return {{"figure", row.figure},
          {"reference", row.reference},
          {"ratio", row.ratio},
          {"goal", row.goal},
          {"met", row.met ? json::value(*row.met) : json::value(nullptr)}};
}

json::value toJson(const RowResults& results) {
  json::array runs;
  for (const Row& row : results.runs)
    runs.push_back(toJson(row));
  return {{"name", results.name}, {"what", results.median().what}, {"runs", std::move(runs)}};
}

std::string text(const json::value& value) {
  return json::value_to<std::string>(value);
}

Row rowIn(const json::value& value, const std::string& what) {
  Row row{.what = what,
          .figure = text(value.at("figure")),
          .reference = text(value.at("reference")),
          .ratio = text(value.at("ratio")),
          .goal = text(value.at("goal"))};
  if (!value.at("met").is_null()) row.met = value.at("met").as_bool();
  return row;
}

RowResults resultsIn(const json::value& value) {
  RowResults results{.name = text(value.at("name"))};
  for (const json::value& run : value.at("runs").as_array())
    results.runs.push_back(rowIn(run, text(value.at("what"))));
  if (results.runs.empty()) throw std::invalid_argument{"no runs of '" + results.name + '\''};
  return results;
}

double firstNumber(const Row& row) {
  const auto numbers = numbersIn(row.ratio);
  return numbers.empty() ? 0 : numbers.front();
}

}  // namespace

const Row& RowResults::median() const {
  if (const auto failed = std::ranges::find(runs, failedFigure, &Row::figure); failed != runs.end())
    return *failed;
  std::vector<const Row*> sorted;
  for (const Row& row : runs)
    sorted.push_back(&row);
  std::ranges::sort(sorted, {}, [](const Row* row) { return firstNumber(*row); });
  return *sorted[(sorted.size() - 1) / 2];
}

std::vector<double> numbersIn(std::string_view ratio) {
  std::vector<double> numbers;
  const char* const end = ratio.data() + ratio.size();
  for (const char* at = ratio.data(); at != end;) {
    double number = 0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec == std::errc{}) numbers.push_back(number);
    at = read.ec == std::errc{} ? read.ptr : at + 1;
  }
  return numbers;
}

std::string toJson(const std::vector<RowResults>& results) {
  json::array rows;
  for (const RowResults& each : results)
    rows.push_back(toJson(each));
  return json::serialize(json::value{{"format", format}, {"rows", std::move(rows)}}) + '\n';
}

std::vector<RowResults> readResults(std::string_view given) {
  try {
    const json::value read = json::parse(given);
    if (text(read.at("format")) != format) throw std::invalid_argument{"another version of the format"};
    std::vector<RowResults> results;
    for (const json::value& row : read.at("rows").as_array())
      results.push_back(resultsIn(row));
    return results;
  } catch (const std::exception& problem) {
    throw std::runtime_error{std::string{"these are no results of ./dev bench --json: "} + problem.what()};
  }
}

}  // namespace tally::bench
