// The WHATWG Encoding Standard: labels, decoders, legacy multi-byte tables, whole files.

#include "html/encoding/encoding.h"

#include <array>
#include <string>
#include <vector>

#include "html/encoding/decoder.h"
#include "html/encoding/encoder.h"
#include "html/encoding/utf8.h"
#include "support/json.h"
#include "support/testdata.h"

namespace gossamer::conformance {
namespace {

using html::ByteOrderMark;
using html::Decoder;
using html::Encoding;

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

TEST(EncodingSuite, LabelsNameTheirEncoding) {
  NEEDS_TESTDATA("encoding/labels.jsonl");
  Score score("encoding/labels");
  for_each_json_line("encoding/labels.jsonl", [&](const Json& row) {
    const std::string label = string_at(row, "label");
    const auto encoding = html::encoding_from_label(ExactBlock(label).view());
    const std::string name(encoding ? html::name(*encoding) : "");
    score.count(name == string_at(row, "name"),
                [&] { return fmt::format("{:?} is not {}", label, name); });
  });
  EXPECT_TRUE(score.reaches(1.0));
}

// One row of decode.jsonl: every piece gives the text that is expected of it.
bool decodes_as_expected(const Json& row, Encoding encoding, std::string* got) {
  const bool is_fatal = row.value("fatal", false);
  Decoder decoder(encoding,
                  row.value("ignoreBOM", false) ? ByteOrderMark::kept : ByteOrderMark::removed);
  const Json& chunks = row["chunks"];
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const ExactBlock bytes(bytes_from_hex(chunks[i].get<std::string>()));
    const std::uint64_t errors_before = decoder.errors();
    std::string scratch;
    got->assign(decoder.decode(bytes.view(), scratch));
    if (i + 1 == chunks.size()) got->append(decoder.finish(scratch));
    const bool has_failed = is_fatal && decoder.errors() != errors_before;
    const Json& expected = row["out"][i];
    if (has_failed || expected.is_null()) return has_failed && expected.is_null();
    if (*got != expected.get<std::string>()) return false;
  }
  return true;
}

TEST(EncodingSuite, DecodersGiveTheTextOfTheStandard) {
  NEEDS_TESTDATA("encoding/decode.jsonl");
  Score score("encoding/decode");
  for_each_json_line("encoding/decode.jsonl", [&](const Json& row) {
    const auto encoding = html::encoding_from_label(string_at(row, "label"));
    std::string got;
    const bool passed = encoding && decodes_as_expected(row, *encoding, &got);
    score.count(passed, [&] {
      return fmt::format("{}: {} {} gives {:?}", string_at(row, "test"), string_at(row, "label"),
                         row["chunks"].dump(), got);
    });
  });
  EXPECT_TRUE(score.reaches(1.0));
}

// The same bytes, cut after every one of them, and appended instead of viewed.
std::string decode_bytewise(Encoding encoding, std::string_view bytes) {
  Decoder decoder(encoding);
  std::string text, scratch;
  for (const char byte : bytes) text += decoder.decode({&byte, 1}, scratch);
  text += decoder.finish(scratch);
  return text;
}

void check_legacy_table(const char* name, Score& score) {
  const Encoding encoding = html::encoding_from_label(name).value();
  const std::string table = read_testdata(fmt::format("encoding/legacy-multibyte/{}.tsv", name));
  for_each_line(table, [&](std::string_view line) {
    if (line.starts_with('#')) return;
    const std::size_t tab = line.find('\t');
    const std::string bytes = bytes_from_hex(line.substr(0, tab));
    std::string expected;
    for (std::string_view rest = line.substr(tab + 1); !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      std::array<char, 4> buffer;
      const auto code_point = std::stoul(std::string(rest.substr(0, end)), nullptr, 16);
      const char* const stop =
          html::put_utf8(buffer.data(), static_cast<std::uint32_t>(code_point));
      expected.append(buffer.data(), static_cast<std::size_t>(stop - buffer.data()));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const std::string got = html::decode(encoding, ExactBlock(bytes).view());
    score.count(got == expected && decode_bytewise(encoding, bytes) == expected,
                [&] { return fmt::format("{} {} gives {}", name, line, hex(got)); });
  });
}

TEST(EncodingSuite, LegacyMultiByteTablesAreTheStandards) {
  NEEDS_TESTDATA("encoding/legacy-multibyte");
  Score score("encoding/legacy-multibyte");
  for (const char* name : {"big5", "euc-jp", "euc-kr", "iso-2022-jp", "shift_jis"}) {
    check_legacy_table(name, score);
  }
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(EncodingSuite, LegacyMultiByteErrorsAreTheStandards) {
  NEEDS_TESTDATA("encoding/legacy-multibyte/errors.jsonl");
  Score score("encoding/legacy-multibyte/errors");
  for_each_json_line("encoding/legacy-multibyte/errors.jsonl", [&](const Json& row) {
    const Encoding encoding = html::encoding_from_label(string_at(row, "label")).value();
    const std::string bytes = bytes_from_hex(string_at(row, "bytes"));
    const std::string got = html::decode(encoding, ExactBlock(bytes).view());
    const std::string expected = string_at(row, "out");
    score.count(got == expected && decode_bytewise(encoding, bytes) == expected,
                [&] { return fmt::format("{} gives {:?}", row.dump(), got); });
  });
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(EncodingSuite, WholeFilesAreDecodedAndEncoded) {
  NEEDS_TESTDATA("encoding/encoding_rs/manifest.json");
  Score score("encoding/encoding_rs");
  for (const Json& row : read_json("encoding/encoding_rs/manifest.json")) {
    const Encoding encoding = html::encoding_from_label(string_at(row, "encoding")).value();
    const std::string in = read_testdata("encoding/encoding_rs/" + string_at(row, "in"));
    const std::string expected = read_testdata("encoding/encoding_rs/" + string_at(row, "expect"));
    const ExactBlock block(in);
    const bool is_decode = string_at(row, "op") == "decode";
    const std::string got = is_decode ? html::decode(encoding, block.view(), ByteOrderMark::kept)
                                      : html::encode(encoding, block.view());
    score.count(got == expected, [&] {
      const auto at = std::ranges::mismatch(got, expected).in1 - got.begin();
      return fmt::format("{}: differs at byte {} of {}", row.dump(), at, expected.size());
    });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
