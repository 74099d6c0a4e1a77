// The log: one line per record, for people. A disabled level costs one relaxed load, and its
// arguments are not evaluated.
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
  error,  // the crawl or a part of it cannot continue
  warn,   // a problem that the user may want to fix
  info,   // start, end and progress
  debug,  // decisions, one line each
  trace,  // every step
};

std::string_view name(LogLevel level) noexcept;

// Sets the highest level that is written. The default is info.
void set_log_level(LogLevel level) noexcept;
LogLevel log_level() noexcept;

class LogSink {
 public:
  virtual ~LogSink() = default;
  // `line` is one record: escaped, and with exactly one newline, at its end. One thread calls it at
  // a time. It must not log, and it cannot report failures.
  virtual void write(LogLevel level, std::string_view line) noexcept = 0;
};

// Sets where records go; nullptr, the default, means stderr. Returns the previous sink, which is no
// longer in use. BORROWS: the sink, until it is replaced.
LogSink* set_log_sink(LogSink* sink);

// Returns the current time for records. Without a clock, which is the default, records have no time
// stamp. Several threads may call it concurrently.
using LogClock = WallTime (*)() noexcept;
void set_log_clock(LogClock clock) noexcept;

// BOUND: longer messages are cut off (and the record says so), so that a hostile text cannot flood
// the log with one record.
inline constexpr std::size_t kLogMessageBytesMax = 8192;

namespace log_detail {

extern std::atomic<LogLevel> level_max;

// Escapes the message (base/escape.h) with its arguments, and gives the record to the sink. A
// record is lost if there is no memory for it.
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
