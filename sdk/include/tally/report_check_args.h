#pragma once

#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include <tally/call_options.h>
#include <tally/report_check.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {

template <class Owner>
struct OwnerArgOf {
  using type = std::optional<std::string_view>;
};
template <class Resource>
struct OwnerArgOf<Id<Resource>> {
  using type = IdArg<Resource>;
};

}  // namespace detail

/// The ReportCheckOptions of an asynchronous call; the members have the same meaning.
template <class T, class Attempt>
struct ReportCheckArgs {
  const T* before = nullptr;  ///< Copied by the call; may be null.
  typename detail::OwnerArgOf<Attempt>::type attempt{};

  [[nodiscard]] static ReportCheckArgs of(const ReportCheckOptions<T, Attempt>& known) {
    ReportCheckArgs args;
    if (known.before) args.before = &*known.before;
    if (known.attempt) args.attempt = *known.attempt;
    return args;
  }
  static ReportCheckArgs of(const ReportCheckOptions<T, Attempt>&&) = delete;  // a temporary
};

/// Any report: the arguments of the method that sends it, or a named `Report`, to which this refers. Both
/// convert to this type implicitly. A temporary `Report` does not.
template <class Report, class... Args>
class ReportArg {
 public:
  template <class T>
    requires(std::is_same_v<T, Args> || ...)
  ReportArg(const T& args) : report_(args) {}
  ReportArg(const Report& report) : report_(&report) {}
  ReportArg(const Report&&) = delete;

  /// The report. `own` turns the arguments of a method into its parameters.
  template <class Own>
  [[nodiscard]] Report report(Own own) const {
    return std::visit(
        [&](const auto& value) -> Report {
          if constexpr (std::is_same_v<decltype(value), const Report* const&>) {
            return *value;
          } else {
            return own(value);
          }
        },
        report_);
  }

 private:
  std::variant<Args..., const Report*> report_;
};

namespace detail {

template <class T, class Attempt>
[[nodiscard]] ReportCheckOptions<T, Attempt> own(const ReportCheckArgs<T, Attempt>& args) {
  ReportCheckOptions<T, Attempt> known;
  if (args.before != nullptr) known.before = *args.before;
  known.attempt = own(args.attempt);
  return known;
}

}  // namespace detail

}  // namespace tally
