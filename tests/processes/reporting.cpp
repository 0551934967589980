#include "reporting.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <tally/fake/sent_request.h>

#include <poll.h>
#include <unistd.h>

#include "fake/server/support/peer.h"

namespace tally::test {

namespace {

constexpr int notYetStatus = 75;

std::string recordIn(const std::string& request) {
  const std::size_t begin = request.find("pr_");
  return request.substr(begin, request.find_first_of(" /?", begin) - begin);
}

/// Gives every request its own connection, which ends with the response.
std::string alone(std::string request) {
  return request.insert(request.find("\r\n") + 2, "Connection: close\r\n");
}

/// Waits for a connection to `listener`. False if the program has ended.
bool awaitConnection(int listener, const Process& program) {
  pollfd files[] = {{.fd = listener, .events = POLLIN, .revents = 0},
                    {.fd = program.output(), .events = POLLIN, .revents = 0}};
  if (poll(std::data(files), std::size(files), -1) < 0)
    throw std::system_error{errno, std::generic_category(), "poll"};
  return files[0].revents != 0;
}

}  // namespace

Id<PaymentRecord> Reporting::addRecord() {
  const PaymentRecord record = first_.service.insert<PaymentRecord>(first_.key);
  (void)next_.service.insert<PaymentRecord>(next_.key, [&](PaymentRecord& other) {
    other.id = record.id;
    other.latestPaymentAttemptRecord = record.latestPaymentAttemptRecord.str() + "next";
  });
  return record.id;
}

int Reporting::ask(const Id<PaymentRecord>& record, std::string_view outcome) {
  std::ofstream{journal(), std::ios::app} << "job " << ++jobs_ << ' ' << record << ' ' << outcome << '\n';
  return jobs_;
}

Reporting::Ended Reporting::run(const std::string& known, int step) {
  Process program{TALLY_REPORTING_PROGRAM,
                  {listener_.url(), first_.key, journal(), known, std::to_string(step)}};
  while (awaitConnection(listener_.socket(), program))
    exchange(program);
  const int status = program.status();
  if (status == EXIT_SUCCESS) return Ended::done;
  if (status == notYetStatus) return Ended::notYet;
  if (const std::string rest = program.rest(); status >= 0 || !rest.empty())
    throw std::runtime_error{"the program has ended with " + std::to_string(status) + ": " + rest};
  return Ended::killed;
}

void Reporting::exchange(const Process& program) {
  const int connection = listener_.acceptOne();
  const std::string request = alone(receiveRequest(connection));
  const Mishap what = mishap();
  if (what == Mishap::killed) {
    held_.push_back(request);
    kill(program, request);
  } else if (what != Mishap::lost) {
    const std::string response = responseTo(request);
    if (what == Mishap::none) (void)sendAll(connection, response);
    if (what == Mishap::killedWithinResponse)
      (void)sendAll(connection, response.substr(0, response.size() / 2));
    if (what == Mishap::killedBeforeResponse || what == Mishap::killedWithinResponse) kill(program, request);
  }
  close(connection);
}

void Reporting::kill(const Process& program, const std::string& request) {
  program.endAtOnce();
  afterKill(recordIn(request));
}

std::string Reporting::responseTo(const std::string& request) {
  const Side& side = renewed_.contains(recordIn(request)) ? next_ : first_;
  Peer peer{side.server.port()};
  (void)peer.send(request);
  return peer.rest();
}

std::size_t Reporting::arriveLate() {
  const std::vector<std::string> late = std::exchange(held_, {});
  for (const std::string& request : late)
    (void)responseTo(request);
  return late.size();
}

std::optional<Told> Reporting::told(int number) const {
  std::ifstream file{journal()};
  const std::string start = "told " + std::to_string(number) + ' ';
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(start)) continue;
    std::istringstream text{line.substr(start.size())};
    Told told;
    text >> told.resends >> told.word >> told.reason >> told.seen;
    return told;
  }
  return std::nullopt;
}

int Reporting::timesDone(const Side& side, int number) const {
  const fake::SentParam job{"metadata[job]", std::to_string(number)};
  return static_cast<int>(std::ranges::count_if(side.service.requests().list(), [&](const auto& logged) {
    return logged.processed && std::ranges::count(fake::sentParams(logged.request), job) != 0;
  }));
}

Reporting::Times Reporting::timesDone(int number) const {
  return {.onFirst = timesDone(first_, number), .onNext = timesDone(next_, number)};
}

std::string Reporting::stateOf(const Id<PaymentRecord>& record) const {
  return first_.service.objects().stateOf(first_.key, record.str()).value();
}

std::string Reporting::reportOn(const Id<PaymentRecord>& record) const {
  const fake::Service copy = first_.service.fork();
  const Client client{{.apiKey = first_.key,
                       .baseUrl = "https://service.test",
                       .transport = copy.transport(),
                       .clock = copy.clock()}};
  const Metadata metadata = client.paymentRecords().retrieve(record).value().metadata;
  const auto job = metadata.find("job");
  return job == metadata.end() ? "none" : job->second;
}

std::string Reporting::journal() const {
  return (folder_.path() / "journal").string();
}

}  // namespace tally::test
