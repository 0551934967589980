#pragma once

#include <optional>
#include <type_traits>

#include <tally/call_options.h>
#include <tally/report_check.h>

namespace tally {

namespace detail {

template <class Owner>
struct OwnerArgOf {
  using type = std::string_view;
};
template <class Resource>
struct OwnerArgOf<Id<Resource>> {
  using type = IdArg<Resource>;
};

}  // namespace detail

/// The ReportCheckOptions of an asynchronous call; the members mean the same.
template <class T, class Attempt>
struct ReportCheckArgs {
  const T* before = nullptr;  ///< Copied by the call; may be null.
  std::optional<typename detail::OwnerArgOf<Attempt>::type> attempt{};

  [[nodiscard]] static ReportCheckArgs of(const ReportCheckOptions<T, Attempt>& known) {
    ReportCheckArgs args;
    if (known.before) args.before = &*known.before;
    if (known.attempt) args.attempt.emplace(*known.attempt);
    return args;
  }
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
