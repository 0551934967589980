#include "event_log.h"

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string>

#include <tally/clock.h>

#include "text/readable.h"

namespace tally::detail {

void EventLog::write(const OutboxEvent& event) {
  std::string name{toString(event.kind)};
  std::ranges::replace(name, ' ', '_');
  write(name, {{"domain", event.domain},
               {"report", event.report == 0 ? std::string{} : std::to_string(event.report)},
               {"object", event.object},
               {"reason", event.reason}});
}

void EventLog::write(std::string_view event, std::initializer_list<Field> fields) {
  std::string line = "time=" + toString(Instant{std::chrono::system_clock::now()});
  line.append(" event=").append(event);
  for (const auto& [name, value] : fields) {
    if (value.empty()) continue;
    line.append(" ").append(name) += '=';
    appendWord(line, value);
  }
  line += '\n';
  const std::lock_guard lock{mutex_};
  if (!out_) {  // a full disk may have cut the last line
    out_.clear();
    line.insert(0, 1, '\n');
  }
  out_ << line << std::flush;
}

}  // namespace tally::detail
