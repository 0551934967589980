// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/amount.h>
#include <tally/borrowed.h>
#include <tally/id.h>
#include <tally/integer.h>
#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/metadata.h>
#include <tally/open_enum.h>
#include <tally/options.h>
#include <tally/pager.h>
#include <tally/report.h>
#include <tally/result.h>
#include <tally/search_query.h>
#include <tally/timestamp.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ClientCore;
}

/// A group of widgets. Only its identifier is known.
struct Gadget;

/// The number on a widget's plate. Only its identifier is known.
struct WidgetSerial;

/// How it is painted.
/// Assumed (not specified): Strings with "shown values", such as `customer_presence`.
enum class WidgetColour : std::uint8_t {
  red,        ///< Like a brick.
  darkGreen,  ///< Like a fir.
  flat,       ///< Hardly painted at all.
  skyBlue,
};

template <>
struct EnumTexts<WidgetColour> {
  static constexpr std::string_view values[] = {
      "red",         // red
      "dark-green",  // darkGreen
      "2d",          // flat
      "sky_blue",    // skyBlue
  };
};

/// The known values of an open set.
/// Assumed (not specified): Widgets.
enum class WidgetPackingSealedWith : std::uint8_t {
  tape,
  wax,
};

template <>
struct EnumTexts<WidgetPackingSealedWith> {
  static constexpr std::string_view values[] = {
      "tape",  // tape
      "wax",   // wax
  };
};

/// How big it is.
/// Assumed (not specified): Widgets.
template <class O>
struct BasicWidgetSize {
  std::int64_t width{};                  ///< In millimetres.
  std::optional<std::int64_t> height{};  ///< In millimetres; as wide as high if not given.

  operator BasicWidgetSize<detail::OppositeOf<O>>() const&;
  operator BasicWidgetSize<Borrowing>() const&& = delete;  // a temporary: give it a name
  bool operator==(const BasicWidgetSize&) const = default;
};

using WidgetSize = BasicWidgetSize<Owning>;
std::ostream& operator<<(std::ostream& out, const WidgetSize& value);

/// How it is packed.
/// Assumed (not specified): Widgets.
struct WidgetPacking {
  std::string material{};
  std::optional<std::int64_t> layers{};
  std::optional<OpenEnum<WidgetPackingSealedWith>> sealedWith{};

  bool operator==(const WidgetPacking&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const WidgetPacking& value);
};

/// A part of a widget.
/// Assumed (not specified): Widgets.
template <class O>
struct BasicWidgetPart {
  Held<O, std::string> name{};
  std::int64_t count{};
  Held<O, std::optional<Id<Gadget>>> maker{};

  operator BasicWidgetPart<detail::OppositeOf<O>>() const&;
  operator BasicWidgetPart<Borrowing>() const&& = delete;  // a temporary: give it a name
  bool operator==(const BasicWidgetPart&) const = default;
};

using WidgetPart = BasicWidgetPart<Owning>;
std::ostream& operator<<(std::ostream& out, const WidgetPart& value);

/// Assumed (not specified): Widgets.
struct WidgetTestsItem {
  bool passed{};
  std::optional<std::chrono::sys_seconds> at{};

  bool operator==(const WidgetTestsItem&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const WidgetTestsItem& value);
};

/// A thing that turns.
/// Assumed (not specified): Widgets.
struct Widget {
  static constexpr std::string_view object = "widget";

  Id<Widget> id{};                     ///< Widget identifier.
  std::chrono::sys_seconds created{};  ///< When it was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  std::string name{};                  ///< What it is called.
  OpenEnum<WidgetColour> colour{};     ///< How it is painted.
  Amount price{};                      ///< What it costs.
  Amount lastPrice{};                  ///< What it cost when it was retired.
  std::int64_t teeth{};                ///< 3 to 99.
  std::int64_t turns{};
  bool running{};
  std::optional<bool> hollow{};  ///< Absent if unknown.
  std::optional<std::chrono::sys_seconds> madeAt{};
  Id<WidgetSerial> serial{};               ///< The number on its plate.
  std::optional<Id<Gadget>> gadget{};      ///< The gadget that it belongs to, if any.
  std::optional<std::string> note{};       ///< The latest note on the widget.
  WidgetSize size{};                       ///< How big it is.
  std::optional<WidgetPacking> packing{};  ///< How it is packed.
  std::vector<WidgetPart> parts{};
  std::vector<std::string> labels{};                ///< Words to find it by.
  std::optional<std::vector<Id<Widget>>> owners{};  ///< The widgets that contain this one.
  std::optional<std::vector<WidgetTestsItem>> tests{};
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::optional<RawJson> blueprint{};  ///< Drawn by hand, in a form of its own.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const Widget&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Widget& value);
};

/// How it is packed.
/// Assumed (not specified): Widgets.
template <class O>
struct BasicWidgetCreateParamsPacking {
  Held<O, std::string> material{};
  std::optional<std::int64_t> layers{};

