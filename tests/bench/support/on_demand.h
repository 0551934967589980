#pragma once

#include <string_view>

#include <tally/pager.h>
#include <tally/payment_records.h>

#include <simdjson.h>

namespace tally::bench {

/// The cost of decoding with simdjson's on-demand interface, in code written for one type: it reads the
/// fields in the order of the service, and needs no more than a copy of each value.
class OnDemandReader {
 public:
  /// Copies the text of the page, with the padding that simdjson requires.
  explicit OnDemandReader(std::string_view json) : json_{json} {}

  /// Overwrites `page`. Throws simdjson::simdjson_error if the text is not such a page, or a field is
  /// missing.
  void read(Page<PaymentRecord>& page);

 private:
  simdjson::padded_string json_;
  simdjson::ondemand::parser parser_{};
};

}  // namespace tally::bench
