// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_widgets.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "async/async_reports.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<Widget>::value;

namespace {

static_assert(std::is_trivially_destructible_v<WidgetCreateArgs>);
WidgetCreateParams own(const WidgetCreateArgs& args) {
  return {
      .name = detail::own(args.name),
      .price = detail::own(args.price),
      .colour = detail::own(args.colour),
      .madeAt = detail::own(args.madeAt),
      .teeth = detail::own(args.teeth),
      .hollow = detail::own(args.hollow),
      .gadget = detail::own(args.gadget),
      .labels = detail::own(args.labels),
      .size = detail::own(args.size),
      .parts = detail::own(args.parts),
      .packing = detail::own(args.packing),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<WidgetListArgs>);
WidgetListParams own(const WidgetListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
      .colour = detail::own(args.colour),
  };
}

static_assert(std::is_trivially_destructible_v<WidgetSearchArgs>);
WidgetSearchParams own(const WidgetSearchArgs& args) {
  return {
      .query = detail::own(args.query),
      .limit = detail::own(args.limit),
      .page = detail::own(args.page),
      .expand = detail::own(args.expand),
  };
}

static_assert(std::is_trivially_destructible_v<WidgetUpdateArgs>);
WidgetUpdateParams own(const WidgetUpdateArgs& args) {
  return {
      .name = detail::own(args.name),
      .colour = detail::own(args.colour),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<WidgetRedrawArgs>);
WidgetRedrawParams own(const WidgetRedrawArgs& args) {
  return {
      .blueprint = detail::own(args.blueprint),
      .name = detail::own(args.name),
      .labels = detail::own(args.labels),
      .gadget = detail::own(args.gadget),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<WidgetReportSwitchedOnAndRunningAtFullSpeedArgs>);
WidgetReportSwitchedOnAndRunningAtFullSpeedParams own(
    const WidgetReportSwitchedOnAndRunningAtFullSpeedArgs& args) {
  return {
      .runningAtFullSpeedSince = detail::own(args.runningAtFullSpeedSince),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<WidgetReportRetiredArgs>);
WidgetReportRetiredParams own(const WidgetReportRetiredArgs& args) {
  return {
      .metadata = detail::own(args.metadata),
  };
}

}  // namespace

Call<Widget> AsyncWidgets::create(const WidgetCreateArgs& args, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::widgetsCreate, {}, own(args), options);
}

AsyncPager<Widget> AsyncWidgets::list(const WidgetListArgs& args, const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::widgetsList, own(args), options);
}

AsyncPager<Widget> AsyncWidgets::search(const WidgetSearchArgs& args, const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::widgetsSearch, own(args), options);
}

Call<Widget> AsyncWidgets::retrieve(const Id<Widget>& id, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::widgetsRetrieve, id.str(), options);
}

Call<Widget> AsyncWidgets::update(const Id<Widget>& id, const WidgetUpdateArgs& args,
                                  const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::widgetsUpdate, id.str(), own(args), options);
}

Call<Widget> AsyncWidgets::redraw(const Id<Widget>& id, const WidgetRedrawArgs& args,
                                  const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::widgetsRedraw, id.str(), own(args), options);
}

Call<Widget> AsyncWidgets::reportSwitchedOnAndRunningAtFullSpeed(
    const Id<Widget>& id, const WidgetReportSwitchedOnAndRunningAtFullSpeedArgs& args,
    const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::widgetsReportSwitchedOnAndRunningAtFullSpeed, id.str(), own(args),
                           options);
}

Call<Widget> AsyncWidgets::reportRetired(const Id<Widget>& id, const WidgetReportRetiredArgs& args,
                                         const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::widgetsReportRetired, id.str(), own(args), options);
}

Call<Widget> AsyncWidgets::report(const Report& report, const CallOptions& options) const {
  return detail::asyncSendReport<Widget>(engine_, detail::widgetResource, report, options);
}

template class AsyncPager<Widget>;

}  // namespace tally
