#include "warc/zip_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "warc/record_writer.h"
#include "warc/zip_format.h"
#include "warc/zip_writer.h"

namespace gossamer::warc {
namespace {

std::string number_of(std::uint64_t number, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(number >> 8 * i & 0xFF));
  return out;
}

// A member whose directory entry may say anything. Its defaults are valid.
struct Member {
  std::string name = "a";
  std::string local_name = name;
  std::string stored = "hello";
  std::uint32_t bytes = static_cast<std::uint32_t>(stored.size());
  std::uint32_t stored_bytes = static_cast<std::uint32_t>(stored.size());
  std::uint32_t crc32 = crc32_of(as_bytes(stored));
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
  std::uint32_t offset_added = 0;
  std::string extra = {};    // in the directory
  std::string comment = {};  // of the member
};

struct HandMade {
  std::string members;
  std::string directory;
  int count = 0;

  void add(const Member& member) {
    const auto offset = members.size();
    members += number_of(zip::kLocalHeader, 4) + std::string(22, '\0') +
               number_of(member.local_name.size(), 2) + number_of(3, 2) + member.local_name +
               "ext" + member.stored;
    directory += number_of(zip::kCentralHeader, 4) + std::string(4, '\0') +
                 number_of(member.flags, 2) + number_of(member.method, 2) + std::string(4, '\0') +
                 number_of(member.crc32, 4) + number_of(member.stored_bytes, 4) +
                 number_of(member.bytes, 4) + number_of(member.name.size(), 2) +
                 number_of(member.extra.size(), 2) + number_of(member.comment.size(), 2) +
                 std::string(8, '\0') + number_of(offset + member.offset_added, 4) + member.name +
                 member.extra + member.comment;
    ++count;
  }

