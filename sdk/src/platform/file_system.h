#pragma once

#include <cstdint>
#include <filesystem>

namespace tally::detail {

/// Whether a file system of that type, as Linux numbers them, is on another machine.
[[nodiscard]] bool isOnNetwork(std::uint64_t fileSystem) noexcept;

/// The same for a file, or for its folder without one. False if unknown.
[[nodiscard]] bool isOnNetwork(const std::filesystem::path& file) noexcept;

}  // namespace tally::detail
