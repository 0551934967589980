#include "domain_keys.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <tally/pacer.h>

#include "options/key_mode.h"
#include "text/wipe.h"

namespace tally::detail {

namespace {

constexpr std::chrono::milliseconds readInterval{500};
constexpr std::size_t longestFile = 8'192;

/// What an HTTP header can't have in it.
bool isUsable(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) { return c > ' ' && c < '\x7F'; });
}

ApiKey keyOfVariable(const KeySource& source) {
  const char* const value = std::getenv(source.variable.c_str());
  if (value == nullptr || !isUsable(value))
    throw std::invalid_argument{"--domain " + source.domain + ": the variable " + source.variable +
                                (value == nullptr || *value == '\0'
                                     ? " is not set; set it to the key of the domain"
                                     : " contains a space or another character that a key can't contain")};
  return ApiKey{value};
}

/// Such as a pipe, in which each key can be read once, and whoever reads waits for the next one.
bool isReadOnce(const std::string& file) {
  std::error_code unknown;
  const auto status = std::filesystem::status(file, unknown);
  return std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status);
}

}  // namespace

KeyFile::KeyFile(KeySource source) : source_(std::move(source)), key_(read()) {}

ApiKey KeyFile::key() const {
  const std::lock_guard lock{mutex_};
  return key_;
}

ApiKey KeyFile::read() const {
  const auto fail = [&](const std::string& problem) {
    throw std::runtime_error{"--domain " + source_.domain + ": the key file " + source_.file + ' ' + problem};
  };
  std::ifstream file;
  file.rdbuf()->pubsetbuf(nullptr, 0);  // a buffer would keep the key
  file.open(source_.file, std::ios::binary);
  WipedText read{std::string(longestFile + 1, '\0')};
  std::string& text = read.text;
  if (!file) fail("can't be opened");
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) fail("can't be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  const bool isCut = text.size() > longestFile;
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (text.empty()) fail("is empty");
  if (isCut || !isUsable(text)) fail("contains more than a key");
  return ApiKey{text};
}

void KeyFile::refresh(EventLog& log) {
  if (isReadOnce(source_.file)) return;
  std::string problem;
  try {
    const ApiKey found = read();
    if (!found.isSameAs(key_) && found.isSameAs(found_)) take(found, log);
    found_ = found;
  } catch (const std::runtime_error& error) {
    problem = error.what();
  }
  if (!problem.empty() && problem != problem_)
    log.write("key_unreadable", {{"domain", source_.domain}, {"reason", problem}});
  problem_ = std::move(problem);
}

/// A key of the other mode would find none of the objects.
void KeyFile::take(const ApiKey& found, EventLog& log) {
  if (isSandboxKey(found) != isSandboxKey(key_))
    throw std::runtime_error{"the file has a key of the other mode; restart the worker to use it"};
  {
    const std::lock_guard lock{mutex_};
    key_ = found;
  }
  log.write("key_changed", {{"domain", source_.domain}});
}

DomainKeys::DomainKeys(const std::vector<KeySource>& sources, EventLog& log) : log_(log) {
  for (const KeySource& source : sources) {
    if (source.file.empty()) {
      (void)keyOfVariable(source);
    } else {
      files_.emplace_back(source.domain, std::make_shared<KeyFile>(source));
    }
  }
  if (!files_.empty()) thread_ = std::thread{[this] { watch(); }};
}

DomainKeys::~DomainKeys() {
  {
    const std::lock_guard lock{mutex_};
    isEnded_ = true;
  }
  ended_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void DomainKeys::watch() {
  std::unique_lock lock{mutex_};
  while (!ended_.wait_for(lock, readInterval, [this] { return isEnded_; }))
    for (const auto& [domain, file] : files_)
      file->refresh(log_);
}

void DomainKeys::provide(const KeySource& source, ClientOptions& client, PacerOptions& pacing) const {
  if (source.file.empty()) {
    client.apiKey = keyOfVariable(source);
    pacing.livemode = !isSandboxKey(client.apiKey);
    return;
  }
  for (const auto& [domain, file] : files_) {
    if (domain != source.domain) continue;
    client.apiKeyProvider = [file] { return file->key(); };
    pacing.livemode = !isSandboxKey(file->key());
  }
}

}  // namespace tally::detail
