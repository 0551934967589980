#include "support/process.h"

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tally::test {

namespace {

std::string readAll(int file) {
  std::string text;
  char buffer[4'096];
  for (ssize_t size = read(file, buffer, sizeof buffer); size > 0; size = read(file, buffer, sizeof buffer))
    text.append(buffer, static_cast<std::size_t>(size));
  return text;
}

std::string readLine(int file) {
  std::string text;
  for (char c = 0; read(file, &c, 1) == 1 && c != '\n';)
    text += c;
  return text;
}

void limitTo(pid_t process, __rlimit_resource resource, rlim_t most) {
  const rlimit limit{.rlim_cur = most, .rlim_max = most};
  if (prlimit(process, resource, &limit, nullptr) != 0)
    throw std::system_error{errno, std::generic_category(), "prlimit"};
}

}  // namespace

Process::Process(const std::string& executable, const std::vector<std::string>& arguments, Reader reader) {
  int output[2];
  int errors[2];
  if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0)
    throw std::system_error{errno, std::generic_category(), "pipe"};
  output_ = output[0];
  errors_ = errors[0];
  if (reader == Reader::gone) close(std::exchange(output_, -1));
  std::vector<std::string> words{executable};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions,
                                           STDERR_FILENO + 1);  // including connections of the test
  const int error = posix_spawn(&process_, executable.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(output[1]);
  close(errors[1]);
  if (error != 0) throw std::system_error{error, std::generic_category(), executable};
}

Process::~Process() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  close(output_);
  close(errors_);
}

std::string Process::line() {
  return readLine(output_);
}

std::string Process::errorLine() {
  return readLine(errors_);
}

std::string Process::rest() {
  const std::string output = readAll(output_);
  return output + readAll(errors_);
}

void Process::signal(int number) const {
  kill(process_, number);
}

void Process::endAtOnce() const {
  signal(SIGKILL);
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT);
}

void Process::limitFiles(std::size_t count) const {
  limitTo(process_, RLIMIT_NOFILE, count);
}

void Process::limitFileSize(std::size_t bytes) const {
  limitTo(process_, RLIMIT_FSIZE, bytes);
}

void Process::limitWork(std::chrono::seconds time) const {
  limitTo(process_, RLIMIT_CPU, static_cast<rlim_t>(time.count()));
}

int Process::status() {
  int ended = 0;
  waitpid(process_, &ended, 0);
  process_ = -1;
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

}  // namespace tally::test
