#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>

#include <tally/borrowed.h>
#include <tally/error.h>
#include <tally/result.h>

namespace [[gnu::visibility("default")]] tally {

/// Whether a report has been applied, as far as its object shows. An object shows its metadata and the
/// outcome that was reported last, but not who reported that outcome or when. Spec: "States and transitions",
/// "Metadata rule".
enum class ReportStatus : std::uint8_t {
  /// The object shows the outcome and all metadata edits of this report. An earlier report with the same
  /// contents can't be distinguished from this one, and neither can a report that differs only in its time.
  applied,
  /// The report had not been applied when the object was read. A request that is still in flight can arrive
  /// later.
  notApplied,
  /// The object shows another report: another outcome, or other values for the metadata keys that this report
  /// edits. Whether this report was applied earlier is unknown.
  superseded,
  /// The object does not show whether the report was applied. Either its amounts match no outcome, or more
  /// than one (for example, because nothing was requested), or its states belong to another attempt.
  indeterminate,
};

/// Why resolveReport() did not send a report, or did not send it again.
enum class NoResendReason : std::uint8_t {
  applied,      ///< The object shows the report.
  refused,      ///< The object's state refuses the report. Spec: "States and transitions".
  otherReport,  ///< The object shows another report, which may be later than this one.
  /// The object shows an attempt other than that of the report. After the object was read, nothing was
  /// sent.
  otherAttempt,
  /// The report was resent, and the response shows another attempt. Another client began that attempt after
  /// the object was read, and the report was applied to it. ReportCheck::object is the object in that
  /// response.
  sentToOtherAttempt,
  indeterminate,  ///< The object shows no single state: its amounts match no outcome, or more than one.
  failed,     ///< Sending the report again ended in `ReportCheck::error`, and no retry is left or allowed.
  checkOnly,  ///< checkReport() sends nothing; resolveReport() would send this report.
};

/// The readable name, such as `not applied`.
[[nodiscard]] std::string_view toString(ReportStatus status) noexcept;
[[nodiscard]] std::string_view toString(NoResendReason reason) noexcept;

std::ostream& operator<<(std::ostream& out, ReportStatus status);
std::ostream& operator<<(std::ostream& out, NoResendReason reason);

/// What the caller of checkReport() or resolveReport() knows in addition to the report. Everything is
/// optional, but if nothing is known, the report is assumed to be about the attempt that the object shows. If
/// a newer attempt has begun in the meantime, resolveReport() then reports on the newer attempt. To prevent
/// this, name the attempt, or pass the object as it was before the report.
///
/// `Attempt` is the type of the field that names the owner of the states of a `T`: `Id<PaymentAttemptRecord>`
/// for a payment record. In code, use the name ReportCheckOptions. Asynchronous calls take the borrowing form
/// of ReportCheckOptions: see <tally/borrowed.h>.
template <class O, class T, class Attempt>
struct BasicReportCheckOptions {
  /// The object as it was before the report was first sent. It makes more cases decidable, and also
  /// identifies the attempt.
  Held<O, std::optional<T>> before{};
  /// The attempt that the report is about. While the object shows another attempt, nothing is sent.
  /// resolveReport() reads the object after its waits for the queue and the Pacer, and sends the report
  /// immediately afterwards. The service has no conditional requests, so an attempt that another client
  /// begins between this read and the arrival of the report becomes visible only in the response: see
  /// NoResendReason::sentToOtherAttempt. If the read and the report both count against a Pacer limit of 1,
  /// the report waits once more after the read.
  Held<O, std::optional<Attempt>> attempt{};

  operator BasicReportCheckOptions<detail::OppositeOf<O>, T, Attempt>() const& {
    return {.before = before, .attempt = attempt};
  }
  operator BasicReportCheckOptions<Borrowing, T, Attempt>() const&& = delete;  // a temporary: give it a name
};

template <class T, class Attempt>
using ReportCheckOptions = BasicReportCheckOptions<Owning, T, Attempt>;

namespace detail {

[[gnu::visibility("default")]] std::ostream& printKnown(std::ostream& out, bool before,
                                                        std::string_view attempt);

}  // namespace detail

/// Prints one line, without the object.
template <class T, class Attempt>
std::ostream& operator<<(std::ostream& out, const ReportCheckOptions<T, Attempt>& value) {
  std::string_view attempt;
  if (value.attempt) {
    if constexpr (requires { value.attempt->str(); }) {
      attempt = value.attempt->str();
    } else {
      attempt = *value.attempt;
    }
  }
  return detail::printKnown(out, value.before.has_value(), attempt);
}

/// The result of checkReport() and resolveReport(). Only `status` shows whether the report was applied, so a
/// Result with a ReportCheck does not convert to bool. Use `has_value()` to check whether the object was
/// read.
template <class T>
struct [[nodiscard]] ReportCheck {
  ReportStatus status = ReportStatus::indeterminate;
  /// Whether no report can change the object anymore, not even one that arrives late. Spec: "States and
  /// transitions", the row `guaranteed`.
  bool isFinal = false;
  /// The object as it was read; if resolveReport() has sent the report successfully, the object in the
  /// response.
  T object{};
  /// How often resolveReport() has sent the report again, counted as requests handed to the transport.
  int resends = 0;
  /// Why the report was not sent, or not sent again.
  NoResendReason noResendReason = NoResendReason::indeterminate;
  /// The error of the last send by resolveReport(), if that send failed and the report is not applied. Its
  /// effect and its attempts cover everything that resolveReport() has sent: the effect is `unknown` if any
  /// request may still arrive.
  std::optional<Error> error{};
};

namespace detail {

template <class T>
inline constexpr bool valueIsSuccess<ReportCheck<T>> = false;

[[gnu::visibility("default")]] std::ostream& printCheck(std::ostream& out, ReportStatus status, bool isFinal,
                                                        int resends, NoResendReason reason,
                                                        const std::optional<Error>& error);

}  // namespace detail

/// Prints one line, without the object, such as `not applied, resends: 0, no-resend reason: another report`.
template <class T>
std::ostream& operator<<(std::ostream& out, const ReportCheck<T>& check) {
  return detail::printCheck(out, check.status, check.isFinal, check.resends, check.noResendReason,
                            check.error);
}

}  // namespace tally