  operator BasicWidgetCreateParamsPacking<detail::OppositeOf<O>>() const&;
  operator BasicWidgetCreateParamsPacking<Borrowing>() const&& = delete;  // a temporary: give it a name
  bool operator==(const BasicWidgetCreateParamsPacking&) const = default;
};

using WidgetCreateParamsPacking = BasicWidgetCreateParamsPacking<Owning>;
std::ostream& operator<<(std::ostream& out, const WidgetCreateParamsPacking& value);

/// Parameters of Widgets::create.
template <class O>
struct BasicWidgetCreateParams {
  /// Required. What it is called.
  Held<O, std::optional<std::string>> name{};
  /// Required. What it costs.
  Held<O, std::optional<Amount>> price{};
  /// How it is painted.
  Held<O, std::optional<OpenEnum<WidgetColour>>> colour{};
  /// When it was made.
  std::optional<Timestamp> madeAt{};
  /// How many teeth it has. 3 to 99; default 12.
  std::optional<Integer> teeth{};
  /// Whether there is nothing inside.
  std::optional<bool> hollow{};
  /// The gadget that it belongs to.
  Held<O, std::optional<Id<Gadget>>> gadget{};
  /// Words to find it by.
  Held<O, std::vector<std::string>> labels{};
  /// How big it is.
  Held<O, std::optional<WidgetSize>> size{};
  Held<O, std::vector<WidgetPart>> parts{};
  /// How it is packed.
  Held<O, std::optional<WidgetCreateParamsPacking>> packing{};
  /// Sets or unsets keys, or unsets all keys.
  Held<O, MetadataEdit> metadata{};

  operator BasicWidgetCreateParams<detail::OppositeOf<O>>() const&;
  operator BasicWidgetCreateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using WidgetCreateParams = BasicWidgetCreateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const WidgetCreateParams& value);

/// Parameters of Widgets::list.
template <class O>
struct BasicWidgetListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<Widget>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<Widget>>> endingBefore{};
  /// Only widgets of this colour.
  Held<O, std::optional<OpenEnum<WidgetColour>>> colour{};

  operator BasicWidgetListParams<detail::OppositeOf<O>>() const&;
  operator BasicWidgetListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using WidgetListParams = BasicWidgetListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const WidgetListParams& value);

/// Parameters of Widgets::search.
template <class O>
struct BasicWidgetSearchParams {
  /// Required. The search query.
  Held<O, std::optional<SearchQuery<Widget>>> query{};
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// The `next_page` of the previous page; omitted for the first page.
  Held<O, std::optional<std::string>> page{};
  /// The fields to expand: `total_count`.
  Held<O, std::vector<std::string>> expand{};

  operator BasicWidgetSearchParams<detail::OppositeOf<O>>() const&;
  operator BasicWidgetSearchParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using WidgetSearchParams = BasicWidgetSearchParams<Owning>;
std::ostream& operator<<(std::ostream& out, const WidgetSearchParams& value);

/// Parameters of Widgets::update.
template <class O>
struct BasicWidgetUpdateParams {
  Held<O, std::optional<std::string>> name{};               ///< What it is called.
  Held<O, std::optional<OpenEnum<WidgetColour>>> colour{};  ///< How it is painted.
  Held<O, MetadataEdit> metadata{};                         ///< Sets or unsets keys, or unsets all keys.

  operator BasicWidgetUpdateParams<detail::OppositeOf<O>>() const&;
  operator BasicWidgetUpdateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using WidgetUpdateParams = BasicWidgetUpdateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const WidgetUpdateParams& value);

/// Parameters of Widgets::redraw.
template <class O>
struct BasicWidgetRedrawParams {
  Held<O, std::optional<RawJson>> blueprint{};  ///< Required. Anything at all.
  Held<O, std::optional<std::string>> name{};   ///< What it is called.
  Held<O, std::vector<std::string>> labels{};   ///< Words to find it by.
  Held<O, std::optional<Id<Gadget>>> gadget{};  ///< The gadget that it belongs to.
  Held<O, MetadataEdit> metadata{};             ///< Sets or unsets keys, or unsets all keys.

  operator BasicWidgetRedrawParams<detail::OppositeOf<O>>() const&;
  operator BasicWidgetRedrawParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using WidgetRedrawParams = BasicWidgetRedrawParams<Owning>;
std::ostream& operator<<(std::ostream& out, const WidgetRedrawParams& value);

/// Parameters of Widgets::reportSwitchedOnAndRunningAtFullSpeed.
template <class O>
struct BasicWidgetReportSwitchedOnAndRunningAtFullSpeedParams {
  /// Required. When it came up to speed, as well as anyone who stood beside it at that time can remember, or
  /// can be made to.
  std::optional<Timestamp> runningAtFullSpeedSince{};
  /// Sets or unsets keys, or unsets all keys.
  Held<O, MetadataEdit> metadata{};

