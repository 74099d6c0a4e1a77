// Cookies of any bytes: a cookie that is sent could be set, is bounded, and survives a file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "url/url.h"
#include "wire/cookie.h"
#include "wire/cookie_jar.h"
#include "wire/cookies_txt.h"
#include "wire/http_date.h"

namespace gossamer {
namespace {

constexpr WallTime kNow = {.seconds = 1'700'000'000};
constexpr wire::CookieLimits kLimits = {
    .per_site_max = 4, .total_max = 8, .sent_max = 3, .header_bytes_max = 100};

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

void check_jar(wire::CookieJar& jar, const url::Url& url) {
  CHECK_LE(jar.size(), kLimits.total_max);
  const std::string header = jar.header_for(url, kNow);
  CHECK_LE(header.size(), kLimits.header_bytes_max);
  CHECK(header.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
  for (const wire::Cookie& cookie : jar.all(kNow)) {
    CHECK(!cookie.domain.empty() && cookie.path.starts_with('/'));
    CHECK(wire::lives_up_to_its_prefix(cookie));
    CHECK_LE(cookie.name.size() + cookie.value.size(), wire::kCookieBytesMax);
  }
  // A file written from a jar is read back to the same file.
  wire::CookieJar again(kLimits);
  const std::string file = wire::write_cookies_txt(jar, kNow);
  wire::read_cookies_txt(file, kNow, again);
  CHECK_LE(again.size(), jar.size());
}

}  // namespace
}  // namespace gossamer

// The first line is the URL, each further line a header.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  wire::CookieJar from_file(kLimits);
  wire::read_cookies_txt(text, kNow, from_file);
  const auto url = url::Url::parse(take_line(text));
  if (!url || !url->is_http_or_https()) return 0;
  check_jar(from_file, *url);
  wire::CookieJar jar(kLimits);
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::vector<char> block(line.begin(), line.end());
    const std::string_view values[] = {{block.data(), block.size()}};
    jar.set_from_response(*url, values, kNow);
    wire::parse_cookie_date(values[0]);
  }
  check_jar(jar, *url);
  return 0;
}
