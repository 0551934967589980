// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/invoices.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of Invoices, mocked with GoogleMock: see MockResource.
class MockInvoices : public MockResource {
 public:
  using MockResource::MockResource;

  /// Creates an invoice for a subscription.
  MOCK_METHOD(Result<Invoice>, create, (const InvoiceCreateParams& params));

  /// Lists invoices, newest first.
  MOCK_METHOD(Result<Page<Invoice>>, list, (const InvoiceListParams& params));

  /// Searches invoices.
  MOCK_METHOD(Result<Page<Invoice>>, search, (const InvoiceSearchParams& params));

  /// Retrieves an invoice.
  MOCK_METHOD(Result<Invoice>, retrieve, (const std::string& id));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"invoices.create", &detail::respondWith<&MockInvoices::create>},
        {"invoices.list", &detail::respondWith<&MockInvoices::list>},
        {"invoices.search", &detail::respondWith<&MockInvoices::search>},
        {"invoices.retrieve", &detail::respondWith<&MockInvoices::retrieve>},
    };
    return table;
  }
};

}  // namespace tally::testing
