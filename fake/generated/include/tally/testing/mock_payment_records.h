// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/payment_records.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of PaymentRecords, mocked with GoogleMock: see MockResource.
class MockPaymentRecords : public MockResource {
 public:
  using MockResource::MockResource;

  /// Lists payment records, newest first.
  MOCK_METHOD(Result<Page<PaymentRecord>>, list, (const PaymentRecordListParams& params));

  /// Searches payment records.
  MOCK_METHOD(Result<Page<PaymentRecord>>, search, (const PaymentRecordSearchParams& params));

  /// Retrieves a payment record.
  MOCK_METHOD(Result<PaymentRecord>, retrieve, (const std::string& id));

  /// Reports the latest payment attempt as canceled.
  MOCK_METHOD(Result<PaymentRecord>, reportCanceled,
              (const std::string& id, const PaymentRecordReportCanceledParams& params));

  /// Reports the latest payment attempt as failed.
  MOCK_METHOD(Result<PaymentRecord>, reportFailed,
              (const std::string& id, const PaymentRecordReportFailedParams& params));

  /// Reports the latest payment attempt as guaranteed.
  MOCK_METHOD(Result<PaymentRecord>, reportGuaranteed,
              (const std::string& id, const PaymentRecordReportGuaranteedParams& params));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"payment_records.list", &detail::respondWith<&MockPaymentRecords::list>},
        {"payment_records.search", &detail::respondWith<&MockPaymentRecords::search>},
        {"payment_records.retrieve", &detail::respondWith<&MockPaymentRecords::retrieve>},
        {"payment_records.report_canceled", &detail::respondWith<&MockPaymentRecords::reportCanceled>},
        {"payment_records.report_failed", &detail::respondWith<&MockPaymentRecords::reportFailed>},
        {"payment_records.report_guaranteed", &detail::respondWith<&MockPaymentRecords::reportGuaranteed>},
    };
    return table;
  }
};

}  // namespace tally::testing
