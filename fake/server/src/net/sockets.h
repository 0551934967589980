#pragma once

#include <chrono>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "time/saturating.h"

namespace tally::fake::detail {

using Tcp = boost::asio::ip::tcp;
using Executor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<Tcp, Executor>;
using Acceptor = boost::asio::basic_socket_acceptor<Tcp, Executor>;
using SteadyClock = std::chrono::steady_clock;
using Timer = boost::asio::basic_waitable_timer<SteadyClock, boost::asio::wait_traits<SteadyClock>, Executor>;

/// The time when `duration` has passed, or the last time of the clock if that is earlier.
inline SteadyClock::time_point timeAfter(std::chrono::milliseconds duration) {
  return SteadyClock::time_point{tally::detail::saturatingAdd(
      SteadyClock::now().time_since_epoch(), tally::detail::saturatingNanoseconds(duration))};
}

}  // namespace tally::fake::detail
