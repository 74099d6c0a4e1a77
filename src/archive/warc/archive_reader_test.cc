#include "warc/archive_reader.h"

#include <gtest/gtest.h>
#include <tests/support/archive_contents.h>
#include <tests/support/processor_time.h>
#include <zstd.h>

#include "warc/record_writer.h"

namespace gossamer::warc {
namespace {

using support::ArchiveContents;
using support::read_archive;

std::string plain_record(std::string_view block, std::string_view more = "") {
  return "WARC/1.0\r\nWARC-Type: resource\r\n" + std::string(more) +
         "Content-Length: " + std::to_string(block.size()) + "\r\n\r\n" + std::string(block) +
         "\r\n\r\n";
}

std::string gzipped(std::string_view text) {
  std::string out;
  MemberWriter member;
  member.write(as_bytes(text), out);
  member.finish(out);
  return out;
}

std::string in_zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

std::vector<std::string> blocks_of(const ArchiveContents& contents) {
  std::vector<std::string> blocks;
  for (const auto& record : contents.records) blocks.push_back(record.block);
  return blocks;
}

using Blocks = std::vector<std::string>;

TEST(ArchiveReader, FindsNothingInNothing) {
  for (const std::string& file : {std::string(), std::string("\r\n\r\n"), gzipped("")}) {
    const auto contents = read_archive(file);
    EXPECT_TRUE(contents.records.empty());
    EXPECT_TRUE(contents.faults.empty());
  }
}

TEST(ArchiveReader, ReadsRecordsWithoutCompression) {
  const std::string first = plain_record("one");
  const auto contents = read_archive(first + plain_record("") + plain_record("three"));
  EXPECT_EQ(blocks_of(contents), (Blocks{"one", "", "three"}));
  EXPECT_TRUE(contents.faults.empty());
  // The line ends after a block are not counted.
  EXPECT_EQ(contents.records[0].extent.member_bytes, first.size() - 4);
  EXPECT_EQ(contents.records[1].extent.member_offset, first.size());
}

TEST(ArchiveReader, ReadsRecordsInMembersOfGzipAndZstd) {
  for (auto* pack : {gzipped, in_zstd}) {
    const std::string first = pack(plain_record("one"));
    const std::string file = first + pack(plain_record("two"));
    for (const std::size_t piece : {std::size_t{1}, std::size_t{5}, file.size()}) {
      const auto contents = read_archive(file, piece);
      EXPECT_EQ(blocks_of(contents), (Blocks{"one", "two"}));
      EXPECT_TRUE(contents.faults.empty());
      EXPECT_EQ(contents.records[0].extent.member_bytes, first.size());
      EXPECT_EQ(contents.records[1].extent.member_offset, first.size());
      EXPECT_EQ(contents.records[1].extent.member_bytes, file.size() - first.size());
    }
  }
}

TEST(ArchiveReader, ReadsOneMemberAroundManyRecords) {
  const auto contents = read_archive(gzipped(plain_record("one") + plain_record("two")));
  EXPECT_EQ(blocks_of(contents), (Blocks{"one", "two"}));
  EXPECT_TRUE(contents.faults.empty());
  EXPECT_FALSE(contents.records[0].extent.can_be_cut_out());
  EXPECT_FALSE(contents.records[1].extent.can_be_cut_out());
  EXPECT_EQ(contents.records[1].extent.plain_offset, plain_record("one").size());
}

TEST(ArchiveReader, ReadsARecordThatContinuesInTheNextMember) {
  const std::string record = plain_record("head and body");
  const std::size_t middle = record.find("and");
  const auto contents =
      read_archive(gzipped(record.substr(0, middle)) + gzipped(record.substr(middle)));
  EXPECT_EQ(blocks_of(contents), (Blocks{"head and body"}));
  EXPECT_TRUE(contents.faults.empty());
  EXPECT_FALSE(contents.records[0].extent.can_be_cut_out());
}

TEST(ArchiveReader, AcceptsBareLineFeedsAndMissingLineEnds) {
  const auto contents = read_archive(
      "WARC/0.18\nWARC-Type: resource\nContent-Length: 3\n\none\n\n"
      "WARC/1.0\r\nContent-Length: 3\r\n\r\ntwoWARC/1.1\r\nContent-Length: 5\r\n\r\nthree");
  EXPECT_EQ(blocks_of(contents), (Blocks{"one", "two", "three"}));
  EXPECT_TRUE(contents.faults.empty());
}

TEST(ArchiveReader, IsNotFooledByARecordInABlock) {
  const std::string inner = "\r\n\r\n" + plain_record("inner");
  EXPECT_EQ(blocks_of(read_archive(plain_record(inner))), (Blocks{inner}));
  EXPECT_EQ(blocks_of(read_archive(gzipped(plain_record(inner)))), (Blocks{inner}));
}

TEST(ArchiveReader, ContinuesAfterADamagedMember) {
  std::string bad = gzipped(plain_record(std::string(500, 'x') + "the checksum will be wrong"));
  bad[bad.size() - 6] = static_cast<char>(bad[bad.size() - 6] ^ 1);
  const std::string good = gzipped(plain_record("good"));
  const auto contents = read_archive(good + bad + good);
  ASSERT_EQ(contents.records.size(), 3U);
  EXPECT_EQ(contents.records[2].block, "good");
  EXPECT_EQ(contents.records[2].extent.member_offset, good.size() + bad.size());
  EXPECT_EQ(contents.records[2].extent.member_bytes, good.size());
  EXPECT_FALSE(contents.records[1].extent.is_whole);
  ASSERT_EQ(contents.faults.size(), 1U);
  EXPECT_EQ(contents.faults[0].offset, good.size());
  EXPECT_EQ(contents.faults[0].code, Errc::malformed);
}

TEST(ArchiveReader, ContinuesAfterBytesThatBelongToNoMember) {
  const std::string good = gzipped(plain_record("good"));
  // With bytes that look like a member but are not.
  const std::string junk = std::string("junk\x1f\x8b\x08\x00\xff\xff\xff\xff\xff\xff more", 19);
  const auto contents = read_archive(good + junk + good);
  EXPECT_EQ(blocks_of(contents), (Blocks{"good", "good"}));
  ASSERT_EQ(contents.faults.size(), 1U);
  EXPECT_EQ(contents.faults[0].offset, good.size());
}

TEST(ArchiveReader, ContinuesAtTheNextRecordWithoutCompression) {
  const std::string good = plain_record("good");
  const auto contents = read_archive(good + "first stray line\nand another\nWARC/\n" + good);
  EXPECT_EQ(blocks_of(contents), (Blocks{"good", "good"}));
  ASSERT_EQ(contents.faults.size(), 1U);
  EXPECT_EQ(contents.faults[0].offset, good.size());
  EXPECT_FALSE(contents.faults[0].is_warning);
}

TEST(ArchiveReader, OnlyWarnsOfALengthThatIsABitTooSmall) {
  std::string shorter = plain_record("four");
  shorter.replace(shorter.find("Length: 4"), 9, "Length: 2");
  const auto contents = read_archive(shorter + plain_record("good"));
  EXPECT_EQ(blocks_of(contents), (Blocks{"fo", "good"}));
  ASSERT_EQ(contents.faults.size(), 1U);
  EXPECT_TRUE(contents.faults[0].is_warning);
}

TEST(ArchiveReader, SeesABlockThatIsShorterThanItsHeadSays) {
  std::string longer = plain_record("four");
  longer.replace(longer.find("Length: 4"), 9, "Length: 400");
  const auto contents = read_archive(gzipped(longer) + gzipped(plain_record("good")));
  ASSERT_EQ(contents.records.size(), 2U);
  EXPECT_FALSE(contents.records[0].extent.is_whole);
  EXPECT_EQ(contents.records[1].block, "good");
  ASSERT_EQ(contents.faults.size(), 1U);
}

TEST(ArchiveReader, SaysWhereAFileIsCut) {
  const std::string good = gzipped(plain_record("good"));
  const std::string file = good + good;
  for (std::size_t size = good.size() + 1; size < file.size(); ++size) {
    const auto contents = read_archive(file.substr(0, size));
    ASSERT_GE(contents.records.size(), 1U);
    ASSERT_EQ(contents.faults.size(), 1U) << size;
    EXPECT_EQ(contents.faults[0].code, Errc::peer_closed);
    EXPECT_EQ(contents.faults[0].offset, good.size());
  }
}

TEST(ArchiveReader, DeliversARecordWithoutALengthAndContinues) {
  const auto contents =
      read_archive("WARC/1.0\r\nWARC-Type: metadata\r\n\r\nvia: x\r\n\r\n" + plain_record("good"));
  EXPECT_EQ(blocks_of(contents), (Blocks{"", "good"}));
  EXPECT_EQ(contents.records[0].head.type, RecordType::metadata);
  ASSERT_EQ(contents.faults.size(), 1U);
}

TEST(ArchiveReader, RejectsHeadersWithoutAnEnd) {
  const std::string endless = "WARC/1.0\r\nX: " + std::string(300'000, 'x');
  const auto contents =
      read_archive(endless + "\r\n" + plain_record("good"), 1000, {.head_bytes_max = 10'000});
  EXPECT_EQ(blocks_of(contents), (Blocks{"good"}));
  ASSERT_EQ(contents.faults.size(), 1U);
  EXPECT_EQ(contents.faults[0].code, Errc::over_limit);
}

// Each line may begin a header, and only the last ones end within the limit.
TEST(ArchiveReader, FindsTheRecordBehindHeadsThatAreTooLong) {
  std::string file;
  for (int i = 0; i < 300; ++i) file += "WARC/1.0\n";
  const std::string last = "WARC/1.0\nWARC-Type: resource\nContent-Length: 3\n\nabc\n\n";
  const std::size_t last_head = last.find("abc");
  for (const std::size_t limit : {100U, 1000U, 2600U}) {
    std::size_t too_long = 0;
    for (std::size_t i = 1; i <= 300; ++i) too_long += i * 9 + last_head > limit ? 1 : 0;
    for (const std::size_t piece : {1U, 50U, 100'000U}) {
      const auto contents = read_archive(file + last, piece, {.head_bytes_max = limit});
      EXPECT_EQ(blocks_of(contents), (Blocks{"abc"}));
      EXPECT_EQ(contents.faults.size(), too_long) << limit << " " << piece;
    }
  }
}

// Each line begins a header that does not end within the limit.
TEST(ArchiveReader, TakesTwiceAsLongForTwiceTheUnfinishedHeads) {
  const auto cost = [](std::size_t count) {
    std::string file;
    for (std::size_t i = 0; i < count; ++i) file += "WARC/1.0\n";
    const Duration before = processor_time();
    const auto contents = read_archive(file, file.size(), {.head_bytes_max = file.size() / 2});
    EXPECT_TRUE(contents.records.empty());
    return processor_time() - before;
  };
  EXPECT_LT(growth(5'000, cost), 3);
}

// BOUND: a line that begins no record is not held until it ends, which may be never.
TEST(ArchiveReader, ReportsALongLineBeforeItEnds) {
  constexpr std::size_t kLineBytesMax = 16 * 1024;
  using Kind = ArchiveReader::Step::Kind;
  for (const std::size_t size : {kLineBytesMax - 1, kLineBytesMax}) {
    ArchiveReader reader;
    const std::string line(size, 'x');
    Bytes input = as_bytes(line);
    std::size_t faults = 0;
    while (true) {
      const auto step = reader.next(input);
      input = input.subspan(step.consumed);
      if (step.kind == Kind::fault) ++faults;
      if (step.kind == Kind::need_input) break;
    }
    EXPECT_EQ(faults, size == kLineBytesMax ? 1U : 0U) << size;
  }
}

TEST(ArchiveReader, ReportsStrayBytesAfterAWarningAsAFault) {
  const auto contents =
      read_archive(plain_record("one") + "\r\nfirst\nsecond\n" + plain_record("two"));
  EXPECT_EQ(blocks_of(contents), (Blocks{"one", "two"}));
  ASSERT_EQ(contents.faults.size(), 1U);
  EXPECT_FALSE(contents.faults[0].is_warning) << "an empty line ended the record before";
  EXPECT_EQ(contents.faults[0].offset, plain_record("one").size() + 2);
}

TEST(ArchiveReader, WarnsOfOneStrayLineOnly) {
  std::string shorter = plain_record("four");
  shorter.replace(shorter.find("Length: 4"), 9, "Length: 2");
  const auto contents = read_archive(shorter + "x\r\n" + plain_record("good"));
  EXPECT_EQ(blocks_of(contents), (Blocks{"fo", "good"}));
  ASSERT_EQ(contents.faults.size(), 2U);
  EXPECT_FALSE(contents.faults[1].is_warning);
}

TEST(ArchiveReader, ReportsEachDamageAfterItFoundTheNextMember) {
  std::string bad = gzipped(plain_record(std::string(500, 'x')));
  bad[bad.size() - 6] = static_cast<char>(bad[bad.size() - 6] ^ 1);
  const std::string good = gzipped(plain_record("good"));
  const auto contents = read_archive(bad + good + bad + good);
  ASSERT_EQ(contents.records.size(), 4U);
  EXPECT_EQ(contents.records[3].block, "good");
  ASSERT_EQ(contents.faults.size(), 2U);
  EXPECT_EQ(contents.faults[1].offset, bad.size() + good.size());
  EXPECT_NE(contents.faults[1].text, "");
}

TEST(ArchiveReader, TakesOnlyDigitsForALength) {
  for (const char* const length : {"12x", "x", "-1", "+3", "", "3 3", "99999999999999999999"}) {
    const auto contents =
        read_archive("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: " + std::string(length) +
                     "\r\n\r\none\r\n\r\n" + plain_record("good"));
    EXPECT_EQ(blocks_of(contents), (Blocks{"", "good"})) << length;
    ASSERT_EQ(contents.faults.size(), 1U) << length;
    EXPECT_EQ(contents.faults[0].code, Errc::malformed) << length;
  }
}

TEST(ArchiveReader, ReadsAHeadOfExactlyTheLimit) {
  const std::string record = plain_record("block");
  const std::size_t head_bytes = record.find("block");
  for (const std::size_t piece : {std::size_t{1}, record.size()}) {
    EXPECT_TRUE(read_archive(record, piece, {.head_bytes_max = head_bytes}).faults.empty());
    const auto contents = read_archive(record, piece, {.head_bytes_max = head_bytes - 1});
    ASSERT_GE(contents.faults.size(), 1U);
    EXPECT_EQ(contents.faults[0].code, Errc::over_limit);
    EXPECT_TRUE(contents.records.empty());
  }
}

TEST(ArchiveReader, SaysWhereAFileWithoutCompressionIsCut) {
  const std::string good = plain_record("good");
  for (std::size_t size = good.size() + 1; size < 2 * good.size() - 4; ++size) {
    const auto contents = read_archive((good + good).substr(0, size), 7);
    ASSERT_EQ(contents.faults.size(), 1U) << size;
    EXPECT_EQ(contents.faults[0].offset, good.size()) << size;
    EXPECT_FALSE(contents.faults[0].is_warning) << size;
    EXPECT_EQ(contents.records[0].block, "good");
    EXPECT_TRUE(contents.records[0].extent.is_whole);
  }
  EXPECT_TRUE(read_archive(good + good.substr(0, good.size() - 4)).faults.empty());
}

TEST(ArchiveReader, ReadsArcFilesInMembersAndCutOnes) {
  const std::string line = "http://h/ 10.0.0.1 20140216050221 text/html 5\n";
  const auto contents = read_archive(gzipped(line + "hello\n") + gzipped(line + "world\n"), 3);
  EXPECT_TRUE(contents.faults.empty());
  EXPECT_EQ(blocks_of(contents), (Blocks{"hello", "world"}));
  const auto shorter = read_archive(gzipped(line + "he") + gzipped(line + "world\n"), 3);
  EXPECT_EQ(blocks_of(shorter), (Blocks{"he", "world"}));
  ASSERT_EQ(shorter.faults.size(), 1U);
  EXPECT_EQ(shorter.faults[0].code, Errc::malformed);
}

TEST(ArchiveReader, RejectsUnknownVersions) {
  const auto contents =
      read_archive("WARC/3.14\r\nContent-Length: 0\r\n\r\n\r\n\r\n" + plain_record("good"));
  EXPECT_EQ(blocks_of(contents), (Blocks{"good"}));
  ASSERT_EQ(contents.faults.size(), 1U);
  EXPECT_EQ(contents.faults[0].code, Errc::unsupported);
}

TEST(ArchiveReader, ReadsArcFilesOfBothVersions) {
  const std::string version_block =
      "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n";
  const std::string file =
      "filedesc://x.arc 0.0.0.0 20140216050221 text/plain " + std::to_string(version_block.size()) +
      "\n" + version_block +
      "\nhttp://h/ 10.0.0.1 20140216050221 text/html 5\nhello\n"
      "http://h/2 10.0.0.1 20140216050221 text/html 200 abc - 7 x.arc 3\nbye\n";
  const auto contents = read_archive(file, 3);
  EXPECT_TRUE(contents.faults.empty());
  EXPECT_EQ(blocks_of(contents), (Blocks{version_block, "hello", "bye"}));
  EXPECT_EQ(contents.records[0].head.type, RecordType::arc_header);
  EXPECT_EQ(contents.records[2].head.version, "ARC/2");
}

// The first two lines of an ARC file belong to its header, whatever its length says.
TEST(ArchiveReader, ReadsTwoLinesOfAnArcHeaderAtLeast) {
  const std::string lines = "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n";
  const std::string record = "http://h/ 10.0.0.1 20140216050221 text/html 5\nhello\n";
  const auto head = [](std::size_t length) {
    return "filedesc://x.arc 0.0.0.0 20140216050221 text/plain " + std::to_string(length) + "\n";
  };
  for (const std::size_t piece : {1U, 7U, 1000U}) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{3}, lines.size()}) {
      const auto contents = read_archive(head(length) + lines + "\n" + record, piece);
      EXPECT_EQ(blocks_of(contents), (Blocks{lines, "hello"})) << length;
      EXPECT_TRUE(contents.faults.empty());
      EXPECT_EQ(contents.records[0].extent.plain_bytes, head(length).size() + lines.size());
      EXPECT_EQ(contents.records[1].extent.plain_offset, head(length).size() + lines.size() + 1);
    }
    const auto longer = read_archive(head(lines.size() + 4) + lines + "more\n" + record, piece);
    EXPECT_EQ(blocks_of(longer), (Blocks{lines + "more", "hello"}));
    const auto cut = read_archive(head(lines.size()) + "1 0 Test\nURL", piece);
    EXPECT_EQ(blocks_of(cut), (Blocks{"1 0 Test\nURL"}));
    ASSERT_EQ(cut.faults.size(), 1U);
    EXPECT_EQ(cut.faults[0].code, Errc::peer_closed);
    const auto members = read_archive(gzipped(head(3) + "1 0") + gzipped(record), piece);
    EXPECT_EQ(blocks_of(members), (Blocks{"1 0", "hello"}));
    EXPECT_TRUE(members.faults.empty()) << "the member has as many bytes as its header says";
  }
}

TEST(ArchiveReader, SkipsARecordWithoutALengthToTheNextOne) {
  const std::string bad = "WARC/1.0\r\nWARC-Type: metadata\r\n\r\n";
  const std::string text = "via: x\r\nnot WARC/1.0\r\n\r\nWARC/9.9\r\n";
  const auto contents = read_archive(bad + text + plain_record("good"), 5);
  EXPECT_EQ(blocks_of(contents), (Blocks{"", "good"}));
  ASSERT_EQ(contents.faults.size(), 1U);
  EXPECT_EQ(contents.faults[0].offset, 0U);
  EXPECT_FALSE(contents.faults[0].is_warning);
  EXPECT_FALSE(contents.records[0].extent.is_whole);
  EXPECT_EQ(contents.records[1].extent.plain_offset, bad.size() + text.size());
}

TEST(ArchiveReader, QuotesUpTo40BytesOfAStrangeLine) {
  const std::string line(50, 'x');
  const auto contents = read_archive(line + " \r\n" + plain_record("good"));
  ASSERT_EQ(contents.faults.size(), 1U);
  EXPECT_EQ(contents.faults[0].text, "a record cannot begin with `" + std::string(40, 'x') + "`");
  const auto version = read_archive("WARC/" + line + "\r\n\r\n");
  ASSERT_EQ(version.faults.size(), 1U);
  EXPECT_EQ(version.faults[0].text, "unknown version WARC/" + std::string(35, 'x'));
}

TEST(ArchiveReader, AcceptsEveryVersionOfTheFirstTwo) {
  for (const char* const version : {"0.9", "0.17", "0.18", "1.0", "1.1", "1.2"}) {
    const auto contents =
        read_archive("WARC/" + std::string(version) + " \r\nContent-Length: 1\r\n\r\nx\r\n\r\n");
    EXPECT_TRUE(contents.faults.empty()) << version;
    ASSERT_EQ(contents.records.size(), 1U) << version;
    EXPECT_EQ(contents.records[0].head.version, "WARC/" + std::string(version));
  }
  for (const char* const version : {"", "1", "2.0", "10.0", "x"}) {
    const auto contents =
        read_archive("WARC/" + std::string(version) + "\r\nContent-Length: 1\r\n\r\nx\r\n\r\n");
    EXPECT_TRUE(contents.records.empty()) << version;
    ASSERT_EQ(contents.faults.size(), 1U) << version;
    EXPECT_EQ(contents.faults[0].code, Errc::unsupported) << version;
  }
}

TEST(ArchiveReader, KeepsTheHeadByteForByte) {
  const std::string head = "WARC/1.0\nwarc-type:Resource\nX:  y \r\nContent-Length: 1\n\r\n";
  for (const std::size_t piece : {1U, 1000U}) {
    const auto contents = read_archive(head + "x\r\n\r\n", piece);
    ASSERT_EQ(contents.records.size(), 1U);
    EXPECT_EQ(contents.records[0].head.raw, head);
    EXPECT_EQ(contents.records[0].head.type, RecordType::resource);
    EXPECT_EQ(contents.records[0].head.fields.size(), 3U);
    EXPECT_EQ(contents.records[0].extent.plain_bytes, head.size() + 1);
  }
}

// A record that was cut is the last of its file, so its bytes can be cut out to the end.
TEST(ArchiveReader, GivesTheExtentOfARecordThatIsCut) {
  const std::string good = gzipped(plain_record("good"));
  const std::string last = gzipped(plain_record(std::string(1000, 'x')));
  const std::string file = good + last.substr(0, last.size() - 4);
  const auto contents = read_archive(file, 9);
  ASSERT_EQ(contents.records.size(), 2U);
  EXPECT_EQ(contents.records[1].extent.member_offset, good.size());
  EXPECT_EQ(contents.records[1].extent.member_bytes, last.size() - 4);
  EXPECT_FALSE(contents.records[1].extent.is_whole);
}

TEST(ArchiveReader, KnowsThatAMemberBeganWithoutARecord) {
  const auto contents =
      read_archive(gzipped("stray line\n" + plain_record("one")) + gzipped(plain_record("two")));
  EXPECT_EQ(blocks_of(contents), (Blocks{"one", "two"}));
  EXPECT_EQ(contents.faults.size(), 1U);
  EXPECT_FALSE(contents.records[0].extent.can_be_cut_out());
  EXPECT_TRUE(contents.records[1].extent.can_be_cut_out());
}

// A length that is too small leaves its stray line in the same member.
TEST(ArchiveReader, ReportsAStrayLineInTheNextMemberAsAFault) {
  const std::string record = plain_record("one");
  const auto contents = read_archive(gzipped(record.substr(0, record.size() - 4)) +
                                     gzipped("stray line\n" + plain_record("two")));
  EXPECT_EQ(blocks_of(contents), (Blocks{"one", "two"}));
  ASSERT_EQ(contents.faults.size(), 1U);
  EXPECT_FALSE(contents.faults[0].is_warning);
}

}  // namespace
}  // namespace gossamer::warc
