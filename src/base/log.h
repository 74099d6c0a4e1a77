// The log: one line per record, for people. A level that is off costs one relaxed load; its
// arguments are not even evaluated.
//
//   LOG(info, "loop {} on {}", name, driver);
//
// All functions may be called from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/message.h"
#include "base/result.h"

namespace gossamer::base {

struct WallTime;

// Each level includes those before it.
enum class LogLevel : std::uint8_t {
  error,  // the crawl or a part of it cannot go on
  warn,   // something the user may want to change
  info,   // what the user asked to see: start, end, progress
  debug,  // decisions, one line each
  trace,  // every step
};

std::string_view name(LogLevel level) noexcept;
// Fails with Errc::invalid_argument, naming the levels there are.
Result<LogLevel> parse_log_level(std::string_view text);

// The highest level that is written. At first: info.
void set_log_level(LogLevel level) noexcept;
LogLevel log_level() noexcept;

class LogSink {
 public:
  virtual ~LogSink() = default;
  // `line` is one record: escaped, with its newline, and no other. Called by one thread at a time.
  // Must not log, and must not fail loudly: there is nobody to tell.
  virtual void write(LogLevel level, std::string_view line) noexcept = 0;
};

// Where records go; nullptr for stderr, which is also the beginning. Returns the one before, which
// is not in use any more. BORROWS: the sink, until it is replaced.
LogSink* set_log_sink(LogSink* sink);

// Who says what time it is. Without one, which is the beginning, records have no time stamp.
// Called by many threads at once.
using LogClock = WallTime (*)() noexcept;
void set_log_clock(LogClock clock) noexcept;

// BOUND: what a message is longer than this is cut off (and the record says so), so that a hostile
// text cannot flood the log with one record.
inline constexpr std::size_t kLogMessageBytesMax = 8192;

namespace log_detail {

extern std::atomic<LogLevel> level_max;

// Escapes the message (base/escape.h), whatever its arguments brought, and gives the record to the
// sink. A record for which there is no memory is lost.
[[gnu::cold]] void write(LogLevel level, std::string_view format,
                         std::initializer_list<Arg> args) noexcept;

template <class... Args>
[[gnu::cold, gnu::noinline]] void write_message(LogLevel level,
                                                MessageFormat<sizeof...(Args)> format,
                                                const Args&... args) noexcept {
  write(level, format.text(), {Arg(args)...});
}

}  // namespace log_detail

inline bool log_enabled(LogLevel level) noexcept {
  return level <= log_detail::level_max.load(std::memory_order_relaxed);
}

}  // namespace gossamer::base

#define LOG(level, ...)                                                                 \
  (::gossamer::base::log_enabled(::gossamer::base::LogLevel::level)                     \
       ? ::gossamer::base::log_detail::write_message(::gossamer::base::LogLevel::level, \
                                                     __VA_ARGS__)                       \
       : static_cast<void>(0))
