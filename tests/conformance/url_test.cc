// The URL Standard's own test data (web-platform-tests), and ada's additions to it.
#include "url/url.h"

#include <optional>
#include <string>

#include "html/encoding/encoder.h"
#include "html/encoding/encoding.h"
#include "support/json.h"
#include "support/testdata.h"

namespace gossamer::conformance {
namespace {

using url::Url;
using url::UrlFailure;

std::optional<Url> parse_input(const std::string& text, const Url* base) {
  Url parsed;
  const ExactBlock block(text);
  if (parsed.assign(block.view(), base) != UrlFailure::none) return std::nullopt;
  return parsed;
}

// A base that fails to parse fails the whole.
std::optional<Url> parse_case(const Json& row) {
  const auto base = row.find("base");
  if (base == row.end() || base->is_null()) return parse_input(string_at(row, "input"), nullptr);
  const auto parsed_base = parse_input(base->get<std::string>(), nullptr);
  return parsed_base ? parse_input(string_at(row, "input"), &*parsed_base) : std::nullopt;
}

// The first field that differs, or nothing.
std::string difference(const Json& row, const Url& url) {
  const std::pair<const char*, std::string> fields[] = {
      {"href", url.href()},
      {"protocol", std::string(url.protocol())},
      {"username", std::string(url.username())},
      {"password", std::string(url.password())},
      {"host", std::string(url.host())},
      {"hostname", std::string(url.hostname())},
      {"port", std::string(url.port())},
      {"pathname", std::string(url.pathname())},
      {"search", std::string(url.search())},
      {"hash", std::string(url.hash())},
      {"origin", url.origin()},
  };
  for (const auto& [name, value] : fields) {
    const auto wanted = row.find(name);
    if (wanted == row.end() || wanted->is_null() || *wanted == value) continue;
    return fmt::format("{} is {}, should be {}", name, value, wanted->get<std::string>());
  }
  return {};
}

// What was serialised parses to itself, also into a Url that held something else before.
bool parses_to_itself(const Url& url) {
  Url again;
  if (again.assign("https://user:word@example.com:81/a?b#c") != UrlFailure::none) return false;
  return again.assign(url.href()) == UrlFailure::none && again == url &&
         again.pathname() == url.pathname() && again.host() == url.host() &&
         again.username() == url.username() && again.password() == url.password() &&
         again.query() == url.query() && again.fragment() == url.fragment();
}

void run_suite(const std::string& file) {
  NEEDS_TESTDATA("url/" + file);
  Score score("url/" + file);
  for (const Json& row : read_json("url/" + file)) {
    const auto url = parse_case(row);
    const bool should_fail = row.value("failure", false);
    const std::string wrong = url ? difference(row, *url) : "it does not parse";
    const bool passed = should_fail ? !url : url && wrong.empty() && parses_to_itself(*url);
    score.count(passed, [&] {
      return fmt::format("{} against {}: {}", row.at("input").dump(),
                         row.value("base", Json()).dump(),
                         should_fail ? "should fail, is " + url->href() : wrong);
    });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(UrlSuite, AgreesWithUrltestdata) { run_suite("urltestdata.json"); }

TEST(UrlSuite, AgreesWithTheAdditionsOfAda) { run_suite("ada_extra_urltestdata.json"); }

TEST(UrlSuite, WritesQueriesInTheEncodingOfThePage) {
  NEEDS_TESTDATA("url/percent-encoding.json");
  Score score("url/percent-encoding.json");
  for (const Json& row : read_json("url/percent-encoding.json")) {
    const ExactBlock text("https://h/?" + string_at(row, "input"));
    for (const auto& [label, wanted] : row.at("output").items()) {
      const auto encoding = html::encoding_from_label(label);
      ASSERT_TRUE(encoding.has_value()) << label;
      html::Encoder encoder(*encoding);
      Url url;
      const bool parses = url.assign(text.view(), nullptr, &encoder) == UrlFailure::none;
      const std::string got(parses ? url.query().value_or("") : "failure");
      score.count(got == wanted.get<std::string>(), [&] {
        return fmt::format("{} in {}: {}, not {}", row.at("input").dump(), label, got,
                           wanted.dump());
      });
    }
  }
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
