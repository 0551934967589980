#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <gtest/gtest.h>

#include "control/control.h"
#include "fake/support/requests.h"

namespace tally::fake::detail {

inline const std::string records = "/v1/payment_records";

class ControlTest : public testing::Test {
 protected:
  HttpResponse send(const HttpRequest& request, const std::string& otherMethod = {}) {
    return std::get<HttpResponse>(
        control.handle({.request = request, .otherMethod = otherMethod}, {}).result);
  }
  HttpResponse get(const std::string& path) { return send(test::get(key, path)); }
  HttpResponse post(const std::string& path, const std::string& body = {}) {
    return send(test::post(key, path, body, "application/json"));
  }
  HttpResponse postForm(const std::string& path, const std::string& body) {
    return send(test::post(key, path, body));
  }

  /// The content of a response, which must be 200.
  boost::json::value told(const HttpResponse& response) {
    EXPECT_EQ(response.status, 200) << response.body;
    return test::bodyOf(response);
  }

  boost::json::value toldBy(const std::string& other, const std::string& path, const std::string& body) {
    return told(send(test::post(other, path, body, "application/json")));
  }
  boost::json::value toldBy(const std::string& other, const std::string& path) {
    return told(send(test::get(other, path)));
  }

  std::string insertOne() {
    return test::text(told(post("/_fake/records", R"({"resource":"payment_record"})")).at("ids").at(0));
  }
  std::string report(const std::string& id) {
    return test::errorOf(postForm(records + '/' + id + "/report_payment_attempt_failed", "failed_at=1"));
  }

  Host host{{.virtualClock = true}};
  std::shared_ptr<Tenant> firstKept = host.add();
  Tenant& first = *firstKept;
  Control control{host};
  std::string key = first.account.sandboxKey;
};

}  // namespace tally::fake::detail
