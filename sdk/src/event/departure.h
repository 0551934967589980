#pragma once

namespace tally::detail {

/// Hears when a request departs: when its first byte is about to be written. That may be long after a
/// transport was asked to send it, if other requests go first, or a connection has to be made.
class DepartureListener {
 public:
  virtual void departs() noexcept = 0;

 protected:
  DepartureListener() = default;
  DepartureListener(const DepartureListener&) = default;
  DepartureListener& operator=(const DepartureListener&) = default;
  ~DepartureListener() = default;
};

/// While it exists, the requests that this thread sends by Transport::send() tell that listener. Users may
/// wrap transports, so it can't be an argument.
class DepartureScope {
 public:
  /// Null: nobody listens.
  explicit DepartureScope(DepartureListener* listener) noexcept;
  DepartureScope(const DepartureScope&) = delete;
  DepartureScope& operator=(const DepartureScope&) = delete;
  ~DepartureScope();

  /// That of the calling thread; may be null.
  [[nodiscard]] static DepartureListener* listener() noexcept;

 private:
  DepartureListener* outer_;
};

}  // namespace tally::detail
