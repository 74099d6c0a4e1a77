// MIME types: "parse a MIME type" and "extract a MIME type" of the web platform tests.

#include <string>
#include <vector>

#include "html/encoding/encoding.h"
#include "support/json.h"
#include "support/testdata.h"
#include "wire/content_type.h"

namespace gossamer::conformance {
namespace {

// The vectors are code points, of which a header can carry those up to 0xFF, as bytes. What is
// beyond has to be refused and becomes a byte that has to be refused.
std::string header_bytes(std::string_view utf8) {
  std::string bytes;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    if (lead < 0x80) {
      bytes.push_back(static_cast<char>(lead));
    } else if (lead < 0xC4) {
      bytes.push_back(static_cast<char>((lead & 0x1F) << 6 | (utf8[++i] & 0x3F)));
    } else if (lead >= 0xC4) {
      bytes.push_back('\x7F');
      while (i + 1 < utf8.size() && (utf8[i + 1] & 0xC0) == 0x80) ++i;
    }
  }
  return bytes;
}

// What a row says of a MIME type; null where it says that there is none.
std::string expected_type(const Json& row, const char* key) {
  return row[key].is_null() ? "(none)" : header_bytes(string_at(row, key));
}

std::string text_of(const std::optional<wire::MimeType>& type) {
  return type ? type->to_string() : "(none)";
}

std::string encoding_of(const std::optional<wire::MimeType>& type) {
  if (!type) return {};
  const auto encoding = html::encoding_from_label(type->parameter("charset").value_or(""));
  return std::string(encoding ? html::name(*encoding) : "");
}

void check_parse(const char* file, Score& score) {
  for (const Json& row : read_json(file)) {
    if (!row.is_object()) continue;
    const ExactBlock input(header_bytes(string_at(row, "input")));
    const auto type = wire::MimeType::parse(input.view());
    const bool is_encoding_equal =
        !row.contains("encoding") || encoding_of(type) == string_at(row, "encoding");
    score.count(text_of(type) == expected_type(row, "output") && is_encoding_equal,
                [&] { return fmt::format("{} gives {:?}", row.dump(), text_of(type)); });
  }
}

TEST(MimeSuite, TypesAreParsedAndWritten) {
  NEEDS_TESTDATA("mime");
  Score score("mime/parse");
  check_parse("mime/mime-types.json", score);
  check_parse("mime/generated-mime-types.json", score);
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(MimeSuite, TypesAreExtractedFromHeaders) {
  NEEDS_TESTDATA("mime");
  Score score("mime/extract");
  for (const Json& row : read_json("mime/content-types.json")) {
    std::vector<std::string> values;
    std::string joined;
    for (const Json& value : row["contentType"]) {
      values.push_back(header_bytes(value.get<std::string>()));
      joined += (values.size() > 1 ? ", " : "") + values.back();
    }
    const std::vector<std::string_view> separate(values.begin(), values.end());
    for (const auto& headers : {separate, std::vector<std::string_view>{joined}}) {
      const auto type = wire::extract_mime_type(headers);
      const bool passed = text_of(type) == expected_type(row, "mimeType") &&
                          encoding_of(type) == string_at(row, "encoding") &&
                          type->essence() == string_at(row, "documentContentType");
      score.count(passed, [&] { return fmt::format("{} gives {:?}", row.dump(), text_of(type)); });
    }
  }
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
