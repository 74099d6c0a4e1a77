// Reads the parameters of a request of the API.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/time.h"
#include "serve/collection.h"
#include "serve/request.h"
#include "serve/response.h"

namespace gossamer::serve {

// Each parameter is read by a member; the first that is invalid sets the error.
class ApiParameters {
 public:
  explicit ApiParameters(const Request& request) : request_(request) {}

  // Empty if it is absent.
  std::string text(std::string_view name);
  // REQUIRES: fallback <= most.
  std::uint64_t number(std::string_view name, std::uint64_t fallback, std::uint64_t most);
  std::optional<std::uint32_t> archive(const Collection& collection);
  std::optional<WallTime> time(std::string_view name);

  void reject(std::string sentence) {
    if (error_.empty()) error_ = std::move(sentence);
  }
  bool is_bad() const noexcept { return !error_.empty(); }
  Response rejection() const { return error_response(400, error_); }

 private:
  const Request& request_;
  std::string error_;
};

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

}  // namespace gossamer::serve
