#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "temporary_folder.h"

namespace tally::test {

/// nginx over loopback. It ends with this, or with the thread that made this.
class Nginx {
 public:
  /// Takes connections from now on. `configuration` is the contents of the block `http`, with `@PORT@` where
  /// the port belongs; paths in it are relative to `folder`, which holds what nginx serves. Throws
  /// std::system_error if it can't.
  Nginx(const TemporaryFolder& folder, std::string_view configuration);
  Nginx(const Nginx&) = delete;
  Nginx& operator=(const Nginx&) = delete;
  ~Nginx();

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

 private:
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

/// `text` with the first `name` in it replaced.
[[nodiscard]] std::string replaced(std::string text, std::string_view name, std::string_view value);

}  // namespace tally::test
