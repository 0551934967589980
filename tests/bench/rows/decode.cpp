#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <tally/payment_records.h>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "bench/support/on_demand.h"
#include "bench/support/records.h"
#include "json/json_reader.h"
#include "pagination/pager_impl.h"

// Defined in generated code.
template <>
const tally::detail::Struct tally::detail::Schema<tally::PaymentRecord>::value;

namespace tally::bench {

namespace {

constexpr std::size_t count = 100;
constexpr double domGoal = 0.25;
constexpr double onDemandGoal = 1.1;

constexpr long expectedSum() {
  long sum = 0;
  for (std::size_t n = 0; n < count; ++n)
    sum += amountOf(n);
  return sum;
}

bool hasAllRecords(const Page<PaymentRecord>& page) {
  std::int64_t sum = 0;
  for (const PaymentRecord& record : page.data)
    sum += record.amountRequested.value;
  return page.data.size() == count && sum == expectedSum();
}

/// Each page overwrites the previous one, as in pagination.
template <class Read>
void decodeIntoStructs(benchmark::State& state, Read read) {
  Page<PaymentRecord> page;
  for ([[maybe_unused]] auto _ : state) {
    read(page);
    if (!hasAllRecords(page)) return state.SkipWithError("wrong records");
  }
}

void readByTally(const std::string& json, Page<PaymentRecord>& page) {
  if (const auto problem = detail::readJson(json, detail::refTo(page))) throw std::runtime_error{*problem};
}

double secondsToDecode(const std::string& json) {
  return secondsPerIteration("decode", [&](benchmark::State& state) {
    decodeIntoStructs(state, [&](Page<PaymentRecord>& page) { readByTally(json, page); });
  });
}

double secondsToDecodeOnDemand(const std::string& json) {
  OnDemandReader reader{json};
  return secondsPerIteration("on_demand", [&](benchmark::State& state) {
    decodeIntoStructs(state, [&](Page<PaymentRecord>& page) { reader.read(page); });
  });
}

/// Throws std::runtime_error unless both readers give the same records.
void compareReaders(const std::string& json) {
  Page<PaymentRecord> page;
  Page<PaymentRecord> onDemand;
  readByTally(json, page);
  OnDemandReader{json}.read(onDemand);
  if (page.data != onDemand.data) throw std::runtime_error{"the readers disagree"};
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

Row rowOf(const Pair& pair, const std::string& what, const std::string& reference, double goal) {
  return {.what = what,
          .figure = micros(pair.figure),
          .reference = micros(pair.reference) + ", " + reference,
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

}  // namespace

Row decodePage() {
  const std::string json = pageJson(0, count, true);
  const Pair pair = measurePair(
      15, [&] { return secondsToDecode(json); },
      [&] {
        return secondsPerIteration("parse", [&](benchmark::State& state) { parseIntoDom(state, json); });
      });
  return rowOf(pair, "decode a page of 100 payment records (" + std::to_string(json.size() / 1000) + " kB)",
               "parse into a DOM", domGoal);
}

Row decodePageOnDemand() {
  const std::string json = pageJson(0, count, true);
  compareReaders(json);
  const Pair pair =
      measurePair(15, [&] { return secondsToDecode(json); }, [&] { return secondsToDecodeOnDemand(json); });
  return rowOf(pair, "the same page", "simdjson on demand, into the same structs", onDemandGoal);
}

}  // namespace tally::bench
