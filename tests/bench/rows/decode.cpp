#include <cstddef>
#include <string>

#include <tally/payment_records.h>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "bench/support/records.h"
#include "json/json_reader.h"
#include "pagination/pager_impl.h"

// Defined in generated code.
template <>
const tally::detail::Struct tally::detail::Schema<tally::PaymentRecord>::value;

namespace tally::bench {

namespace {

constexpr std::size_t count = 100;
constexpr double goal = 0.75;

constexpr long expectedSum() {
  long sum = 0;
  for (std::size_t n = 0; n < count; ++n)
    sum += amountOf(n);
  return sum;
}

/// Each page overwrites the previous one, as in pagination.
void decodeIntoStructs(benchmark::State& state, const std::string& json) {
  Page<PaymentRecord> page;
  for ([[maybe_unused]] auto _ : state) {
    if (const auto problem = detail::readJson(json, detail::refTo(page)))
      return state.SkipWithError(problem->c_str());
    std::int64_t sum = 0;
    for (const PaymentRecord& record : page.data)
      sum += record.amountRequested.value;
    if (page.data.size() != count || sum != expectedSum()) return state.SkipWithError("wrong records");
  }
}

void parseIntoDom(benchmark::State& state, const std::string& json) {
  for ([[maybe_unused]] auto _ : state) {
    boost::json::monotonic_resource memory;
    const auto value = boost::json::parse(json, &memory);
    if (value.at("data").as_array().size() != count) return state.SkipWithError("wrong records");
    benchmark::DoNotOptimize(value);
  }
}

std::string micros(double seconds) {
  return fixed(seconds * 1e6, 0) + " µs";
}

}  // namespace

Row decodePage() {
  const std::string json = pageJson(0, count, true);
  const Pair pair = measurePair(
      15,
      [&] {
        return secondsPerIteration("decode",
                                   [&](benchmark::State& state) { decodeIntoStructs(state, json); });
      },
      [&] {
        return secondsPerIteration("parse", [&](benchmark::State& state) { parseIntoDom(state, json); });
      });
  return {.what = "decode a page of 100 payment records (" + std::to_string(json.size() / 1000) + " kB)",
          .figure = micros(pair.figure),
          .reference = micros(pair.reference) + ", parse into a DOM",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

}  // namespace tally::bench
