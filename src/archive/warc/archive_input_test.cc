#include "warc/archive_input.h"

#include <gtest/gtest.h>
#include <tests/support/archive_contents.h>
#include <zstd.h>

#include <string>
#include <vector>

#include "warc/record_writer.h"

namespace gossamer::warc {
namespace {

using support::read_archive;
using InputKind = ArchiveInput::Step::Kind;

struct Unpacked {
  std::string text;
  std::vector<InputKind> ends;         // of members, and damage
  std::vector<std::uint64_t> offsets;  // of the members that ended
  std::size_t largest_piece = 0;
  Compression compression = Compression::none;
  std::uint64_t position = 0;
};

Unpacked unpack(std::string_view file, std::size_t piece_bytes) {
  Unpacked unpacked;
  ArchiveInput input;
  Bytes piece;
  while (true) {
    const std::size_t before = unpacked.text.size();
    const auto step = input.read(piece, unpacked.text);
    piece = piece.subspan(step.consumed);
    unpacked.largest_piece = std::max(unpacked.largest_piece, unpacked.text.size() - before);
    if (step.kind == InputKind::end) break;
    if (step.kind == InputKind::bytes) continue;
    if (step.kind != InputKind::need_input) {
      unpacked.ends.push_back(step.kind);
      unpacked.offsets.push_back(input.member_offset());
      continue;
    }
    EXPECT_TRUE(piece.empty());
    EXPECT_EQ(unpacked.text.size(), before) << "bytes have a step of their own";
    piece = as_bytes(file.substr(0, piece_bytes));
    file.remove_prefix(piece.size());
    if (piece.empty()) input.finish();
  }
  unpacked.compression = input.compression();
  unpacked.position = input.position();
  return unpacked;
}

std::string in_gzip(std::string_view text) {
  std::string out;
  MemberWriter member;
  member.write(as_bytes(text), out);
  member.finish(out);
  return out;
}

std::string zstd_frame(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

// RFC 8878 section 3.1.2; archives put a dictionary into one.
std::string skippable_frame(char kind, std::string_view content) {
  std::string out = {kind, '\x2A', '\x4D', '\x18', static_cast<char>(content.size()), 0, 0, 0};
  return out.append(content);
}

TEST(ArchiveInput, PassesPlainTextWhateverItBeginsWith) {
  for (const std::string_view file : {"", "(", "P", "_", "(a", "Plain", "()", "`*", "O*x"}) {
    for (const std::size_t piece : {1U, 2U, 100U}) {
      const Unpacked unpacked = unpack(file, piece);
      EXPECT_EQ(unpacked.text, file);
      EXPECT_EQ(unpacked.compression, Compression::none) << file;
      EXPECT_TRUE(unpacked.ends.empty());
      EXPECT_EQ(unpacked.position, file.size());
    }
  }
}

TEST(ArchiveInput, DetectsCompressionByTheFirstBytes) {
  for (const std::size_t piece : {1U, 2U, 1000U}) {
    EXPECT_EQ(unpack(in_gzip("x"), piece).compression, Compression::gzip);
    EXPECT_EQ(unpack(zstd_frame("x"), piece).compression, Compression::zstd);
    for (const char kind : {'\x50', '\x5D', '\x5F'}) {
      const Unpacked unpacked =
          unpack(skippable_frame(kind, "dictionary") + zstd_frame("text"), piece);
      EXPECT_EQ(unpacked.compression, Compression::zstd);
      EXPECT_EQ(unpacked.text, "text");
      EXPECT_EQ(unpacked.ends, (std::vector{InputKind::member_end, InputKind::member_end}));
    }
  }
}

TEST(ArchiveInput, SaysWhereEachMemberBegins) {
  for (auto* pack : {in_gzip, zstd_frame}) {
    const std::string first = pack("first"), second = pack(""), third = pack("third");
    for (const std::size_t piece : {1U, 3U, 1000U}) {
      const Unpacked unpacked = unpack(first + second + third, piece);
      EXPECT_EQ(unpacked.text, "firstthird");
      EXPECT_EQ(unpacked.offsets,
                (std::vector<std::uint64_t>{0, first.size(), first.size() + second.size()}));
      EXPECT_EQ(unpacked.position, first.size() + second.size() + third.size());
    }
  }
}

TEST(ArchiveInput, GivesAtMost64KiBAtATime) {
  const std::string text(1'000'000, 'x');
  for (const std::string& file : {text, in_gzip(text), zstd_frame(text)}) {
    const Unpacked unpacked = unpack(file, file.size());
    EXPECT_EQ(unpacked.text, text);
    EXPECT_EQ(unpacked.largest_piece, 64U * 1024);
  }
}

TEST(ArchiveInput, SearchesTheNextMemberAfterDamage) {
  for (auto* pack : {in_gzip, zstd_frame}) {
    const std::string good = pack("good");
    // Junk may end like the beginning of a member.
    for (const std::string& junk :
         {std::string("junk"), "junk" + good.substr(0, 1), "junk" + good.substr(0, 2)}) {
      for (const std::size_t piece : {1U, 2U, 1000U}) {
        const Unpacked unpacked = unpack(good + junk + good, piece);
        EXPECT_EQ(unpacked.text, "goodgood");
        EXPECT_EQ(unpacked.ends,
                  (std::vector{InputKind::member_end, InputKind::damaged, InputKind::member_end}));
        EXPECT_EQ(unpacked.offsets,
                  (std::vector<std::uint64_t>{0, good.size(), good.size() + junk.size()}));
      }
    }
  }
}

// RFC 1952 section 2.3.1.2: the three highest flags are reserved.
TEST(ArchiveInput, FindsNoMemberWithReservedFlags) {
  const std::string good = in_gzip("good");
  for (const char flags : {'\x20', '\x40', '\x80'}) {
    const std::string junk = std::string("junk\x1F\x8B\x08", 7) + flags;
    const Unpacked unpacked = unpack(good + junk + good, 1000);
    EXPECT_EQ(unpacked.ends,
              (std::vector{InputKind::member_end, InputKind::damaged, InputKind::member_end}));
    EXPECT_EQ(unpacked.text, "goodgood");
  }
}

TEST(ArchiveInput, SaysThatAFileIsCutInsideAMember) {
  for (auto* pack : {in_gzip, zstd_frame}) {
    const std::string file = pack("some text");
    for (std::size_t size = pack == in_gzip ? 1 : 2; size < file.size(); ++size) {
      for (const std::size_t piece : {std::size_t{1}, size}) {
        EXPECT_EQ(unpack(file.substr(0, size), piece).ends, (std::vector{InputKind::cut})) << size;
      }
    }
  }
}

TEST(ArchiveInput, TrustsAMemberThatContainedARecord) {
  const std::string record =
      "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 4\r\n\r\ngood\r\n\r\n";
  const std::string good = in_gzip(record);
  const std::string strange = in_gzip("no record\n");
  // Found by searching: it may be part of the damage.
  const auto silent = read_archive(good + "junk" + strange + good);
  EXPECT_EQ(silent.faults.size(), 1U);
  EXPECT_EQ(silent.records.size(), 2U);
  // Found after a member that was right.
  const auto reported = read_archive(good + "junk" + good + strange + good);
  ASSERT_EQ(reported.faults.size(), 2U);
  EXPECT_EQ(reported.faults[1].offset, 2 * good.size() + 4);
  EXPECT_EQ(reported.records.size(), 3U);
}

TEST(ArchiveInput, ReportsDamageInAMemberThatWasSearchedAndContainedARecord) {
  std::string bad =
      in_gzip("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 4\r\n\r\ngood\r\n\r\n");
  bad[bad.size() - 6] = static_cast<char>(bad[bad.size() - 6] ^ 1);
  const auto contents = read_archive("\x1F\x8B junk" + bad);
  EXPECT_EQ(contents.faults.size(), 2U);
  ASSERT_EQ(contents.records.size(), 1U);
  EXPECT_FALSE(contents.records[0].extent.is_whole);
  EXPECT_FALSE(contents.records[0].extent.can_be_cut_out());
}

}  // namespace
}  // namespace gossamer::warc
