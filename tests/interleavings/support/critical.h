#pragma once

#include <utility>

#include "interleavings/support/scheduler.h"

namespace tally::test {

/// Where calls change an object, one at a time.
class Critical {
 public:
  void enter() {
    check(!std::exchange(isInside_, true), "two calls change the object at the same time");
    scheduled::point();
    isInside_ = false;
  }

 private:
  bool isInside_ = false;
};

}  // namespace tally::test
