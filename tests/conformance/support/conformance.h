#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/support/service.h"

namespace tally::conformance {

using Ids = std::vector<std::string>;

constexpr std::chrono::sys_seconds reportTime{std::chrono::seconds{1'767'225'600}};

/// The fake of the specified service, and a client of one of its accounts.
class Conformance : public testing::Test {
 protected:
  Service service{};
  fake::Account account = service.addAccount();
  std::string key = account.sandboxKey;
  Client client{service.clientOptions(key)};
  PaymentRecords records = client.paymentRecords();

  /// A payment record in the sandbox, without reports.
  PaymentRecord insert(const std::function<void(PaymentRecord&)>& edit = {}) {
    return service.insert<PaymentRecord>(key, edit);
  }

  /// `count` payment records, created one second apart. Returns their identifiers in list order, newest
  /// first.
  Ids insertMany(int count) {
    Ids ids;
    for (int i = 0; i < count; ++i) {
      ids.insert(ids.begin(), insert([i](PaymentRecord& record) {
                                record.created = reportTime + std::chrono::seconds{i};
                                record.description = "Order " + std::to_string(i);
                              }).id.str());
    }
    return ids;
  }

  /// The raw response to a GET of `path`.
  HttpResponse get(const std::string& path) {
    return service.handle({.method = Method::get,
                           .url = "https://service.test" + path,
                           .headers = {{"Authorization", "Bearer " + key}}});
  }

  /// The raw response to a form posted to `path`.
  HttpResponse post(const std::string& path, const std::string& form) {
    return service.handle({.method = Method::post,
                           .url = "https://service.test" + path,
                           .headers = {{"Authorization", "Bearer " + key},
                                       {"Content-Type", "application/x-www-form-urlencoded"}},
                           .body = form});
  }
};

/// The identifiers of all objects in a list or search. Errors fail the test.
template <class T>
Ids idsOf(Pager<T> pager) {
  Ids ids;
  for (auto& object : pager) {
    if (object) {
      ids.push_back(object.value().id.str());
    } else {
      ADD_FAILURE() << object.error();
    }
  }
  return ids;
}

/// The error at the start of a list or search.
template <class T>
std::optional<Error> firstError(Pager<T> pager) {
  for (auto& object : pager)
    if (object.has_error()) return object.error();
  return std::nullopt;
}

/// The first page of a list or search. Errors fail the test.
template <class T>
Page<T> firstPage(Pager<T> pager) {
  for (auto& page : std::move(pager).pages()) {
    if (page) return std::move(page.value());
    ADD_FAILURE() << page.error();
  }
  return {};
}

}  // namespace tally::conformance
