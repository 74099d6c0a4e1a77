#include "base/log.h"

#include <cstdio>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "base/escape.h"
#include "base/log_lock.h"
#include "base/time.h"

namespace gossamer::base {

constinit std::atomic<LogLevel> log_detail::level_max = LogLevel::info;

namespace {

constinit std::atomic<LogClock> clock_of_log = nullptr;

// Held while a record is written: records do not mix, and a replaced sink is no longer in use.
constinit std::mutex sink_mutex;
constinit LogSink* sink_of_log = nullptr;

// Steps back from `size` to the start of a UTF-8 sequence, so that the cut does not make it
// invalid.
std::size_t cut_position(std::string_view text, std::size_t size) {
  for (int step = 0; step < 3 && size > 0; ++step, --size) {
    if ((static_cast<unsigned char>(text[size]) & 0xc0) != 0x80) break;
  }
  return size;
}

std::string make_line(LogLevel level, std::string_view message) {
  std::string line;
  if (const LogClock clock = clock_of_log.load(std::memory_order_acquire)) {
    line += to_rfc3339(clock(), SecondDigits::milli);
    line += ' ';
  }
  line += name(level);
  line += ": ";
  if (message.size() <= kLogMessageBytesMax) {
    append_escaped(line, message);
  } else {
    const std::size_t kept = cut_position(message, kLogMessageBytesMax);
    append_escaped(line, message.substr(0, kept));
    line += "... (" + std::to_string(message.size() - kept) + " bytes more)";
  }
  line += '\n';
  return line;
}

}  // namespace

std::string_view name(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::error: return "error";
    case LogLevel::warn: return "warn";
    case LogLevel::info: return "info";
    case LogLevel::debug: return "debug";
    case LogLevel::trace: return "trace";
  }
  return "error";
}

void set_log_level(LogLevel level) noexcept {
  log_detail::level_max.store(level, std::memory_order_relaxed);
}

LogLevel log_level() noexcept { return log_detail::level_max.load(std::memory_order_relaxed); }

LogSink* set_log_sink(LogSink* sink) {
  const std::lock_guard lock(sink_mutex);
  return std::exchange(sink_of_log, sink);
}

void lock_log() { sink_mutex.lock(); }
void unlock_log() { sink_mutex.unlock(); }

void set_log_clock(LogClock clock) noexcept {
  clock_of_log.store(clock, std::memory_order_release);
}

void log_detail::write(LogLevel level, std::string_view format,
                       std::initializer_list<Arg> args) noexcept {
  try {
    const std::string line = make_line(level, format_message(format, args));
    const std::lock_guard lock(sink_mutex);
    if (sink_of_log != nullptr) {
      sink_of_log->write(level, line);
    } else {
      std::fwrite(line.data(), 1, line.size(), stderr);  // unbuffered: one write(2)
    }
  } catch (const std::bad_alloc&) {
    return;
  }
}

}  // namespace gossamer::base
