#include "failing_calls/support/place_run.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <system_error>
#include <vector>

#include <dlfcn.h>
#include <execinfo.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failing_calls/support/live_blocks.h"

namespace tally::test {

struct PlaceRecord {
  static constexpr std::size_t mostText = 3'000;

  Injection injection{};
  bool isDone = false;
  std::array<char, mostText> problem{};
  Callers fault{};  // where it was when a signal came
  LiveBlock leak{};
};

namespace {

constexpr unsigned patience = 60;  // in seconds
constexpr int repetitions = 4;

constinit PlaceRecord* recordOfThisProcess = nullptr;

/// What a process has, and must have again.
struct Holdings {
  std::size_t blocks = 0;
  std::size_t files = 0;
  std::size_t threads = 0;

  bool operator==(const Holdings&) const = default;
};

std::size_t entriesOf(const char* folder) {
  const std::filesystem::directory_iterator entries{folder};
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

/// A thread that has been joined may be in the list for a moment.
std::size_t threads() {
  constexpr int most = 100'000;
  std::size_t found = 0;
  for (int turns = 0; turns < most && (found = entriesOf("/proc/self/task")) > 1; ++turns)
    ::sched_yield();
  return found;
}

Holdings holdings() {
  const Exempt exempt;
  const std::size_t running = threads();
  const std::size_t files = entriesOf("/proc/self/fd");
  return {.blocks = live_blocks::count(), .files = files, .threads = running};
}

void onFault(int signal) {
  PlaceRecord& record = *recordOfThisProcess;
  const Exempt exempt;
  record.fault.count = ::backtrace(record.fault.frames.data(), Callers::most);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void noteFaults() {
  for (const int signal : {SIGALRM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
    ::signal(signal, onFault);
}

void keep(PlaceRecord& record, const std::string& problem) {
  std::copy_n(problem.data(), std::min(problem.size(), record.problem.size() - 1), record.problem.begin());
}

/// What each further run of the scenario leaves.
std::string growthOf(const Holdings& before, const Holdings& after) {
  const Exempt exempt;
  std::string text;
  const auto add = [&](const char* what, std::size_t from, std::size_t to) {
    if (to > from) text += "leaks " + std::to_string(to - from) + ' ' + what + '\n';
  };
  add("blocks of memory", before.blocks, after.blocks);
  add("file descriptors", before.files, after.files);
  add("threads", before.threads, after.threads);
  return text;
}

class Child {
 public:
  Child(const Scenario& scenario, Side side, const Place& place, PlaceRecord& record)
      : scenario_(scenario), side_(side), place_(place), record_(record) {}

  void run() {
    live_blocks::start();
    const Holdings before = holdings();
    keep(record_, runOnce(record_.injection));
    if (record_.problem[0] == '\0' && holdings() != before) keep(record_, leaks());
    record_.isDone = true;
  }

 private:
  std::string runOnce(Injection& injection) { return problemsOf(scenario_, injection, side_, &place_); }

  /// Caches are filled once; what grows with each run is lost.
  std::string leaks() {
    Holdings before = holdings();
    Holdings after = before;
    for (int run = 0; run < repetitions; ++run) {
      if (run == repetitions - 1) live_blocks::noteCallers();
      before = after;
      const auto injection = std::make_unique<Injection>();
      (void)runOnce(*injection);
      after = holdings();
      // The text is not kept, since it would count as a leak of the next run.
      if (growthOf(before, after).empty()) return {};
    }
    record_.leak = live_blocks::last();
    return growthOf(before, after);
  }

  const Scenario& scenario_;
  Side side_;
  const Place& place_;
  PlaceRecord& record_;
};

PlaceRecord* newRecord() {
  void* const shared =
      ::mmap(nullptr, sizeof(PlaceRecord), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::system_error{errno, std::generic_category(), "mmap"};
  return new (shared) PlaceRecord{};
}

/// A stack frame in the terms of `nm` and `addr2line`.
struct Frame {
  std::string file{};
  std::string name{};  // empty: unknown
};

/// The return address is in the line after the call, and possibly in the next function.
const char* callOf(void* frame) {
  return static_cast<const char*>(frame) - 1;
}

std::string outputOf(const std::string& command) {
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> output{::popen(command.c_str(), "r"), ::pclose};
  for (int read = 0; output != nullptr && (read = std::fgetc(output.get())) != EOF;)
    text += static_cast<char>(read);
  return text;
}

/// The symbols that are not exported are in the file's table only.
std::string nameIn(const Dl_info& found, const char* address) {
  std::ostringstream command;
  command << "addr2line -Cfe " << std::filesystem::absolute(found.dli_fname) << " 0x" << std::hex
          << address - static_cast<const char*>(found.dli_fbase) << " 2>/dev/null";
  const std::string output = outputOf(command.str());
  const std::string name = output.substr(0, output.find('\n'));
  return name == "??" ? "" : name;
}

/// Asking takes a while, and most places have most of their callers in common.
const Frame& frameAt(void* frame) {
  static std::map<void*, Frame> known;
  const auto [at, isNew] = known.emplace(frame, Frame{.file = "?"});
  Dl_info found{};
  if (isNew && ::dladdr(callOf(frame), &found) != 0)
    at->second = {.file = std::filesystem::path{found.dli_fname}.filename().string(),
                  .name = nameIn(found, callOf(frame))};
  return at->second;
}

/// Without what this folder adds at the top.
std::string linesOf(const Callers& callers) {
  constexpr std::size_t most = 14;
  constexpr std::size_t width = 120;
  std::vector<std::string> lines;
  for (int at = 0; at < callers.count && lines.size() < most; ++at) {
    const Frame& frame = frameAt(callers.frames[static_cast<std::size_t>(at)]);
    if (frame.name.starts_with("tally::test::fails("))
      lines.clear();
    else
      lines.push_back("    " + (frame.name.empty() ? "in " + frame.file : frame.name.substr(0, width)) +
                      '\n');
  }
  return std::accumulate(lines.begin(), lines.end(), std::string{});
}

}  // namespace

PlaceRun::PlaceRun(const Scenario& scenario, Side side, const Place& place)
    : place_(place), record_(newRecord()), process_(::fork()) {
  if (process_ < 0) throw std::system_error{errno, std::generic_category(), "fork"};
  if (process_ != 0) return;
  recordOfThisProcess = record_;
  noteFaults();
  ::alarm(patience);
  Child{scenario, side, place_, *record_}.run();
  ::_exit(EXIT_SUCCESS);
}

PlaceRun::~PlaceRun() {
  ::munmap(record_, sizeof(PlaceRecord));
}

bool PlaceRun::hasFailed() const noexcept {
  return record_->injection.hasFailed;
}

std::string PlaceRun::problem(int status) const {
  if (record_->isDone) {
    std::string text = record_->problem.data();
    if (record_->leak.callers.count > 0)
      text += "  a block of " + std::to_string(record_->leak.size) + " bytes, allocated by\n" +
              linesOf(record_->leak.callers);
    return text;
  }
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const std::string end = signal == SIGALRM ? "does not end"
                          : signal != 0     ? "ends with SIG" + std::string{::sigabbrev_np(signal)}
                                            : "exits";
  return end + "\n" + linesOf(record_->fault);
}

std::string PlaceRun::callers() const {
  return linesOf(record_->injection.callers);
}

}  // namespace tally::test
