#include "wire/status_phrase.h"

#include <array>
#include <utility>

namespace gossamer::wire {

std::string_view status_phrase(int status) noexcept {
  static constexpr std::array<std::pair<int, std::string_view>, 36> kPhrases = {{
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {203, "Non-Authoritative"},
      {204, "No Content"},
      {206, "Partial Content"},
      {300, "Multiple Choices"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {303, "See Other"},
      {304, "Not Modified"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {402, "Payment Required"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {407, "Proxy Authentication"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {410, "Gone"},
      {414, "URI Too Long"},
      {418, "I'm a Teapot"},
      {421, "Misdirected Request"},
      {422, "Unprocessable"},
      {429, "Too Many Requests"},
      {451, "Legal Reasons"},
      {500, "Server Error"},
      {501, "Not Implemented"},
      {502, "Bad Gateway"},
      {503, "Unavailable"},
      {504, "Gateway Timeout"},
      {505, "Version Not Supported"},
  }};
  for (const auto& [known, phrase] : kPhrases) {
    if (known == status) return phrase;
  }
  return {};
}

}  // namespace gossamer::wire
