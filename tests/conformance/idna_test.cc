// Hosts in many scripts: web-platform-tests' toascii and Unicode's IdnaTestV2; and Punycode.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "support/json.h"
#include "support/testdata.h"
#include "url/punycode.h"
#include "url/url.h"

namespace gossamer::conformance {
namespace {

using url::Url;
using url::UrlFailure;

// ICU 72 knows Unicode 15.0; the suites are made for Unicode 17. These are the inputs with code
// points that were assigned later, which ICU therefore refuses.
bool has_later_code_point(std::u32string_view host) {
  return std::ranges::any_of(host, [](char32_t c) {
    return c == 0x1806                         // became valid in Unicode 16
           || (c >= 0x2EBF0 && c <= 0x2EE5D)   // CJK extension I, Unicode 15.1
           || (c >= 0x323B0 && c <= 0x33479);  // CJK extension J, Unicode 17
  });
}

std::u32string to_utf32(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t c = length == 1 ? lead : lead & (0x7F >> length);
    for (std::size_t k = 1; k < length; ++k) {
      c = c << 6 | (static_cast<unsigned char>(text.at(i + k)) & 0x3F);
    }
    out.push_back(c);
    i += length;
  }
  return out;
}

// The exceptions are a part of the total; `exceptions_share_max` bounds them.
void run_idna_suite(const std::string& file, double exceptions_share_max) {
  NEEDS_TESTDATA("url/" + file);
  Score score("url/" + file);
  long exceptions = 0;
  for (const Json& row : read_json("url/" + file)) {
    const std::string input = string_at(row, "input");
    if (input.empty()) continue;
    Url parsed;
    const ExactBlock block("https://" + input + "/x");
    const bool fails = parsed.assign(block.view()) != UrlFailure::none;
    const std::string got = fails ? "failure" : std::string(parsed.host());
    const std::string wanted = row.at("output").is_null() ? "failure" : string_at(row, "output");
    if (got != wanted && has_later_code_point(to_utf32(input))) {
      score.count_exception();
      ++exceptions;
      continue;
    }
    score.count(got == wanted, [&] {
      return fmt::format("{}: {}, should be {}", row.at("input").dump(-1, ' ', true), got, wanted);
    });
  }
  EXPECT_TRUE(score.reaches(1.0 - exceptions_share_max));
  EXPECT_EQ(score.passed() + exceptions, score.total());
}

TEST(IdnaSuite, AgreesWithToascii) { run_idna_suite("toascii.json", 0); }

TEST(IdnaSuite, AgreesWithIdnaTestV2) { run_idna_suite("IdnaTestV2.json", 0.01); }

TEST(IdnaSuite, AgreesWithTheRowsRemovedFromIdnaTestV2) {
  run_idna_suite("IdnaTestV2-removed.json", 0);
}

TEST(PunycodeSuite, Decodes) {
  NEEDS_TESTDATA("url/punycode_tests.json");
  Score score("url/punycode_tests.json");
  for (const Json& row : read_json("url/punycode_tests.json")) {
    const std::u32string decoded = to_utf32(string_at(row, "decoded"));
    const std::string encoded = string_at(row, "encoded");
    const ExactBlock block(encoded);
    const bool passed = url::punycode_decode(block.view()) == decoded;
    score.count(passed, [&] { return encoded; });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(PunycodeSuite, RefusesWhatWouldTakeQuadraticTime) {
  NEEDS_TESTDATA("url/bad_punycode_tests.json");
  Score score("url/bad_punycode_tests.json");
  for (const Json& row : read_json("url/bad_punycode_tests.json")) {
    const std::string decoded = string_at(row, "decoded");
    Url parsed;
    const bool refused = parsed.assign("https://" + decoded + "/") != UrlFailure::none;
    score.count(refused, [&] { return fmt::format("{} bytes are accepted", decoded.size()); });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
