// Path dots, IPv4 forms and whole URLs from urlcanon and crawler-commons, as far as the URL
// Standard says the same; relative resolution; SURT keys.
#include <optional>
#include <string>

#include "support/json.h"
#include "support/testdata.h"
#include "url/surt.h"
#include "url/url.h"

namespace gossamer::conformance {
namespace {

using url::Url;
using url::UrlFailure;

std::optional<Url> parse_spec(const std::string& text, const Url* base = nullptr) {
  Url parsed;
  const ExactBlock block(text);
  if (parsed.assign(block.view(), base) != UrlFailure::none) return std::nullopt;
  return parsed;
}

// What the parser makes of a row; nothing if it refuses it.
std::optional<std::string> outcome(const std::string& kind, const std::string& input) {
  const auto whole = [&](const std::string& text, auto part) -> std::optional<std::string> {
    const auto url = parse_spec(text);
    return url ? std::optional<std::string>(part(*url)) : std::nullopt;
  };
  const auto pathname = [](const Url& url) { return std::string(url.pathname()); };
  if (kind == "path_dots/special") return whole("http://h" + input, pathname);
  if (kind == "path_dots/nonspecial") return whole("foo://h" + input, pathname);
  if (kind == "funky_ipv4") {
    return whole("http://" + input + "/",
                 [](const Url& url) { return std::string(url.hostname()); });
  }
  return whole(input, [](const Url& url) { return url.href(); });
}

std::string shown(const std::optional<std::string>& text) { return text ? *text : "failure"; }

// All rows for which the standard's answer is given, by whether upstream gives the same.
void run_rows(bool upstream_agrees, const char* name) {
  NEEDS_TESTDATA("url-canon/cases.jsonl");
  Score score(name);
  for_each_json_line("url-canon/cases.jsonl", [&](const Json& row) {
    const auto agrees = row.find("agrees_with_whatwg");
    if (agrees == row.end() || agrees->get<bool>() != upstream_agrees) return;
    const auto got = outcome(string_at(row, "kind"), string_at(row, "in"));
    const Json& whatwg = row.at("whatwg");
    const auto wanted = whatwg.is_null() ? std::nullopt : std::optional(whatwg.get<std::string>());
    score.count(got == wanted, [&] {
      return fmt::format("{} {}: {}, not {}", string_at(row, "kind"), row.at("in").dump(),
                         shown(got), shown(wanted));
    });
  });
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(UrlCanonSuite, AgreesWhereUpstreamAndTheStandardDo) {
  run_rows(true, "url-canon/cases.jsonl, rows that agree with the standard");
}

// Such rows are upstream's policy; what the standard says about them is still ours.
TEST(UrlCanonSuite, AgreesWithTheStandardWhereUpstreamDoesNot) {
  run_rows(false, "url-canon/cases.jsonl, rows that do not");
}

TEST(UrlCanonSuite, ResolvesLinks) {
  NEEDS_TESTDATA("url-canon/resolve.json");
  Score score("url-canon/resolve.json");
  for (const Json& row : read_json("url-canon/resolve.json")) {
    const std::string base_text = string_at(row, "base");
    const auto base = parse_spec(base_text);
    const auto url = parse_spec(string_at(row, "in"), base ? &*base : nullptr);
    const std::string got = url ? url->href() : "failure";
    score.count(got == string_at(row, "out"), [&] {
      return fmt::format("{} against {}: {}, not {}", row.at("in").dump(), base_text, got,
                         string_at(row, "out"));
    });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(UrlCanonSuite, MakesSurtKeys) {
  NEEDS_TESTDATA("url-canon/cases.jsonl");
  Score score("url-canon/cases.jsonl, surt");
  for_each_json_line("url-canon/cases.jsonl", [&](const Json& row) {
    const std::string kind = string_at(row, "kind");
    const std::string input = string_at(row, "in");
    const auto url = parse_spec(input);
    if (!url || (kind != "surt/defaultIASurt" && kind != "ssurt/surt")) return;
    // Upstream does not parse first: a URL without a path stays one there.
    if (kind == "ssurt/surt" && url->href() != input && !url->has_credentials()) return;
    if (kind == "ssurt/surt" && input.find("/", 8) == std::string::npos) return;
    const std::string got = kind == "ssurt/surt" ? url::surt(*url) : url::cdx_key(*url);
    score.count(got == string_at(row, "out"), [&] {
      return fmt::format("{} {}: {}, not {}", kind, input, got, string_at(row, "out"));
    });
  });
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
