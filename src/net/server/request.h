// A request of a browser, and the parser that reads it. It does no I/O.
//
// RFC 9112 leaves some choices to servers. This one accepts the strictest form only: two readers
// that disagree about where a request ends are the root of request smuggling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "wire/chunked_decoder.h"

namespace gossamer::server {

struct Request {
  struct Field {
    std::string name;
    std::string value;  // trimmed
  };

  std::string method;
  std::string target;  // as sent: a path and perhaps a query
  std::vector<Field> fields;
  std::string body;
  bool is_http_1_1 = true;
  bool keeps_alive = true;

  std::string_view path() const noexcept;
  std::string_view query() const noexcept;  // without the question mark

  // Returns the value of the first field of that name, in any case.
  std::optional<std::string_view> find(std::string_view name) const noexcept;
  std::size_t count(std::string_view name) const noexcept;

  // Returns a parameter of the query, decoded; nothing if it is absent. Fails with
  // Errc::malformed if it is not UTF-8 or contains a NUL, and with Errc::over_limit beyond
  // kParameterBytesMax.
  Result<std::optional<std::string>> parameter(std::string_view name) const;

  static constexpr std::size_t kParameterBytesMax = 4096;
};

struct RequestLimits {
  std::size_t line_bytes_max = 8 * 1024;
  std::size_t head_bytes_max = 32 * 1024;
  std::size_t body_bytes_max = 64 * 1024;
  std::size_t fields_max = 100;
};

// Reads one request. After `done` or `failed` it must be replaced by a new one.
//
// BOUND: holds the head and the body within their limits.
class RequestParser {
 public:
  enum class State : std::uint8_t { start_line, fields, body, chunks, done, failed };

  explicit RequestParser(const RequestLimits& limits = {}) noexcept : limits_(limits) {}

  // Takes bytes until the request is complete or invalid. Returns how many it took.
  std::size_t feed(Bytes input);

  State state() const noexcept { return state_; }
  bool is_done() const noexcept { return state_ == State::done; }
  bool has_failed() const noexcept { return state_ == State::failed; }
  // True once a byte has arrived.
  bool has_begun() const noexcept { return head_bytes_ > 0; }
  bool has_head() const noexcept { return state_ > State::fields && state_ != State::failed; }
  // The status of the answer to an invalid request: 400, 413, 414, 431, 505.
  int failure() const noexcept { return failure_; }
  // REQUIRES: is_done().
  Request take() { return std::move(request_); }

 private:
  // Takes bytes up to the end of a line. Returns whether the line is complete.
  bool take_line(std::string_view& input);
  void read_line();
  void read_start_line();
  void read_field();
  void begin_body();
  void take_body(std::string_view& input);
  void take_chunks(std::string_view& input);
  void fail_with(int status) noexcept {
    failure_ = status;
    state_ = State::failed;
  }

  RequestLimits limits_;
  Request request_;
  std::string line_;
  std::size_t head_bytes_ = 0;
  std::size_t body_left_ = 0;
  wire::ChunkedDecoder chunks_;
  State state_ = State::start_line;
  int failure_ = 0;
};

}  // namespace gossamer::server
