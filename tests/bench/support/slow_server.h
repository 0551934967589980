#pragma once

#include <chrono>
#include <string>

#include <sys/types.h>

namespace tally::bench {

/// A server in a process of its own, which responds to each GET request after the same time, with the same
/// body. It accepts any number of connections that the limit on file descriptors permits. Ends when
/// destroyed.
class SlowServer {
 public:
  /// Forks, so the calling process must have a single thread. Throws std::system_error.
  SlowServer(const std::string& body, std::chrono::milliseconds delay);
  SlowServer(const SlowServer&) = delete;
  SlowServer& operator=(const SlowServer&) = delete;
  ~SlowServer();

  [[nodiscard]] const std::string& url() const noexcept { return url_; }

 private:
  pid_t process_ = -1;
  std::string url_{};
};

/// Raises this process's limit on file descriptors as far as it may.
void allowManyDescriptors();

}  // namespace tally::bench
