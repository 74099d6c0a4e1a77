// Which encoding is this HTML file in: html5lib's cases and those of the web platform tests.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "html/encoding/encoding.h"
#include "html/encoding/sniffer.h"
#include "html/encoding/stream.h"
#include "support/json.h"
#include "support/testdata.h"
#include "wire/content_type.h"

namespace gossamer::conformance {
namespace {

using html::Encoding;

// The letter of the prescan looks into scripts; browsers, and the web platform tests with them,
// do not: a <meta> in a script is text. Where the two suites disagree, we follow the browsers.
constexpr std::array<std::string_view, 2> kPrescanLooksIntoScripts = {
    R"(<!DOCTYPE HTML>
<script>document.write('<meta charset="iso8859-2">')</script>)",
    R"(<!DOCTYPE HTML>
<script type="text/plain"><meta charset="iso8859-2"></script>)",
};

Encoding sniff_whole(std::string_view bytes, const html::SniffOptions& options) {
  return html::sniff_encoding(ExactBlock(bytes).view(), options, /*is_whole=*/true)->encoding;
}

// What a stream that is fed byte by byte settles for.
Encoding sniff_bytewise(std::string_view bytes, const html::SniffOptions& options) {
  html::DecodingStream stream(options);
  std::string scratch;
  for (const char byte : bytes) stream.decode({&byte, 1}, scratch);
  stream.finish(scratch);
  return stream.sniffed()->encoding;
}

struct DataCase {
  std::string data;
  std::string label;
};

std::vector<DataCase> read_cases(const std::filesystem::path& path) {
  const std::string text = "\n" + read_bytes(path);
  constexpr std::string_view kData = "\n#data\n", kEncoding = "\n#encoding\n";
  std::vector<DataCase> cases;
  for (std::size_t at = text.find(kData); at != std::string::npos;) {
    const std::size_t start = at + kData.size();
    const std::size_t next = text.find(kData, start);
    const std::size_t middle = text.rfind(kEncoding, next);
    const std::size_t label = middle + kEncoding.size();
    cases.push_back(
        {text.substr(start, middle - start), text.substr(label, text.find('\n', label) - label)});
    at = next;
  }
  return cases;
}

TEST(HtmlCharsetSuite, Html5libFilesAreInTheirEncoding) {
  NEEDS_TESTDATA("html5lib/encoding");
  Score score("html5lib/encoding");
  for (const auto& entry :
       std::filesystem::directory_iterator(testdata_path("html5lib/encoding"))) {
    for (const DataCase& row : read_cases(entry.path())) {
      if (std::ranges::count(kPrescanLooksIntoScripts, row.data) > 0) {
        score.count_exception();
        continue;
      }
      const auto expected = html::encoding_from_label(row.label);
      const Encoding got = sniff_whole(row.data, {});
      score.count(got == expected && sniff_bytewise(row.data, {}) == expected, [&] {
        return fmt::format("{:?} is {}, not {}", row.data.substr(0, 200), row.label, name(got));
      });
    }
  }
  EXPECT_TRUE(score.reaches(0.95));
}

TEST(HtmlCharsetSuite, WebPlatformFilesAreInTheirEncoding) {
  NEEDS_TESTDATA("html-charset/manifest.json");
  Score score("html-charset");
  for (const Json& row : read_json("html-charset/manifest.json")) {
    html::SniffOptions options;
    options.fallback = html::encoding_from_label(string_at(row, "fallback")).value();
    if (const auto type = wire::MimeType::parse(string_at(row, "content_type"))) {
      options.transport = html::encoding_from_label(type->parameter("charset").value_or(""));
    }
    const std::string bytes = read_testdata("html-charset/" + string_at(row, "file"));
    const std::string expected = string_at(row, "expected");
    const Encoding got = sniff_whole(bytes, options);
    const bool passed = name(got) == expected && sniff_bytewise(bytes, options) == got;
    score.count(passed, [&] {
      return fmt::format("{} is {}, not {}", string_at(row, "file"), expected, name(got));
    });
  }
  EXPECT_TRUE(score.reaches(0.95));
}

}  // namespace
}  // namespace gossamer::conformance