  std::string end(std::uint64_t entries, std::uint64_t bytes, std::uint64_t offset) const {
    return number_of(zip::kEnd, 4) + std::string(6, '\0') + number_of(entries, 2) +
           number_of(bytes, 4) + number_of(offset, 4) + std::string(2, '\0');
  }
  std::string end() const {
    return end(static_cast<std::uint64_t>(count), directory.size(), members.size());
  }
  std::string file() const { return members + directory + end(); }
};

std::string file_of(const Member& member) {
  HandMade made;
  made.add(member);
  return made.file();
}

Result<std::string> content_of(const Member& member, std::uint64_t bytes_max = 1 << 30) {
  const std::string file = file_of(member);
  auto zip = ZipArchive::open(as_bytes(file));
  if (!zip) return fail(std::move(zip).error());
  return zip->read(zip->entries().at(0), bytes_max);
}

Errc failure_of(const Member& member) {
  const auto content = content_of(member);
  return content ? Errc::cancelled : content.error().code();
}

Errc failure_to_open(const std::string& file) {
  const auto zip = ZipArchive::open(as_bytes(file));
  return zip ? Errc::cancelled : zip.error().code();
}

// RFC 1951 without a frame: a gzip member without its ten bytes of header and eight of trailer.
std::string deflated(std::string_view text) {
  std::string out;
  MemberWriter member(6);
  member.write(as_bytes(text), out);
  member.finish(out);
  return out.substr(10, out.size() - 18);
}

Member deflated_member(std::string_view text) {
  return {.stored = deflated(text),
          .bytes = static_cast<std::uint32_t>(text.size()),
          .crc32 = crc32_of(as_bytes(text)),
          .method = 8};
}

TEST(ZipReader, ReadsStoredAndDeflatedMembers) {
  base::Random random(1);
  std::string noise;
  while (noise.size() < 200'000) noise.push_back(static_cast<char>(random.next()));
  for (const std::string& text : {std::string(), std::string("x"), std::string("hello"),
                                  std::string(65'536, 'x'), std::string(1'000'000, 'x'), noise}) {
    EXPECT_EQ(content_of({.stored = text}), text);
    EXPECT_EQ(content_of(deflated_member(text)), text);
  }
}

TEST(ZipReader, ReadsPiecesOfAtMost64KiBAndAnEmptyOneAtTheEnd) {
  const std::string text(200'001, 'x');
  for (const Member& member : {Member{.stored = text}, deflated_member(text)}) {
    const std::string file = file_of(member);
    const auto zip = ZipArchive::open(as_bytes(file));
    ASSERT_TRUE(zip.has_value());
    auto reader = ZipMemberReader::open(*zip, zip->entries()[0]);
    ASSERT_TRUE(reader.has_value());
    std::size_t size = 0;
    while (true) {
      const auto piece = reader->next();
      ASSERT_TRUE(piece.has_value());
      EXPECT_LE(piece->size(), 64U * 1024);
      size += piece->size();
      if (piece->empty()) break;
    }
    EXPECT_EQ(size, text.size());
    EXPECT_TRUE(reader->next()->empty()) << "it stays at the end";
  }
}

TEST(ZipReader, ReadsAMemberOfExactlyTheLimit) {
  EXPECT_EQ(content_of({.stored = "hello"}, 5), "hello");
  EXPECT_EQ(content_of({.stored = "hello"}, 4).error().code(), Errc::over_limit);
  EXPECT_EQ(content_of({.stored = ""}, 0), "");
}

TEST(ZipReader, RejectsAMemberThatDiffersFromItsEntry) {
  for (Member member : {Member{}, deflated_member("hello")}) {
    EXPECT_EQ(content_of(member), "hello");
    ++member.bytes;
    EXPECT_EQ(failure_of(member), Errc::malformed) << "it is shorter";
    member.bytes -= 2;
    EXPECT_EQ(failure_of(member), Errc::malformed) << "it is longer";
    ++member.bytes;
    member.crc32 ^= 1;
    EXPECT_EQ(failure_of(member), Errc::malformed) << "its checksum differs";
  }
  EXPECT_EQ(failure_of({.stored = "", .crc32 = 1}), Errc::malformed);
  EXPECT_EQ(failure_of({.name = "a", .local_name = "b"}), Errc::malformed);
}

TEST(ZipReader, RejectsTruncatedAndDamagedDeflate) {
  const Member good = deflated_member("hello, hello, hello");
  for (std::size_t size = 0; size < good.stored.size(); ++size) {
    Member cut = good;
    cut.stored_bytes = static_cast<std::uint32_t>(size);
    EXPECT_EQ(failure_of(cut), Errc::malformed) << size;
  }
  Member damaged = good;
  damaged.stored[0] = '\x07';  // a block of a type that does not exist
  EXPECT_EQ(failure_of(damaged), Errc::malformed);
}

TEST(ZipReader, RejectsWhatItCannotDecode) {
  EXPECT_EQ(failure_of({.flags = 1}), Errc::unsupported) << "encrypted";
  EXPECT_EQ(failure_of({.flags = 0x0809}), Errc::unsupported) << "encrypted, among other flags";
  EXPECT_EQ(content_of({.flags = 0x0808}), "hello") << "a descriptor follows; names are UTF-8";
  constexpr std::uint16_t kUnknown[] = {1, 7, 9, 12, 14, 93};
  for (const std::uint16_t method : kUnknown) {
    EXPECT_EQ(failure_of({.method = method}), Errc::unsupported) << method;
  }
}

TEST(ZipReader, RejectsMembersOutsideTheFile) {
  const auto size = static_cast<std::uint32_t>(file_of({}).size());
  EXPECT_EQ(content_of({.offset_added = 0}), "hello");
  for (const std::uint32_t offset : {1U, size - 4, size - 1, size, size + 1, 0xFFFFFFFEU}) {
    EXPECT_EQ(failure_of({.offset_added = offset}), Errc::malformed) << offset;
  }
  // The last byte of the file can belong to a member; what follows it cannot.
  const std::uint32_t to_end = size - 30 - 1 - 3;
  const auto stored_of = [](std::uint32_t stored_bytes) {
    const std::string file = file_of({.stored_bytes = stored_bytes});
    const auto zip = ZipArchive::open(as_bytes(file));
    return zip->stored(zip->entries()[0]).has_value();
  };
  EXPECT_TRUE(stored_of(to_end));
  EXPECT_FALSE(stored_of(to_end + 1));
}

TEST(ZipReader, FindsTheDirectoryBeforeAComment) {
  for (const std::size_t size : {0U, 1U, 22U, 65'535U}) {
    EXPECT_TRUE(ZipArchive::open(as_bytes(file_of({}) + std::string(size, 'c'))).has_value());
  }
  EXPECT_EQ(failure_to_open(file_of({}) + std::string(65'536, 'c')), Errc::malformed)
      << "a comment cannot be that long";
}

TEST(ZipReader, AcceptsAnEmptyArchive) {
  const std::string empty = HandMade().file();
  ASSERT_EQ(empty.size(), 22U);
  const auto zip = ZipArchive::open(as_bytes(empty));
  ASSERT_TRUE(zip.has_value());
  EXPECT_TRUE(zip->entries().empty());
  EXPECT_EQ(failure_to_open(empty.substr(1)), Errc::malformed);
  EXPECT_EQ(failure_to_open(empty.substr(0, 21)), Errc::malformed);
}

TEST(ZipReader, SkipsCommentsAndUnknownFieldsOfMembers) {
  const std::string unknown = number_of(0x5455, 2) + number_of(5, 2) + "12345";
  HandMade made;
  made.add({.name = "first", .extra = unknown, .comment = "about it"});
  made.add({.name = "second", .stored = "world", .extra = "x"});
  made.add({.name = "third", .stored = "!", .extra = number_of(1, 2) + number_of(99, 2)});
  const std::string file = made.file();
  const auto zip = ZipArchive::open(as_bytes(file));
  ASSERT_TRUE(zip.has_value());
  EXPECT_EQ(zip->read(*zip->find("first"), 100), "hello");
  EXPECT_EQ(zip->read(*zip->find("second"), 100), "world");
  EXPECT_EQ(zip->read(*zip->find("third"), 100), "!");
}

// APPNOTE 4.5.3: the field has only the numbers that did not fit, in a fixed order.
TEST(ZipReader, TakesNumbersThatDoNotFitFromTheirField) {
  constexpr std::uint32_t kElsewhere = 0xFFFFFFFF;
  const std::string unknown = number_of(0x5455, 2) + number_of(8, 2) + std::string(8, 'x');
  const auto field = [](std::string_view numbers) {
    return number_of(1, 2) + number_of(numbers.size(), 2) + std::string(numbers);
  };
  const std::string five = number_of(5, 8);
  EXPECT_EQ(content_of({.bytes = kElsewhere, .extra = unknown + field(five)}), "hello");
  EXPECT_EQ(content_of({.stored_bytes = kElsewhere, .extra = field(five)}), "hello");
  EXPECT_EQ(content_of({.bytes = kElsewhere,
                        .stored_bytes = kElsewhere,
                        .offset_added = kElsewhere,
                        .extra = field(five + five + number_of(0, 8))}),
            "hello");
  EXPECT_EQ(content_of({.extra = field(number_of(7, 8))}), "hello") << "all numbers did fit";
  EXPECT_EQ(failure_of({.bytes = kElsewhere, .extra = field(number_of(6, 8))}), Errc::malformed);
}

TEST(ZipReader, RejectsMembersThatShareAByte) {
  // Without names, a member ends exactly where the next one begins.
  const auto file_with = [](std::uint32_t stored_bytes) {
    std::string local = number_of(zip::kLocalHeader, 4) + std::string(26, '\0') + "hello";
    HandMade made;
    made.add({.name = "", .stored = "hello", .stored_bytes = stored_bytes});
    made.add({.name = "", .stored = "world"});
    made.members = local + local;
    made.directory.replace(46 + 42, 4, number_of(local.size(), 4));
    return made.file();
  };
  EXPECT_TRUE(ZipArchive::open(as_bytes(file_with(5))).has_value());
  EXPECT_EQ(failure_to_open(file_with(6)), Errc::malformed);
  EXPECT_TRUE(ZipArchive::open(as_bytes(file_with(0))).has_value()) << "an empty one shares none";
}

std::string with_end64(const HandMade& made, const std::string& end, std::uint64_t entries,
                       std::int64_t locator_added = 0) {
  const std::uint64_t at = made.members.size() + made.directory.size();
  return made.members + made.directory + number_of(zip::kEnd64, 4) + std::string(28, '\0') +
         number_of(entries, 8) + number_of(made.directory.size(), 8) +
         number_of(made.members.size(), 8) + number_of(zip::kEnd64Locator, 4) +
         std::string(4, '\0') + number_of(at + static_cast<std::uint64_t>(locator_added), 8) +
         number_of(1, 4) + end;
}

TEST(ZipReader, PrefersTheLargeEndRecordIfItIsThere) {
  HandMade made;
  made.add({});
  const std::string unusable = made.end(0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF);
  EXPECT_TRUE(ZipArchive::open(as_bytes(with_end64(made, unusable, 1))).has_value());
  EXPECT_EQ(failure_to_open(made.members + made.directory + unusable), Errc::malformed);
  // A locator that leads nowhere is ignored.
  for (const std::int64_t added : {-1, 1, 43, 99, 1'000'000}) {
    EXPECT_EQ(failure_to_open(with_end64(made, unusable, 1, added)), Errc::malformed) << added;
    EXPECT_TRUE(ZipArchive::open(as_bytes(with_end64(made, made.end(), 1, added))).has_value());
  }
}

TEST(ZipReader, RejectsMoreThanAMillionMembers) {
  HandMade made;
  made.add({});
  EXPECT_EQ(failure_to_open(with_end64(made, made.end(), 1'000'001)), Errc::over_limit);
  EXPECT_EQ(failure_to_open(with_end64(made, made.end(), 1'000'000)), Errc::malformed)
      << "they are missing";
}

TEST(ZipReader, RejectsADirectoryOutsideTheFile) {
  HandMade made;
  made.add({});
  const std::string before = made.members + made.directory;
  const std::uint64_t size = before.size() + 22;
  const std::uint64_t offset = made.members.size();
  EXPECT_TRUE(ZipArchive::open(as_bytes(before + made.end(1, size - offset, offset))).has_value())
      << "it may reach to the end";
  EXPECT_EQ(failure_to_open(before + made.end(1, size - offset + 1, offset)), Errc::malformed);
  EXPECT_EQ(failure_to_open(before + made.end(0, 0, size + 1)), Errc::malformed);
  EXPECT_EQ(failure_to_open(before + made.end(2, made.directory.size(), offset)), Errc::malformed)
      << "an entry is missing";
  EXPECT_EQ(failure_to_open(before + made.end(1, made.directory.size() - 1, offset)),
            Errc::malformed)
      << "an entry is cut";
}

TEST(ZipReader, KnowsEveryUnsafeCharacter) {
  for (int c = 0; c < 256; ++c) {
    const std::string name = {'a', static_cast<char>(c), 'b'};
    const bool is_unsafe = c < 0x20 || c == 0x7F || c == '\\' || c == ':';
    EXPECT_EQ(is_safe_entry_name(name), !is_unsafe) << c;
  }
}

}  // namespace
}  // namespace gossamer::warc
