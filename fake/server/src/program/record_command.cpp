#include "program/record_command.h"

#include <array>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <unistd.h>

#include "files/file_input.h"
#include "format/control_json.h"
#include "format/json_input.h"
#include "format/members.h"
#include "net/listener.h"
#include "program/command_options.h"
#include "program/endings.h"
#include "program/printed.h"
#include "program/ready_file.h"
#include "record/recorder.h"
#include "redact/complaint.h"

namespace tally::fake::detail {

namespace {

using RecordOption = CommandOption<RecordLine>;
using StoreRecord = Store<RecordLine>;

void storeRecorderHost(RecordLine& line, std::string_view name, std::string_view value) {
  if (!HostNames::isName(value))
    throw std::invalid_argument{std::string{name} + " takes a host name without a scheme or port, not '" +
                                std::string{value} + "'"};
  line.hosts.emplace_back(value);
}

void storeTimeout(RecordLine& line, std::string_view name, std::string_view value) {
  constexpr std::uint64_t longest = 86'400;
  line.timeout = static_cast<std::uint32_t>(numberOption(name, value, longest));
  if (line.timeout == 0) throw std::invalid_argument{std::string{name} + " takes at least 1 second"};
}

constexpr std::array recordOptions{
    RecordOption{"--upstream", "URL", "the service to record, such as https://api.example.com",
                 StoreRecord::text<&RecordLine::upstream>},
    RecordOption{"--out", "FILE", "the recording, a new file in HAR 1.2",
                 StoreRecord::file<&RecordLine::out>},
    RecordOption{"--address", "ADDRESS", "listen address (default: 127.0.0.1)",
                 StoreRecord::text<&RecordLine::address>},
    RecordOption{"--port", "PORT", "listen port (default: 7879); 0 selects any free port",
                 StoreRecord::number<&RecordLine::port>},
    RecordOption{"--threads", "N", "I/O threads (default: 1)", StoreRecord::number<&RecordLine::threads, 64>},
    RecordOption{"--redact", "FIELD", "also omit the values of this field; may be repeated",
                 StoreRecord::further<&RecordLine::redact>},
    RecordOption{"--fault", "JSON", "inject a fault, as in POST /_fake/faults; may be repeated",
                 StoreRecord::further<&RecordLine::faults>},
    RecordOption{"--seed", "N", "seed of faults that happen by chance (default: 1)",
                 StoreRecord::number<&RecordLine::seed>},
    RecordOption{"--timeout", "SECONDS", "how long to wait for a response from the service (default: 80)",
                 storeTimeout},
    RecordOption{"--upstream-ca", "FILE", "trust these authorities for HTTPS, in PEM (default: the system's)",
                 StoreRecord::file<&RecordLine::authorities>},
    RecordOption{"--allow-host", "NAME", "accept this host name under /_fake/, too; may be repeated",
                 storeRecorderHost},
    RecordOption{"--tls-cert", "FILE", "serve HTTPS with this certificate and its chain, in PEM",
                 StoreRecord::file<&RecordLine::tlsCertificate>},
    RecordOption{"--tls-key", "FILE", "the key of that certificate, in PEM",
                 StoreRecord::file<&RecordLine::tlsKey>},
    RecordOption{"--ready-file", "FILE", "write the address to FILE once ready; remove it at exit",
                 StoreRecord::file<&RecordLine::readyFile>},
    RecordOption{"--help", "", "show this help", StoreRecord::flag<&RecordLine::help, true>}};

FaultRule readFault(const std::string& text) {
  try {
    const JsonDocument document = parseInput(text);
    JsonInput input{document};
    return readMembers<FaultRule>(input);
  } catch (const std::invalid_argument& problem) {
    throw std::invalid_argument{"--fault " + text + ": " + problem.what()};
  }
}

RecorderOptions optionsOf(const RecordLine& line) {
  RecorderOptions options{
      .upstream = {.url = parseUpstream(line.upstream), .timeout = std::chrono::seconds{line.timeout}},
      .file = line.out,
      .redact = line.redact,
      .seed = line.seed,
      .hosts = HostNames{line.address, line.hosts}};
  for (const std::string& fault : line.faults)
    options.faults.push_back(readFault(fault));
  return options;
}

std::string recordReadiness(const std::string& url, const std::string& upstream) {
  const boost::json::value written{{"url", url}, {"upstream", upstream}, {"pid", getpid()}};
  return boost::json::serialize(written) + '\n';
}

/// Ends a recorder and its server in the order in which one needs the other.
class Serving {
 public:
  Serving(Recorder& recorder, const HttpServerOptions& options)
      : recorder_(recorder), drain_(options.drain), listener_(recorder, options, traffic_) {}
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;
  ~Serving() {
    recorder_.giveUpAt(timeAfter(drain_));
    listener_.stop();
    recorder_.disconnect();
  }

