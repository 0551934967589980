#include "program/replay_command.h"

#include <array>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string_view>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <unistd.h>

#include "files/file_input.h"
#include "net/listener.h"
#include "program/command_options.h"
#include "program/endings.h"
#include "program/printed.h"
#include "program/ready_file.h"
#include "redact/complaint.h"
#include "replay/replayer.h"

namespace tally::fake::detail {

namespace {

using ReplayOption = CommandOption<ReplayLine>;
using StoreReplay = Store<ReplayLine>;

constexpr std::array replayOptions{
    ReplayOption{"--strict", "", "accept requests only in the recorded order",
                 StoreReplay::flag<&ReplayLine::strict, true>},
    ReplayOption{"--address", "ADDRESS", "listen address (default: 127.0.0.1)",
                 StoreReplay::text<&ReplayLine::address>},
    ReplayOption{"--port", "PORT", "listen port (default: 7878); 0 selects any free port",
                 StoreReplay::number<&ReplayLine::port>},
    ReplayOption{"--ready-file", "FILE", "write the address to FILE once ready; remove it at exit",
                 StoreReplay::file<&ReplayLine::readyFile>},
    ReplayOption{"--help", "", "show this help", StoreReplay::flag<&ReplayLine::help, true>}};

std::string replayReadiness(const std::string& url) {
  return boost::json::serialize(boost::json::value{{"url", url}, {"pid", getpid()}}) + '\n';
}

void replayUntilEnd(const ReplayLine& line) {
  const Endings endings;
  surviveFailedWrites();
  ReadyFile ready{line.readyFile};
  using tally::detail::ReplayOrder;
  tally::detail::RecordingIndex recording{line.recording,
                                          line.strict ? ReplayOrder::strict : ReplayOrder::any};
  Replayer replayer{recording};
  Traffic traffic;
  Listener listener{
      replayer, {.address = line.address, .port = line.port, .bodyLimit = largestInput}, traffic};
  ready.write(replayReadiness(listener.url()));
  const auto count = recording.count();
  announce("tally-fake replays " + std::to_string(count) + (count == 1 ? " request" : " requests") +
               " from " + line.recording + (recording.cutOff() ? " (truncated)" : "") + " on " +
               listener.url(),
           listener.url());
  (void)endings.await();
  listener.stop();
}

}  // namespace

ReplayLine parseReplayLine(std::span<const std::string> arguments) {
  ReplayLine line;
  parseOptions<ReplayLine>(replayOptions, arguments, line, [&](std::string_view operand) {
    if (!line.recording.empty()) return false;
    line.recording = operand;
    return true;
  });
  if (line.recording.empty() && !line.help) throw std::invalid_argument{"the name of a recording is missing"};
  requireDistinct(line.readyFile, {{"the recording", line.recording}});
  return line;
}

std::string replayUsage() {
  return "usage: tally-fake replay FILE [OPTION]...\n"
         "Responds as the service did in a recording, in HAR.\n\n" +
         optionsText<ReplayLine>(replayOptions) +
         "\nRequests are equal if their method, path, query, connected account and body are equal; keys, "
         "card\n"
         "data and redacted fields don't count. Equal requests get their responses in the recorded order; "
         "after\n"
         "that, the last one is repeated. If a request was recorded without a response, the connection "
         "breaks.\n"
         "Any other request gets a 404 that names the closest requests. SIGTERM, SIGINT and SIGHUP end the\n"
         "program.\n\n"
         "Exit status: 0 after these signals or --help; 1 if a file or the port can't be used; 2 for an "
         "invalid\n"
         "argument.\n";
}

int runReplay(std::span<const std::string> arguments) {
  ReplayLine line;
  try {
    line = parseReplayLine(arguments);
  } catch (const std::invalid_argument& problem) {
    std::cerr << tally::detail::seeHelp("tally-fake replay", problem.what()) << '\n';
    return 2;
  }
  if (line.help) return printed("tally-fake replay", replayUsage());
  try {
    replayUntilEnd(line);
    return 0;
  } catch (const std::exception& problem) {
    std::cerr << tally::detail::complaint("tally-fake replay", problem.what()) << '\n';
    return 1;
  }
}

}  // namespace tally::fake::detail
