#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <tally/fake/requests.h>

#include "har/exchange_redactor.h"

namespace tally::fake::detail {

/// The log as HAR, piece by piece, so that a long one neither needs memory nor holds up the service.
class LogRecording {
 public:
  /// The arguments are those of Requests::matching(). Throws as it does.
  LogRecording(Requests requests, RequestPattern pattern, std::uint64_t after, std::size_t limit);

  /// Nothing at the end. Leaves out requests that came after the first piece.
  [[nodiscard]] std::optional<std::string> next();

 private:
  const Requests requests_;
  const RequestPattern pattern_;
  const std::uint64_t last_;
  std::uint64_t after_;
  std::size_t left_;
  bool begun_ = false;
  bool ended_ = false;
  std::size_t written_ = 0;
  tally::detail::ExchangeRedactor redactor_{};
};

}  // namespace tally::fake::detail
