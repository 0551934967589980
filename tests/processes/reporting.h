#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include "process.h"
#include "sockets.h"
#include "temporary_folder.h"

namespace tally::test {

/// What happens to a request on its way, and with it to the program that has sent it.
enum class Mishap : std::uint8_t {
  none,
  lost,                // the connection breaks before the request has reached the service
  answerLost,          // the connection breaks before the answer
  killed,              // before the request has reached the service
  killedBeforeAnswer,  // once the service has answered
  killedWithinAnswer,  // when the program has half of the answer
};

/// What the program says at the end of a report.
struct Told {
  int resends = 0;
  std::string word{};
  std::string reason{};
  std::string seen{};  // by checkReport(), before resolveReport()
};

/// The reporting program, and the service between which and the program everything can go wrong.
class Reporting {
 public:
  enum class Ended : std::uint8_t { done, notYet, killed };

  /// A record on which nobody has reported.
  Id<PaymentRecord> addRecord();

  /// A report that the program is to send. Returns its number.
  int ask(const Id<PaymentRecord>& record, std::string_view outcome);

  /// Starts the program, and goes along until it has ended. It kills itself at that step of its journal.
  Ended run(const std::string& known, int step = 0);

  /// From now on the record has another attempt, on which nobody has reported.
  void beginAttempt(const Id<PaymentRecord>& record) { renewed_.insert(record.str()); }

  /// Sends to the service what had not reached it when the program was killed. Returns how many requests.
  std::size_t arriveLate();

  [[nodiscard]] std::optional<Told> told(int number) const;

  /// How often the service has done what the report asks for, on the first attempt and on the next one.
  struct Times {
    int onFirst = 0;
    int onNext = 0;
    bool operator==(const Times&) const = default;
  };
  [[nodiscard]] Times timesDone(int number) const;

  /// Of the record as the first service has it; and the number of the report that it bears.
  [[nodiscard]] std::string stateOf(const Id<PaymentRecord>& record) const;
  [[nodiscard]] std::string reportOn(const Id<PaymentRecord>& record) const;

  /// Says what happens to the next request; nothing does by itself.
  std::function<Mishap()> mishap = [] { return Mishap::none; };
  /// Is called when a request's mishap has killed the program, with the record that it was about.
  std::function<void(const Id<PaymentRecord>& record)> afterKill = [](const auto&) {};

 private:
  /// One service where records have their first attempt, and one where they have the next: their records have
  /// the same identifiers, and their accounts the same keys.
  struct Side {
    fake::Service service{{.limits = false, .requestLog = 100'000}};
    std::string key = service.addAccount().sandboxKey;
    fake::HttpServer server{service};
  };

  void exchange(const Process& program);
  [[nodiscard]] std::string answerTo(const std::string& request);
  void kill(const Process& program, const std::string& request);
  [[nodiscard]] int timesDone(const Side& side, int number) const;
  [[nodiscard]] std::string journal() const;

  Side first_{};
  Side next_{};
  std::set<std::string> renewed_{};  // records that have their next attempt
  std::vector<std::string> held_{};  // requests
  Listener listener_{};
  TemporaryFolder folder_{};
  int jobs_ = 0;
};

}  // namespace tally::test
