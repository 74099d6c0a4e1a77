#include "server/response.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/json.h"
#include "wire/status_phrase.h"
#include "wire/text.h"

namespace gossamer::server {
namespace {

constexpr std::string_view kJson = "application/json; charset=utf-8";

}  // namespace

std::string_view Response::find(std::string_view name) const noexcept {
  for (const auto& [one, value] : fields) {
    if (one == name) return value;
  }
  return {};
}

// JSON strings already have U+2028 and U+2029 escaped (base/json.h). Outside of strings there is no
// such sign, so every one can be replaced.
std::string harmless_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

Response plain_response(int status, std::string_view text) {
  return {.status = status, .type = "text/plain; charset=utf-8", .body = std::string(text) + "\n"};
}

Response json_response(int status, std::string_view json) {
  return {.status = status,
          .type = std::string(kJson),
          .body = harmless_json(json),
          .fields = {{"Cache-Control", "no-store"}}};
}

Response error_response(int status, std::string_view sentence) {
  return json_response(status, base::JsonLine().text("error", sentence).finish());
}

std::string write_head(const Response& response, bool keeps_alive) {
  std::string head =
      fmt::format("HTTP/1.1 {} {}\r\n", response.status, wire::status_phrase(response.status));
  const auto add = [&head](std::string_view name, std::string_view value) {
    CHECK(wire::is_token(name) && wire::is_field_text(value), "a bad header field {}", name);
    head.append(name).append(": ").append(value).append("\r\n");
  };
  if (!response.type.empty()) add("Content-Type", response.type);
  for (const auto& [name, value] : response.fields) add(name, value);
  if (response.stream) {
    add("Transfer-Encoding", "chunked");
  } else if (response.status != 304) {
    add("Content-Length", fmt::format("{}", response.bytes().size()));
  }
  if (!keeps_alive) add("Connection", "close");
  return head + "\r\n";
}

}  // namespace gossamer::server
