#include "bench/support/on_demand.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tally::bench {

namespace {

using Object = simdjson::ondemand::object;
using Value = simdjson::ondemand::value;

Value next(Object& object, std::string_view key) {
  return object.find_field(key);
}

std::string_view textOf(Value value) {
  return value.get_string();
}

std::string text(Object& object, std::string_view key) {
  return std::string{textOf(next(object, key))};
}

std::optional<RawJson> raw(Object& object, std::string_view key) {
  Value value = next(object, key);
  if (value.is_null()) return std::nullopt;
  const std::string_view json = value.raw_json_token();
  return RawJson{std::string{json}};
}

void readAmount(Object& object, std::string_view key, Amount& amount) {
  Object fields = next(object, key);
  amount.currency = textOf(next(fields, "currency"));
  amount.value = next(fields, "value").get_int64();
}

void readMetadata(Object& object, Metadata& metadata) {
  metadata.clear();
  Object pairs = next(object, "metadata");
  for (auto pair : pairs) {
    const std::string_view key = pair.unescaped_key();
    metadata.emplace_hint(metadata.end(), key, textOf(pair.value()));
  }
}

void readMethod(Object& object, PaymentMethodDetails& method) {
  Object fields = next(object, "payment_method_details");
  method.type = OpenEnum<PaymentMethodDetailsType>{text(fields, "type")};
  method.billingDetails = raw(fields, "billing_details");
  Value id = next(fields, "payment_method");
  if (id.is_null())
    method.paymentMethod.reset();
  else
    method.paymentMethod = std::string{textOf(id)};
  Object custom = next(fields, "custom");
  method.custom.displayName = textOf(next(custom, "display_name"));
  method.custom.type = OpenEnum<CustomPaymentMethodType>{text(custom, "type")};
}

void readProcessor(Object& object, ProcessorDetails& processor) {
  Object fields = next(object, "processor_details");
  processor.type = OpenEnum<ProcessorDetailsType>{text(fields, "type")};
  Object custom = next(fields, "custom");
  processor.custom.paymentReference = textOf(next(custom, "payment_reference"));
}

void readRecord(Object& object, PaymentRecord& record) {
  record.id = Id<PaymentRecord>{text(object, "id")};
  readAmount(object, "amount_requested", record.amountRequested);
  readAmount(object, "amount_canceled", record.amountCanceled);
  readAmount(object, "amount_failed", record.amountFailed);
  readAmount(object, "amount_guaranteed", record.amountGuaranteed);
  readAmount(object, "amount_refunded", record.amountRefunded);
  const std::int64_t created = next(object, "created").get_int64();
  record.created = std::chrono::sys_seconds{std::chrono::seconds{created}};
  record.customerDetails = raw(object, "customer_details");
  record.customerPresence = OpenEnum<PaymentRecordCustomerPresence>{text(object, "customer_presence")};
  record.description = textOf(next(object, "description"));
  record.latestPaymentAttemptRecord = Id<PaymentAttemptRecord>{text(object, "latest_payment_attempt_record")};
  record.livemode = next(object, "livemode").get_bool();
  readMetadata(object, record.metadata);
  readMethod(object, record.paymentMethodDetails);
  readProcessor(object, record.processorDetails);
  record.shippingDetails = raw(object, "shipping_details");
}

}  // namespace

void OnDemandReader::read(Page<PaymentRecord>& page) {
  simdjson::ondemand::document document = parser_.iterate(json_);
  Object fields = document;
  std::size_t count = 0;
  for (auto element : simdjson::ondemand::array{next(fields, "data")}) {
    if (count == page.data.size()) page.data.emplace_back();
    Object record = element;
    readRecord(record, page.data[count++]);
  }
  page.data.resize(count);
  page.hasMore = next(fields, "has_more").get_bool();
}

}  // namespace tally::bench
