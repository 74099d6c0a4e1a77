#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::captures {

// The body of an archived answer. A large one is in a file without a name, so many clients that
// read slowly need little memory.
class AnswerBody {
 public:
  static constexpr std::size_t kBytesInMemory = std::size_t{1} * 1024 * 1024;

  AnswerBody() = default;
  AnswerBody(AnswerBody&&) = default;
  AnswerBody& operator=(AnswerBody&&) = default;

  // Fails with Errc::no_space and Errc::io_failed. It must not be used then.
  Result<void> append(std::string_view piece);
  // Nothing is appended after this. Fails with Errc::io_failed.
  Result<void> finish();

  // REQUIRES, for both: finish() succeeded.
  std::string_view text() const noexcept;
  // The bytes of text() are valid while this is held. nullptr: they are in memory.
  std::shared_ptr<const void> file() const noexcept { return mapping_; }
  // Of bytes in a file: reading them again would bring all of them into memory.
  std::uint64_t hash() const noexcept { return hash_; }
  // Empty if they are in a file.
  std::string&& take_memory() && noexcept { return std::move(memory_); }

 private:
  struct Mapping;
  Result<void> write(std::string_view piece);

  std::string memory_;
  std::shared_ptr<Mapping> mapping_;
  std::uint64_t hash_ = 0;
};

}  // namespace gossamer::captures
