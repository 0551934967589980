#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <tally/api_key.h>
#include <tally/options.h>

#include "command_line.h"
#include "event_log.h"

namespace tally::detail {

/// A key that is read from a file, and again when that changes. Thread-safe.
class KeyFile {
 public:
  /// Throws std::runtime_error, which names the file and the problem.
  explicit KeyFile(KeySource source);

  [[nodiscard]] ApiKey key() const;

  /// Reads the file again. Takes another key once two reads have found it, since the file may be being
  /// written. Logs a change and, once, a problem; the key then stays.
  void refresh(EventLog& log);

 private:
  void take(const ApiKey& found, EventLog& log);
  [[nodiscard]] ApiKey read() const;

  KeySource source_;
  mutable std::mutex mutex_{};
  ApiKey key_{};  // guarded by mutex_; the others belong to the thread that refreshes
  ApiKey found_{};
  std::string problem_{};
};

/// The keys of the domains. Those in files are kept up to date by a thread.
class DomainKeys {
 public:
  /// Throws std::invalid_argument for a variable without a key, and std::runtime_error for such a file. `log`
  /// must outlive this.
  DomainKeys(const std::vector<KeySource>& sources, EventLog& log);
  DomainKeys(const DomainKeys&) = delete;
  DomainKeys& operator=(const DomainKeys&) = delete;
  ~DomainKeys();

  /// Sets the key or its provider, and the mode of the pacer that follows from the key.
  void provide(const KeySource& source, ClientOptions& client, PacerOptions& pacing) const;

 private:
  void watch();

  EventLog& log_;
  std::vector<std::pair<std::string, std::shared_ptr<KeyFile>>> files_{};  // by domain
  std::mutex mutex_{};
  std::condition_variable ended_{};
  bool isEnded_ = false;
  std::thread thread_{};
};

}  // namespace tally::detail