  [[nodiscard]] std::string url() const { return listener_.url(); }

 private:
  Recorder& recorder_;
  std::chrono::milliseconds drain_;
  Traffic traffic_{};
  Listener listener_;
};

void serveUntilEnd(const RecordLine& line, const std::string& upstream, Recorder& recorder, ReadyFile& ready,
                   const Endings& endings) {
  const Serving serving{recorder,
                        {.address = line.address,
                         .port = line.port,
                         .threads = line.threads,
                         .bodyLimit = largestInput,
                         .tlsCertificate = line.tlsCertificate,
                         .tlsKey = line.tlsKey}};
  ready.write(recordReadiness(serving.url(), upstream));
  announce("tally-fake records " + upstream + " to " + line.out + ", listening on " + serving.url(),
           serving.url());
  (void)endings.await();
}

/// Throws what makes the recording end early. If it can't begin, it leaves no file, which would be in the way
/// of the next attempt.
void recordUntilEnd(const RecordLine& line, RecorderOptions options) {
  const Endings endings;
  surviveFailedWrites();
  if (options.upstream.url.secure) options.upstream.trust = loadTrust(line.authorities);
  const std::string upstream = options.upstream.url.origin() + options.upstream.url.path;
  ReadyFile ready{line.readyFile};
  Recorder recorder{std::move(options), Endings::end};
  try {
    serveUntilEnd(line, upstream, recorder, ready, endings);
  } catch (const std::exception&) {
    recorder.discardIfEmpty();
    throw;
  }
  if (!recorder.problem().empty())
    throw std::runtime_error{"the recording ended after " + std::to_string(recorder.count()) +
                             " requests: " + recorder.problem()};
}

}  // namespace

RecordLine parseRecordLine(std::span<const std::string> arguments) {
  RecordLine line;
  parseOptions<RecordLine>(recordOptions, arguments, line, [](std::string_view) { return false; });
  if (line.help) return line;
  if (line.upstream.empty()) throw std::invalid_argument{"--upstream is missing"};
  if (line.out.empty()) throw std::invalid_argument{"--out is missing"};
  if (line.tlsCertificate.empty() != line.tlsKey.empty())
    throw std::invalid_argument{line.tlsKey.empty() ? "--tls-cert needs --tls-key"
                                                    : "--tls-key needs --tls-cert"};
  requireDistinct(line.readyFile, {{"--out", line.out},
                                   {"--upstream-ca", line.authorities},
                                   {"--tls-cert", line.tlsCertificate},
                                   {"--tls-key", line.tlsKey}});
  return line;
}

std::string recordUsage() {
  return "usage: tally-fake record --upstream URL --out FILE [OPTION]...\n"
         "Forwards requests to a service, and records them and its responses.\n\n" +
         optionsText<RecordLine>(recordOptions) +
         "\nThe recording contains names such as sk_test_recorded1 in place of keys and tokens, and no card\n"
         "data or other credentials. It is a complete file after each response. GET, POST and DELETE\n"
         "/_fake/faults show, inject and remove faults. SIGTERM, SIGINT and SIGHUP end the recording.\n\n"
         "Exit status: 0 after these signals or --help; 1 if a file, the certificate or the port can't be "
         "used, or\n"
         "if a request could not be recorded; 2 for an invalid argument.\n";
}

int runRecord(std::span<const std::string> arguments) {
  RecordLine line;
  RecorderOptions options;
  try {
    line = parseRecordLine(arguments);
    if (line.help) return printed("tally-fake record", recordUsage());
    options = optionsOf(line);
  } catch (const std::invalid_argument& problem) {
    std::cerr << tally::detail::seeHelp("tally-fake record", problem.what()) << '\n';
    return 2;
  }
  try {
    recordUntilEnd(line, std::move(options));
    return 0;
  } catch (const std::exception& problem) {
    std::cerr << tally::detail::complaint("tally-fake record", problem.what()) << '\n';
    return 1;
  }
}

}  // namespace tally::fake::detail
