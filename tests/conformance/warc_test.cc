// Archives, indexes and packages of other tools, compared with the results of warcio and
// cdxj-indexer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "../support/archive_contents.h"
#include "base/ascii.h"
#include "support/json.h"
#include "support/testdata.h"
#include "tests/support/cdxj_line.h"
#include "warc/cdxj.h"
#include "warc/digest.h"
#include "warc/verifier.h"
#include "warc/wacz.h"

namespace gossamer::conformance {
namespace {

using support::ArchiveContents;
using support::ArchivedRecord;
using support::read_archive;

// Every row says so, also for pages of many kilobytes: the column was made of streams that had been
// read to their ends before. Bodies are held against the declared digests instead.
constexpr std::string_view kDigestOfNothing = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";

std::string utf8_from_any(std::string_view text) {
  const Json json = std::string(text);
  try {
    (void)json.dump();
    return std::string(text);
  } catch (const Json::type_error&) {
    std::string out;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x80) out += {static_cast<char>(0xC0 | byte >> 6)};
      out += static_cast<char>(byte < 0x80 ? byte : 0x80 | (byte & 0x3F));
    }
    return out;
  }
}

Json pairs_of(const warc::Fields& fields, const std::string& target_uri) {
  Json pairs = Json::array();
  for (const auto& field : fields) {
    // warcio changes the address in place; here the field is as it stands.
    const bool is_target = base::equals_ignoring_case(field.name, "WARC-Target-URI");
    pairs.push_back(
        {utf8_from_any(field.name), utf8_from_any(is_target ? target_uri : field.value)});
  }
  return pairs;
}

warc::Verifier verify(const ArchivedRecord& record) {
  warc::Verifier verifier(record.head);
  verifier.feed(as_bytes(record.block));
  verifier.finish(record.extent.is_whole);
  return verifier;
}

// What is different; empty if nothing is.
std::string difference(const Json& expected, const ArchivedRecord& record, bool is_inflated) {
  const warc::Extent& extent = record.extent;
  const warc::RecordHead& head = record.head;
  const auto differs = [](std::string_view what, const Json& wanted, const Json& got) {
    return wanted == got ? std::string()
                         : fmt::format("{}: {}, not {}; ", what, got.dump(), wanted.dump());
  };
  std::string out = differs("type", expected["type"], name(head.type));
  // A member that continues after the record has no known length.
  const bool has_length = expected["length"].get<std::int64_t>() > 0;
  if (is_inflated) {
    out += differs("offset", expected["offset"], extent.plain_offset);
    out += differs("length", expected["length"], extent.plain_bytes);
  } else if (has_length) {
    out += differs("offset", expected["offset"], extent.member_offset);
    out += differs("length", expected["length"], extent.member_bytes);
  }
  if (head.format == warc::RecordFormat::warc)
    out += differs("version", expected["version"], head.version);
  out += differs("fields", expected["warc_headers"], pairs_of(head.fields, head.target_uri()));
  const warc::Verifier verifier = verify(record);
  const auto& http = verifier.http();
  out += differs("has http", expected.contains("http_start"), http.has_value());
  if (http && expected.contains("http_start")) {
    out += differs("start", expected["http_start"], utf8_from_any(http->start_line));
    out += differs("http", expected["http_headers"], pairs_of(http->fields, ""));
  }
  if (string_at(expected, "body_sha1") != kDigestOfNothing) {
    const std::string_view body =
        std::string_view(record.block).substr(http ? http->raw.size() : 0);
    out += differs("body length", expected["body_len"], body.size());
    out +=
        differs("body", expected["body_sha1"],
                warc::base32(warc::digest_of(warc::DigestAlgorithm::sha1, as_bytes(body)).value()));
  }
  // warcio does not look at revisits; ours have their blocks checked.
  if (head.type == warc::RecordType::revisit) return out;
  const Json verdict = verifier.is_declared() ? Json(verifier.is_good()) : Json();
  return out + differs("digests", expected["digests_ok"], verdict);
}

std::string difference(const Json& expected, const ArchiveContents& contents, bool is_inflated,
                       bool may_fault) {
  const Json& records = expected["records"];
  std::string out;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i >= contents.records.size()) return fmt::format("only {} records", i);
    const std::string found = difference(records[i], contents.records[i], is_inflated);
    if (!found.empty()) out += fmt::format("record {}: {}", i, found);
  }
  const bool must_fault = !expected["error"].is_null();
  const auto fault = std::ranges::find(contents.faults, false, &warc::Fault::is_warning);
  const bool has_fault = fault != contents.faults.end();
  if (must_fault && !has_fault) out += "no fault";
  if (!must_fault && !may_fault && has_fault) out += "fault: " + fault->text;
  // After a fault, more records may follow.
  if (!has_fault && contents.records.size() != records.size()) {
    out += fmt::format("{} records, not {}", contents.records.size(), records.size());
  }
  return out;
}

