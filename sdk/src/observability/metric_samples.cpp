#include "observability/metric_samples.h"

#include "time/seconds_text.h"

namespace tally::detail {

void Samples::number(std::int64_t number, std::initializer_list<Label> labels, std::string_view suffix) {
  begin(labels, suffix);
  appendDecimal(out_, number);
  out_ += '\n';
}

void Samples::seconds(std::chrono::nanoseconds duration, std::initializer_list<Label> labels,
                      std::string_view suffix) {
  begin(labels, suffix);
  appendSeconds(out_, duration);
  out_ += '\n';
}

/// The count is computed from the buckets, so that both agree while other threads add.
void Samples::histogram(const Histogram& histogram) {
  std::int64_t upTo = 0;
  std::string buckets;
  Samples bucket{buckets, family_, operation_};
  for (std::size_t i = 0; i < Histogram::bounds.size(); ++i) {
    std::string bound;
    appendSeconds(bound, Histogram::bounds[i]);
    bucket.number(upTo += histogram.inBucket(i), {{"le", bound}}, "_bucket");
  }
  upTo += histogram.inBucket(Histogram::bounds.size());
  if (upTo == 0) return;
  out_ += buckets;
  number(upTo, {{"le", "+Inf"}}, "_bucket");
  seconds(histogram.sum(), {}, "_sum");
  number(upTo, {}, "_count");
}

void Samples::begin(std::initializer_list<Label> labels, std::string_view suffix) {
  out_.append(family_).append(suffix).append("{operation=\"").append(operation_) += '"';
  for (const Label& label : labels)
    out_.append(",").append(label.name).append("=\"").append(label.value) += '"';
  out_ += "} ";
}

}  // namespace tally::detail
