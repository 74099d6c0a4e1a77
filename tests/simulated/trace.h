#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"

namespace gossamer::sim {

// clang-format off
enum class TraceKind : std::uint8_t {
  listened, connecting, refused, connected, accepted, sent, arrived, received, lost, swallowed,
  unread, shut_down, end_arrived, reset_arrived, broke, went_silent, closed, cancelled, starved,
  injected, opened, read, written, synced, file_failed, crashed,
};
// clang-format on

// The events of a run, in order: mixed into a hash that distinguishes two runs, with the last few
// kept as text.
class Trace {
 public:
  explicit Trace(std::size_t lines_max) : lines_max_(lines_max) {}

  // `subject` is the number of an end of a connection (twice the connection's number, plus one for
  // the server's end), of a listener or of a file; `amount` is a count of bytes, an errno or a
  // port.
  void record(Instant at, TraceKind kind, std::uint32_t subject, std::uint64_t amount = 0);

  std::uint64_t hash() const { return hash_; }
  std::uint64_t size() const { return count_; }
  // Returns the last ones, oldest first, one per line.
  std::string text() const;

 private:
  struct Line {
    Instant at;
    TraceKind kind;
    std::uint32_t subject;
    std::uint64_t amount;
  };

  std::size_t lines_max_;
  std::vector<Line> lines_;  // a ring once it is full
  std::uint64_t count_ = 0;
  std::uint64_t hash_ = 0;
};

}  // namespace gossamer::sim