TEST(WarcSuite, ReadsTheArchivesOfOthersAsWarcioDoes) {
  NEEDS_TESTDATA("warc/expect.jsonl");
  Score score("warc/files");
  long records = 0;
  for_each_json_line("warc/expect.jsonl", [&](const Json& row) {
    const std::string file = string_at(row, "file");
    const ArchiveContents contents = read_archive(read_testdata("warc/files/" + file));
    // One member around many records is read through.
    const bool is_inflated = row.contains("whole_file_gunzip");
    const Json& expected = is_inflated ? row["whole_file_gunzip"] : row;
    const bool has_gzip_error = row.contains("gzip_error") && !row["gzip_error"].is_null();
    const std::string found = difference(expected, contents, is_inflated, has_gzip_error);
    records += static_cast<long>(expected["records"].size());
    score.count(found.empty(), [&] { return file + ": " + found; });
  });
  std::printf("  %ld records\n", records);
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(WarcSuite, ReadsThemAlikeHoweverTheyAreCut) {
  NEEDS_TESTDATA("warc/files");
  for (const auto& entry : std::filesystem::directory_iterator(testdata_path("warc/files"))) {
    const std::string bytes = read_bytes(entry.path());
    const ArchiveContents whole = read_archive(bytes);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
      const ArchiveContents cut = read_archive(bytes, piece);
      ASSERT_EQ(cut.records.size(), whole.records.size()) << entry.path() << " by " << piece;
      ASSERT_EQ(cut.faults.size(), whole.faults.size()) << entry.path() << " by " << piece;
      for (std::size_t i = 0; i < cut.records.size(); ++i) {
        ASSERT_EQ(cut.records[i].block, whole.records[i].block) << entry.path() << " by " << piece;
        ASSERT_EQ(cut.records[i].extent.member_bytes, whole.records[i].extent.member_bytes);
        ASSERT_EQ(cut.records[i].extent.plain_offset, whole.records[i].extent.plain_offset);
      }
    }
  }
}

TEST(WarcSuite, SurvivesTheArchivesCutAnywhere) {
  NEEDS_TESTDATA("warc/files");
  for (const auto& entry : std::filesystem::directory_iterator(testdata_path("warc/files"))) {
    const std::string bytes = read_bytes(entry.path());
    const std::size_t records = read_archive(bytes).records.size();
    const std::size_t step = std::max<std::size_t>(bytes.size() / 200, 1);
    for (std::size_t size = 0; size < bytes.size(); size += step) {
      const ExactBlock cut(std::string_view(bytes).substr(0, size));
      EXPECT_LE(read_archive(cut.view()).records.size(), records) << entry.path() << " " << size;
    }
  }
}

TEST(WarcSuite, IndexesThemAsCdxjIndexerDoes) {
  NEEDS_TESTDATA("warc/cdxj.jsonl");
  Score score("warc/cdxj");
  for_each_json_line("warc/cdxj.jsonl", [&](const Json& row) {
    const std::string file = string_at(row, "file");
    const ArchiveContents contents = read_archive(read_testdata("warc/files/" + file));
    std::vector<std::string> lines;
    for (const ArchivedRecord& record : contents.records) {
      if (!is_indexed(record.head) || !record.extent.can_be_cut_out()) continue;
      const warc::Verifier verifier = verify(record);
      lines.push_back(index_entry(record.head, record.extent, verifier, file).to_line());
    }
    for (std::size_t i = 0; i < std::max(lines.size(), row["cdxj"].size()); ++i) {
      const std::string wanted = i < row["cdxj"].size() ? row["cdxj"][i].get<std::string>() : "";
      const std::string got = i < lines.size() ? lines[i] : "";
      score.count(got == wanted, [&] { return "\n    " + got + "\n    " + wanted; });
      const auto entry = warc::read_cdxj_line(wanted);
      EXPECT_TRUE(entry && entry->to_line() == wanted) << wanted;
    }
  });
  EXPECT_TRUE(score.reaches(1.0));
}

// The blocks of these are shortened, and the digests invented: what can be read is the head.
TEST(WarcSuite, ReadsTheHeadsOfTheStandardsExamples) {
  NEEDS_TESTDATA("warc/spec-examples");
  for (const auto& entry :
       std::filesystem::directory_iterator(testdata_path("warc/spec-examples"))) {
    const ArchiveContents contents = read_archive(read_bytes(entry.path()));
    std::string stem = entry.path().stem();
    if (stem == "wacky") {  // a version that there is not
      ASSERT_FALSE(contents.faults.empty());
      EXPECT_EQ(contents.faults[0].code, Errc::unsupported);
      EXPECT_TRUE(contents.records.empty());
      continue;
    }
    if (stem == "continuation1") stem = "response";
    if (stem == "continuation2") stem = "continuation";
    ASSERT_EQ(contents.records.size(), 1U) << entry.path();
    EXPECT_EQ(name(contents.records[0].head.type), stem);
    EXPECT_TRUE(contents.records[0].head.date().has_value());
  }
}

TEST(WarcSuite, TellsGoodPackagesFromBadOnes) {
  NEEDS_TESTDATA("warc/wacz");
  for (const auto& entry : std::filesystem::directory_iterator(testdata_path("warc/wacz"))) {
    const std::string bytes = read_bytes(entry.path());
    const ExactBlock file(bytes);
    const auto zip = warc::ZipArchive::open(as_bytes(file.view()));
    ASSERT_TRUE(zip.has_value()) << entry.path();
    const auto problems = warc::check_wacz(*zip);
    const std::string stem = entry.path().stem();
    // What is wrong with the other one is its certificate, which nobody here looks at.
    const bool is_good = stem.starts_with("valid") || stem == "invalid_signed_example_1";
    EXPECT_EQ(problems.empty(), is_good)
        << entry.path() << ": " << (problems.empty() ? "" : problems[0]);
    if (!stem.starts_with("valid")) continue;
    for (const warc::ZipEntry* archive : warc::archives_of(*zip)) {
      const auto content = zip->read(*archive, 1 << 20);
      ASSERT_TRUE(content.has_value());
      const ArchiveContents contents = read_archive(*content);
      EXPECT_TRUE(contents.faults.empty());
      for (const ArchivedRecord& record : contents.records) {
        EXPECT_TRUE(verify(record).is_good()) << archive->name << " " << record.extent.plain_offset;
      }
    }
  }
}

}  // namespace
}  // namespace gossamer::conformance
