// Cookies: the IETF's http-state vectors (RFC 6265) and the web platform tests (RFC 6265bis).

#include <string>
#include <vector>

#include "support/exceptions.h"
#include "support/json.h"
#include "support/testdata.h"
#include "url/url.h"
#include "wire/cookie.h"
#include "wire/cookie_jar.h"
#include "wire/http_date.h"

namespace gossamer::conformance {
namespace {

// A day in the life of the vectors: after 2020 and long before 9999.
constexpr WallTime kNow = {.seconds = 1'750'000'000};

std::vector<std::string> strings_at(const Json& row, const char* key) {
  std::vector<std::string> strings;
  for (const Json& value : row[key]) strings.push_back(value.get<std::string>());
  return strings;
}

// The Cookie header for `get_url` once the values were set at `set_url`.
std::string cookie_header(const Json& row, const char* values_key) {
  const auto set_url = url::Url::parse(string_at(row, "set_url"));
  const auto get_url = url::Url::parse(string_at(row, "get_url"));
  if (!set_url || !get_url) return "(no URL)";
  const std::vector<std::string> values = strings_at(row, values_key);
  wire::CookieJar jar;
  for (const std::string& value : values) {
    const ExactBlock block(value);
    const std::string_view views[] = {block.view()};
    jar.set_from_response(*set_url, views, kNow);
  }
  return jar.header_for(*get_url, kNow);
}

bool sets_a_cookie_without_a_name(const Json& row) {
  for (const std::string& value : strings_at(row, "received")) {
    const std::string pair = value.substr(0, value.find(';'));
    const std::size_t name_end = pair.find('=');
    if (name_end == std::string::npos) return true;
    if (pair.find_first_not_of(" \t") == name_end) return true;
  }
  return false;
}

constexpr Exception kHttpStateExceptions[] = {
    {"RFC 6265bis: a value without a name is a cookie without a name, where RFC 6265 dropped it",
     sets_a_cookie_without_a_name},
    {"a value with a control character is refused, not cut there (RFC 6265bis 5.6)",
     [](const Json& row) { return row["received"][0].get<std::string>().contains('\0'); }},
};

TEST(CookieSuite, HttpStateVectorsAgree) {
  NEEDS_TESTDATA("cookies/http-state-parser.json");
  RuledScore score("cookies/http-state", kHttpStateExceptions);
  for (const Json& row : read_json("cookies/http-state-parser.json")) {
    std::string expected;
    for (const Json& cookie : row["sent"]) {
      if (!expected.empty()) expected += "; ";
      expected += string_at(cookie, "name") + "=" + string_at(cookie, "value");
    }
    const std::string got = cookie_header(row, "received");
    score.count(row, got == expected,
                [&] { return fmt::format("{} gives {:?}", row.dump(), got); });
  }
  EXPECT_TRUE(score.is_clean());
}

constexpr Exception kWptExceptions[] = {
    {"a header with a line end in it is refused with its whole response, as the suite allows for "
     "all but this one",
     [](const Json& row) {
       const auto values = strings_at(row, "set_cookie");
       return values.size() == 1 && values[0].find_first_of("\r\n") != std::string::npos;
     }},
};

TEST(CookieSuite, WebPlatformTestsAgree) {
  NEEDS_TESTDATA("cookies/wpt-cookies.jsonl");
  RuledScore score("cookies/wpt", kWptExceptions);
  for_each_json_line("cookies/wpt-cookies.jsonl", [&](const Json& row) {
    const std::string got = cookie_header(row, "set_cookie");
    const bool may_fail = row.value("allow_fetch_failure", false);
    const bool passed = got == string_at(row, "expected") || (may_fail && got.empty());
    score.count(row, passed, [&] {
      return fmt::format("{} gives {:?}", row.dump().substr(0, 400), got.substr(0, 80));
    });
  });
  EXPECT_TRUE(score.is_clean());
}

TEST(CookieSuite, DatesAgree) {
  NEEDS_TESTDATA("cookies/dates.json");
  Score score("cookies/dates");
  for (const Json& row : read_json("cookies/dates.json")) {
    const ExactBlock text(string_at(row, "in"));
    const auto date = wire::parse_cookie_date(text.view());
    const std::string got = date ? wire::write_http_date(*date) : "";
    score.count(got == string_at(row, "expected"),
                [&] { return fmt::format("{} gives {:?}", row.dump(), got); });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

// As a URL would have it: the vectors spell hosts as people do.
std::string canonical_host(std::string host) {
  for (const char c : host) {
    if (static_cast<unsigned char>(c) < 0x80) continue;
    const auto url = url::Url::parse("http://" + host + "/");
    return url ? std::string(url->hostname()) : host;
  }
  for (char& c : host) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c;
  return host;
}

constexpr Exception kMatchExceptions[] = {
    {"meant for hosts that are not brought into their form before; with it, the file has the other "
     "answer for the same pair",
     [](const Json& row) {
       return row["match"] == false && (string_at(row, "host").starts_with("Example") ||
                                        string_at(row, "cookie_domain").starts_with('.'));
     }},
};

TEST(CookieSuite, DomainsAndPathsMatch) {
  NEEDS_TESTDATA("cookies/match.json");
  RuledScore score("cookies/match", kMatchExceptions);
  const Json vectors = read_json("cookies/match.json");
  for (const Json& row : vectors["domain_match"]) {
    std::string domain = string_at(row, "cookie_domain");
    if (domain.size() > 1 && domain.starts_with('.')) domain.erase(0, 1);
    const bool got = wire::domain_matches(canonical_host(string_at(row, "host")),
                                          canonical_host(domain));
    score.count(row, got == row["match"], [&] { return row.dump(); });
  }
  for (const Json& row : vectors["path_match"]) {
    const bool got = wire::path_matches(string_at(row, "request"), string_at(row, "cookie_path"));
    score.count(row, got == row["match"], [&] { return row.dump(); });
  }
  for (const Json& row : vectors["default_path"]) {
    const std::string request = string_at(row, "request");
    score.count(row, wire::default_cookie_path(request) == string_at(row, "path"),
                [&] { return row.dump(); });
  }
  EXPECT_TRUE(score.is_clean());
}

}  // namespace
}  // namespace gossamer::conformance
