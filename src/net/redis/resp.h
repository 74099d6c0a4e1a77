// RESP, the protocol of Redis, versions 2 and 3: bytes to replies, and commands to bytes. Sans I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::redis {

// One reply of a server.
struct Reply {
  enum class Kind : std::uint8_t {
    null,
    text,     // simple and bulk strings, verbatim strings without their format
    error,    // `text` is the message: "MOVED 3999 127.0.0.1:7001"
    integer,  // and booleans, as 0 and 1
    number,   // doubles and big numbers; `text` as written
    array,    // also sets; maps as keys and values in turn
    push,     // not an answer to a command
  };

  Kind kind = Kind::null;
  std::int64_t integer = 0;
  std::string text;
  std::vector<Reply> items;

  bool is_null() const noexcept { return kind == Kind::null; }
  bool is_error() const noexcept { return kind == Kind::error; }
  bool is_array() const noexcept { return kind == Kind::array; }
  // Returns the value of an integer, or of a text that is one; otherwise `missing`.
  std::int64_t as_integer(std::int64_t missing) const noexcept;
};

// BOUND, for one reply. A server that exceeds one of them is not a Redis that we use.
struct RespLimits {
  std::size_t line_bytes_max = std::size_t{64} * 1024;
  std::size_t reply_bytes_max = std::size_t{64} * 1024 * 1024;  // all texts together
  std::size_t items_max = 1'000'000;                            // all items together
  std::size_t depth_max = 8;
};

// Reads replies, however their bytes are divided. Memory grows with the bytes that were received,
// never with a length that a peer announces.
class RespReader {
 public:
  explicit RespReader(RespLimits limits = {}) : limits_(limits) {}

  struct Step {
    std::size_t consumed = 0;
    bool is_done = false;  // take() returns the reply; feed the rest after that
  };
  // Fails with Errc::malformed, Errc::over_limit and Errc::unsupported (streamed types). After a
  // failure the reader cannot be used.
  Result<Step> feed(Bytes input);
  // REQUIRES: the last feed() was done.
  Reply take();
  // True if a reply has begun and is not complete.
  bool is_inside() const noexcept {
    return state_ != State::line || !line_.empty() || !open_.empty();
  }

 private:
  enum class State : std::uint8_t { line, bulk, done };
  // An array that waits for items.
  struct Open {
    Reply reply;
    std::size_t left;
    bool is_attribute;  // it is dropped when complete
  };

  Result<void> read_line();
  Result<void> begin_bulk(std::string_view length, Reply::Kind kind);
  Result<void> begin_array(std::string_view count, char type);
  Result<std::size_t> read_length(std::string_view text) const;
  Result<void> read_bulk(std::string_view& rest);
  Result<void> finish(Reply reply);
  Result<void> count_bytes(std::size_t bytes);

  RespLimits limits_;
  State state_ = State::line;
  std::string line_;
  Reply bulk_;
  std::size_t bulk_left_ = 0;  // with its CR LF
  bool is_verbatim_ = false;
  std::vector<Open> open_;
  std::size_t bytes_ = 0;
  std::size_t items_ = 0;
  Reply whole_;
};

// Commands as bytes. Every word is sent with its length, so no word can end a command or begin
// another one.
class Commands {
 public:
  Commands& add(std::initializer_list<std::string_view> words);
  Commands& add(const std::vector<std::string>& words);

  std::size_t count() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  const std::string& bytes() const noexcept { return bytes_; }

 private:
  template <class Words>
  Commands& append(const Words& words);

  std::string bytes_;
  std::size_t count_ = 0;
};

}  // namespace gossamer::redis
