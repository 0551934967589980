#include "service/log_recording.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "faults/logged_exchange.h"
#include "har/har_text.h"

namespace tally::fake::detail {

LogRecording::LogRecording(Requests requests, RequestPattern pattern, std::uint64_t after, std::size_t limit)
    : requests_(std::move(requests)),
      pattern_(std::move(pattern)),
      last_(requests_.lastNumber()),
      after_(after),
      left_(limit) {
  (void)requests_.matching(pattern_, last_, 1);  // throws for an unknown operation
}

std::optional<std::string> LogRecording::next() {
  constexpr std::size_t atOnce = 100;
  if (ended_) return std::nullopt;
  std::string piece = std::exchange(begun_, true) ? "" : tally::detail::harBegin();
  const std::size_t most = std::min(left_, atOnce);
  const std::vector<LoggedRequest> found =
      most == 0 ? std::vector<LoggedRequest>{} : requests_.matching(pattern_, after_, most);
  for (const LoggedRequest& request : found) {
    if (request.number > last_) break;
    after_ = request.number;
    --left_;
    if (written_++ != 0) piece += tally::detail::harSeparator;
    tally::detail::appendHarEntry(piece, redactor_.redacted(exchangeOf(request)));
  }
  ended_ = found.size() < most || most == 0 || found.back().number > last_;
  if (ended_) piece += tally::detail::harEnd;
  return piece;
}

}  // namespace tally::fake::detail
