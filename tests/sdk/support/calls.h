#pragma once

#include <optional>
#include <ostream>
#include <string>

#include <tally/tally.h>

#include "sdk/support/harness.h"

namespace tally::test {

/// A kind of call, its response, and whether it changes anything at the service.
struct Call {
  std::string operation{};
  std::string response{};
  bool changes = false;
  std::optional<Error> (*make)(const Client& client, const std::string& object,
                               const RequestOptions& options) = nullptr;
};

template <class T>
std::optional<Error> errorOf(const Result<T>& result) {
  return result ? std::nullopt : std::optional{result.error()};
}

/// The first error of a complete iteration.
template <class T>
std::optional<Error> errorOf(Pager<T> pager) {
  for (const auto& object : pager)
    if (object.has_error()) return object.error();
  return std::nullopt;
}

/// One call of each kind; `object` is the identifier of a payment record, or of a payment intent for
/// `update`.
inline const Call calls[] = {
    {"payment_records.retrieve", recordJson("pr_1"), false,
     [](const Client& client, const std::string& object, const RequestOptions& options) {
       return errorOf(client.paymentRecords().retrieve(object, options));
     }},
    {"payment_records.list", pageJson({"pr_1"}, false), false,
     [](const Client& client, const std::string&, const RequestOptions& options) {
       return errorOf(client.paymentRecords().list({}, options));
     }},
    {"payment_records.search", pageJson({"pr_1"}, false), false,
     [](const Client& client, const std::string&, const RequestOptions& options) {
       return errorOf(client.paymentRecords().search({.query = "created>0"}, options));
     }},
    {"payment_records.report_failed", recordJson("pr_1"), true,
     [](const Client& client, const std::string& object, const RequestOptions& options) {
       return errorOf(
           client.paymentRecords().reportFailed(object, {.failedAt = std::chrono::sys_seconds{}}, options));
     }},
    {"payment_intents.create",
     R"({"id":"pi_1","object":"payment_intent","amount":1,"currency":"usd","description":"","metadata":{},)"
     R"("created":1,"livemode":false})",
     true,
     [](const Client& client, const std::string&, const RequestOptions& options) {
       return errorOf(client.paymentIntents().create({.amount = 1, .currency = "usd"}, options));
     }},
    {"payment_intents.update",
     R"({"id":"pi_1","object":"payment_intent","amount":1,"currency":"usd","description":"Tea",)"
     R"("metadata":{},"created":1,"livemode":false})",
     true,
     [](const Client& client, const std::string& object, const RequestOptions& options) {
       return errorOf(client.paymentIntents().update(object, {.description = "Tea"}, options));
     }},
};

inline std::ostream& operator<<(std::ostream& out, const Call& call) {
  return out << call.operation;
}

}  // namespace tally::test
