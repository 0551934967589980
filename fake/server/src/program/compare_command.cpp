#include "program/compare_command.h"

#include <array>
#include <chrono>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "compare/comparison.h"
#include "files/file_input.h"
#include "findings/accepted.h"
#include "findings/report.h"
#include "har/har_splitter.h"
#include "observed/har_recording.h"
#include "observed/read_ahead.h"
#include "program/command_options.h"
#include "program/printed.h"
#include "redact/complaint.h"

namespace tally::fake::detail {

namespace {

enum ExitStatus : int { noDifference = 0, someDifference = 1, unusable = 2 };

constexpr std::string_view programName = "tally-fake compare";

struct CompareLine {
  std::string recording{};
  std::string settings{};
  std::string accepted{};
  std::uint32_t marginMs = 500;
  bool json = false;
  bool messages = false;
  bool help = false;
};

using CompareOption = CommandOption<CompareLine>;
using CompareStores = Store<CompareLine>;

constexpr std::array compareOptions{
    CompareOption{"--accept", "FILE", "accept the differences whose identifiers the file lists",
                  CompareStores::file<&CompareLine::accepted>},
    CompareOption{
        "--settings", "FILE",
        "a scenario with limits and lock_wait_ms of the recorded accounts, in the order of their keys",
        CompareStores::file<&CompareLine::settings>},
    CompareOption{"--margin-ms", "N",
                  "how late a request may have reached the service after its recorded start (default: 500)",
                  CompareStores::number<&CompareLine::marginMs>},
    CompareOption{"--messages", "", "compare the messages of errors, too",
                  CompareStores::flag<&CompareLine::messages, true>},
    CompareOption{"--json", "", "write one JSON object per line",
                  CompareStores::flag<&CompareLine::json, true>},
    CompareOption{"--help", "", "show this help", CompareStores::flag<&CompareLine::help, true>}};

std::string helpText() {
  return "usage: tally-fake compare [OPTION]... RECORDING\n"
         "Sends the requests of a recording in HAR to a fake, at the recorded times on its own clock, and "
         "shows how\n"
         "the fake's responses differ: one line for each difference, with its identifier and the assumption "
         "that\n"
         "it refutes.\n\n" +
         optionsText<CompareLine>(compareOptions) +
         "\nExit status: 0 if every difference is accepted, 1 otherwise; 2 if a file can't be used, or for "
         "an\n"
         "invalid argument.\n";
}

CompareLine parse(std::span<const std::string> arguments) {
  CompareLine line;
  std::vector<std::string> files;
  parseOptions<CompareLine>(compareOptions, arguments, line, [&](std::string_view operand) {
    files.emplace_back(operand);
    return true;
  });
  if (line.help) return line;
  if (files.size() != 1)
    throw std::invalid_argument{files.empty()
                                    ? "expected the name of a recording"
                                    : "expected only one recording, but also got '" + files[1] + "'"};
  line.recording = files.front();
  return line;
}

/// Adds the name of the file to what is wrong in it.
template <class Read>
auto readFile(const std::string& name, const Read& read) {
  const std::string text = contentsOf(name);
  try {
    return read(text);
  } catch (const std::invalid_argument& problem) {
    throw std::runtime_error{name + ": " + problem.what()};
  }
}

int unusableBecause(const std::string& problem) {
  std::cerr << tally::detail::complaint(programName, problem) << '\n';
  return unusable;
}

int compare(const CompareLine& line) {
  ComparisonOptions options{.margin = std::chrono::milliseconds{line.marginMs}, .messages = line.messages};
  if (!line.settings.empty())
    options.settings = readFile(line.settings, [](std::string_view text) { return Settings{text}; });
  Accepted accepted;
  if (!line.accepted.empty())
    accepted = readFile(line.accepted, [](std::string_view text) { return Accepted{text}; });
  HarRecording recording{line.recording};
  ReadAhead ahead{recording};
  RecordingComparison comparison{ahead, options};
  comparison.run();
  if (comparison.totals().recorded == 0) throw std::runtime_error{line.recording + " has no requests"};
  if (recording.cutOff())
    std::cerr << tally::detail::complaint(
                     programName, line.recording + " is truncated; only its complete entries were compared")
              << '\n';
  const auto write = line.json ? writeJsonLines : writeText;
  const std::size_t open = write(std::cout, comparison.findings(), comparison.totals(), accepted);
  std::cout.flush();
  if (!std::cout) throw std::runtime_error{"standard output can't be written"};
  return open == 0 ? noDifference : someDifference;
}

}  // namespace

int runCompare(std::span<const std::string> arguments) {
  CompareLine line;
  try {
    line = parse(arguments);
  } catch (const std::invalid_argument& problem) {
    std::cerr << tally::detail::seeHelp(programName, problem.what()) << '\n';
    return unusable;
  }
  if (line.help) return printed(programName, helpText(), unusable);
  try {
    return compare(line);
  } catch (const tally::detail::HarError& problem) {
    return unusableBecause(line.recording + ": " + problem.what());
  } catch (const std::exception& problem) {
    return unusableBecause(problem.what());
  }
}

}  // namespace tally::fake::detail
