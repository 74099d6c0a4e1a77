#pragma once

#include <array>
#include <cstddef>
#include <source_location>
#include <string>

namespace gossamer::async {

class Frame;
class Routine;

// Describes the chain of awaits, innermost first, one line per coroutine:
//
//   #0 wire/chunked.cc:88 in Task<...> read_chunk(Stream &)
//   #1 http/client.cc:40 in Task<...> Client::fetch(Request)
//   spawned at engine/engine.cc:120 in ...
//
// A program made of callbacks loses this information ("stack ripping"); coroutines keep it.
std::string describe_stack(const Frame& innermost);
std::string describe_stack(const Routine& routine);

// The same chain, recorded cheaply for later, when the frames may be gone.
class StackSnapshot {
 public:
  StackSnapshot() = default;  // for a callback, which has no frames
  explicit StackSnapshot(const Frame& innermost) noexcept;
  std::string to_string() const;

 private:
  static constexpr std::size_t kFramesMax = 12;
  std::array<std::source_location, kFramesMax> frames_;
  std::size_t count_ = 0;
  std::source_location spawned_at_;
};

// Returns "file.cc:12 in function", with the file relative to the source root.
std::string describe(std::source_location at);

// For bugs of ours: abort and print the stack.
[[noreturn, gnu::cold]] void die_pending(const Frame& frame) noexcept;
[[noreturn, gnu::cold]] void die_awaited_twice(const Frame& caller,
                                               std::source_location at) noexcept;

// From now on a failing CHECK also prints the async stack of the running coroutine.
void print_async_stack_on_check_failure() noexcept;

}  // namespace gossamer::async
