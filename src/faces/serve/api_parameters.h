// Reads the parameters of a request of the API.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/time.h"
#include "captures/collection.h"
#include "server/request.h"
#include "server/response.h"

namespace gossamer::serve {

// Each parameter is read by a member; the first that is invalid sets the error.
class ApiParameters {
 public:
  explicit ApiParameters(const server::Request& request) : request_(request) {}

  // Empty if it is absent.
  std::string text(std::string_view name);
  // REQUIRES: fallback <= most.
  std::uint64_t number(std::string_view name, std::uint64_t fallback, std::uint64_t most);
  std::optional<std::uint32_t> archive(const captures::Collection& collection);
  std::optional<WallTime> time(std::string_view name);

  void reject(std::string sentence) {
    if (error_.empty()) error_ = std::move(sentence);
  }
  bool is_bad() const noexcept { return !error_.empty(); }
  server::Response rejection() const { return server::error_response(400, error_); }

 private:
  const server::Request& request_;
  std::string error_;
};

// The answer to a request whose work took too long.
inline server::Response slow_response() {
  return server::error_response(503, "this takes too long; restrict the request");
}

// Writes members that may be null.
void add_text_or_null(base::JsonLine& line, std::string_view name, std::string_view text);
void add_time_or_null(base::JsonLine& line, std::string_view name, std::optional<WallTime> time);

// Joins JSON values into an array.
class JsonArray {
 public:
  void add(std::string_view json) {
    if (out_.size() > 1) out_ += ", ";
    out_ += json;
  }
  std::string finish() { return std::move(out_) + "]"; }

 private:
  std::string out_ = "[";
};

// Returns an array of texts.
std::string text_array(const std::vector<std::string>& texts);

}  // namespace gossamer::serve