  operator BasicWidgetReportSwitchedOnAndRunningAtFullSpeedParams<detail::OppositeOf<O>>() const&;
  operator BasicWidgetReportSwitchedOnAndRunningAtFullSpeedParams<Borrowing>() const&& =
      delete;  // a temporary: give it a name
};

using WidgetReportSwitchedOnAndRunningAtFullSpeedParams =
    BasicWidgetReportSwitchedOnAndRunningAtFullSpeedParams<Owning>;
std::ostream& operator<<(std::ostream& out, const WidgetReportSwitchedOnAndRunningAtFullSpeedParams& value);

/// Parameters of Widgets::reportRetired.
template <class O>
struct BasicWidgetReportRetiredParams {
  Held<O, MetadataEdit> metadata{};  ///< Sets or unsets keys, or unsets all keys.

  operator BasicWidgetReportRetiredParams<detail::OppositeOf<O>>() const&;
  operator BasicWidgetReportRetiredParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using WidgetReportRetiredParams = BasicWidgetReportRetiredParams<Owning>;
std::ostream& operator<<(std::ostream& out, const WidgetReportRetiredParams& value);

/// The fields for conditions in a search of Widgets. See <tally/search_query.h>.
struct WidgetSearchFields {
  struct PriceFields : query::FieldGroup<Widget> {
    query::NumberField<Widget> value;
  };
  struct SizeFields : query::FieldGroup<Widget> {
    query::NumberField<Widget> width;
  };

  static constexpr query::TextField<Widget> name{"name"};
  static constexpr query::EnumField<Widget, WidgetColour> colour{"colour"};
  static constexpr PriceFields price{{}, {"price.value"}};
  static constexpr query::TimeField<Widget> madeAt{"made_at"};
  static constexpr query::BooleanField<Widget> running{"running"};
  static constexpr query::IdField<Widget, Gadget> gadget{"gadget"};
  static constexpr SizeFields size{{}, {"size.width"}};
  static constexpr query::MetadataField<Widget> metadata{"metadata"};
};

/// Creates, retrieves, updates, lists and searches widgets, and reports their states until they are retired.
/// Thread-safe; may outlive its Client. Made by Client::widgets().
class Widgets {
 public:
  explicit Widgets(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  Widgets(const Widgets&) = default;
  Widgets& operator=(const Widgets&) = default;
  ~Widgets() = default;

  /// Creates a widget.
  /// Assumed (not specified): Widgets.
  [[nodiscard]] Result<Widget> create(const WidgetCreateParams& params,
                                      const RequestOptions& options = {}) const;

  /// Lists widgets, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<Widget> list(const WidgetListParams& params = {},
                                   const RequestOptions& options = {}) const;

  /// Searches widgets.
  /// Spec: "Search operations".
  /// Assumed (not specified): Searchable resources.
  [[nodiscard]] Pager<Widget> search(const WidgetSearchParams& params,
                                     const RequestOptions& options = {}) const;

  /// The same with a condition on fields in WidgetSearchFields.
  template <query::IsCondition C>
  [[nodiscard]] Pager<Widget> search(const C& condition, const RequestOptions& options = {}) const {
    return search(WidgetSearchParams{.query = condition}, options);
  }

  /// Retrieves a widget.
  /// Assumed (not specified): The retrieve operation.
  /// Assumed (not specified): Widgets.
  [[nodiscard]] Result<Widget> retrieve(const Id<Widget>& id, const RequestOptions& options = {}) const;

  /// Updates the given fields of a widget and leaves the others unchanged.
  /// Assumed (not specified): Widgets.
  [[nodiscard]] Result<Widget> update(const Id<Widget>& id, const WidgetUpdateParams& params,
                                      const RequestOptions& options = {}) const;

  /// Updates the blueprint of a widget. Takes JSON.
  /// Assumed (not specified): Widgets.
  /// Assumed (not specified): Request body encoding.
  [[nodiscard]] Result<Widget> redraw(const Id<Widget>& id, const WidgetRedrawParams& params,
                                      const RequestOptions& options = {}) const;

  /// Reports that a widget runs.
  /// Assumed (not specified): Widgets.
  [[nodiscard]] Result<Widget> reportSwitchedOnAndRunningAtFullSpeed(
      const Id<Widget>& id, const WidgetReportSwitchedOnAndRunningAtFullSpeedParams& params,
      const RequestOptions& options = {}) const;

  /// Reports that a widget is out of service.
  /// Assumed (not specified): Widgets.
  [[nodiscard]] Result<Widget> reportRetired(const Id<Widget>& id,
                                             const WidgetReportRetiredParams& params = {},
                                             const RequestOptions& options = {}) const;

  /// Sends any report on a widget, given as a Report, which can come from a string. The call ends in
  /// ErrorKind::invalidParameter if no client can send the Report, or if it is on another resource.
  [[nodiscard]] Result<Widget> report(const Report& report, const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
