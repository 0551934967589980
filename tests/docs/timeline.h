#pragma once

#include <chrono>
#include <string>
#include <vector>

// Draws what happened on a clock as SVG, in lanes one below the other.

namespace tally::docs {

/// How a bar or a mark looks: each is a class in the style of the diagram.
enum class Look { request, ok, error, wait };

/// A stretch of time with a label.
struct Bar {
  std::chrono::nanoseconds from{};
  std::chrono::nanoseconds to{};
  Look look = Look::request;
  std::string label{};
};

/// A moment. With a label, it is a line across the lane; without one, a tick.
struct Mark {
  std::chrono::nanoseconds at{};
  Look look = Look::ok;
  std::string label{};
};

struct Lane {
  std::string name{};
  std::vector<Bar> bars{};
  std::vector<Mark> marks{};
};

struct Timeline {
  std::string title{};
  std::chrono::nanoseconds length{};
  std::chrono::nanoseconds step{};  // between the times on the axis
  std::vector<Lane> lanes{};
};

[[nodiscard]] std::string toSvg(const Timeline& timeline);

}  // namespace tally::docs
