// The answer to a request, and its bytes on a connection.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/result.h"

namespace gossamer::server {

// A body without a known length, which is sent while it is made.
class BodyStream {
 public:
  virtual ~BodyStream() = default;
  // Returns the next piece; empty at the end. BORROWS: this.
  virtual async::Task<Result<std::string>> next() = 0;
};

struct Response {
  int status = 200;
  // With a charset where it is a text. Empty: there is no body.
  std::string type = {};
  std::string body = {};
  // Further fields.
  std::vector<std::pair<std::string, std::string>> fields = {};
  std::unique_ptr<BodyStream> stream = {};  // instead of the body
  bool closes = false;                      // the connection ends after it
  // Instead of the body: bytes that are valid while `owner` is held, such as those of a file. They
  // take no memory.
  struct Mapped {
    std::shared_ptr<const void> owner;
    std::string_view bytes;
    std::uint64_t hash = 0;  // of all of them
  };
  Mapped mapped = {};

  std::string_view bytes() const noexcept { return mapped.owner ? mapped.bytes : body; }

  // Returns the value of a further field; empty if there is none.
  std::string_view find(std::string_view name) const noexcept;

  Response&& with(std::string name, std::string value) && {
    fields.emplace_back(std::move(name), std::move(value));
    return std::move(*this);
  }
};

// A text for people.
Response plain_response(int status, std::string_view text);
// Returns JSON that ends no script element and no line of a script, wherever it is put.
std::string harmless_json(std::string_view json);
// `json` is JSON. Characters that could end a script element or a line of a script are escaped.
Response json_response(int status, std::string_view json);
// {"error": "..."}
Response error_response(int status, std::string_view sentence);

// Returns the status line and the fields, including the empty line. `keeps_alive` says whether the
// connection stays open; a stream is sent in chunks. REQUIRES: the values are field texts.
std::string write_head(const Response& response, bool keeps_alive);

}  // namespace gossamer::server
