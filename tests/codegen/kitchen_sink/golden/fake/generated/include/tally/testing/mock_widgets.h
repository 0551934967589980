// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/testing/mock_resource.h>
#include <tally/widgets.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of Widgets, mocked with GoogleMock: see MockResource.
class MockWidgets : public MockResource {
 public:
  using MockResource::MockResource;

  /// Creates a widget.
  MOCK_METHOD(Result<Widget>, create, (const WidgetCreateParams& params));

  /// Lists widgets, newest first.
  MOCK_METHOD(Result<Page<Widget>>, list, (const WidgetListParams& params));

  /// Searches widgets.
  MOCK_METHOD(Result<Page<Widget>>, search, (const WidgetSearchParams& params));

  /// Retrieves a widget.
  MOCK_METHOD(Result<Widget>, retrieve, (const std::string& id));

  /// Updates the given fields of a widget and leaves the others unchanged.
  MOCK_METHOD(Result<Widget>, update, (const std::string& id, const WidgetUpdateParams& params));

  /// Updates the blueprint of a widget. Takes JSON.
  MOCK_METHOD(Result<Widget>, redraw, (const std::string& id, const WidgetRedrawParams& params));

  /// Reports that a widget runs.
  MOCK_METHOD(Result<Widget>, reportSwitchedOnAndRunningAtFullSpeed,
              (const std::string& id, const WidgetReportSwitchedOnAndRunningAtFullSpeedParams& params));

  /// Reports that a widget is out of service.
  MOCK_METHOD(Result<Widget>, reportRetired,
              (const std::string& id, const WidgetReportRetiredParams& params));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"widgets.create", &detail::respondWith<&MockWidgets::create>},
        {"widgets.list", &detail::respondWith<&MockWidgets::list>},
        {"widgets.search", &detail::respondWith<&MockWidgets::search>},
        {"widgets.retrieve", &detail::respondWith<&MockWidgets::retrieve>},
        {"widgets.update", &detail::respondWith<&MockWidgets::update>},
        {"widgets.redraw", &detail::respondWith<&MockWidgets::redraw>},
        {"widgets.report_switched_on_and_running_at_full_speed",
         &detail::respondWith<&MockWidgets::reportSwitchedOnAndRunningAtFullSpeed>},
        {"widgets.report_retired", &detail::respondWith<&MockWidgets::reportRetired>},
    };
    return table;
  }
};

}  // namespace tally::testing
