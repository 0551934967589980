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

#include "sockets.h"
#include "support/process.h"
#include "temporary_folder.h"

namespace tally::test {

/// What happens to a request in flight, and to the program that sent it.
enum class Mishap : std::uint8_t {
  none,
  lost,                  // the connection breaks before the request reaches the service
  responseLost,          // the connection breaks before the response
  killed,                // before the request reaches the service
  killedBeforeResponse,  // after the service has responded
  killedWithinResponse,  // when the program has received half of the response
};

/// What the program records about a finished report.
struct Told {
  int resends = 0;
  std::string word{};
  std::string reason{};
  std::string seen{};  // by checkReport(), before resolveReport()
};

/// The reporting program, its service, and a proxy between them that injects failures.
class Reporting {
 public:
  enum class Ended : std::uint8_t { done, notYet, killed };

  /// A record without reports.
  Id<PaymentRecord> addRecord();

  /// Assigns a report to the program. Returns its number.
  int ask(const Id<PaymentRecord>& record, std::string_view outcome);

  /// Starts the program, and forwards its requests until it ends. It kills itself at the given step of its
  /// journal.
  Ended run(const std::string& known, int step = 0);

  /// From now on, the record has a new attempt without reports.
  void beginAttempt(const Id<PaymentRecord>& record) { renewed_.insert(record.str()); }

  /// Delivers to the service the requests that had not reached it when the program was killed. Returns their
  /// number.
  std::size_t arriveLate();

  [[nodiscard]] std::optional<Told> told(int number) const;

  /// How often the service applied the report on the first attempt and on the next one.
  struct Times {
    int onFirst = 0;
    int onNext = 0;
    bool operator==(const Times&) const = default;
  };
  [[nodiscard]] Times timesDone(int number) const;

  /// The state of the record at the first service, and the number of the report that it shows.
  [[nodiscard]] std::string stateOf(const Id<PaymentRecord>& record) const;
  [[nodiscard]] std::string reportOn(const Id<PaymentRecord>& record) const;

  /// Decides what happens to the next request. Default: nothing goes wrong.
  std::function<Mishap()> mishap = [] { return Mishap::none; };
  /// Called with the record after a mishap of a request has killed the program.
  std::function<void(const Id<PaymentRecord>& record)> afterKill = [](const auto&) {};

 private:
  /// One service has the first attempts of the records, the other the next ones. Identifiers and keys are the
  /// same.
  struct Side {
    fake::Service service{{.limits = false, .requestLog = 100'000}};
    std::string key = service.addAccount().sandboxKey;
    fake::HttpServer server{service};
  };

  void exchange(const Process& program);
  [[nodiscard]] std::string responseTo(const std::string& request);
  void kill(const Process& program, const std::string& request);
  [[nodiscard]] int timesDone(const Side& side, int number) const;
  [[nodiscard]] std::string journal() const;

  Side first_{};
  Side next_{};
  std::set<std::string> renewed_{};  // records whose next attempt has begun
  std::vector<std::string> held_{};  // requests
  Listener listener_{};
  TemporaryFolder folder_{};
  int jobs_ = 0;
};

}  // namespace tally::test
