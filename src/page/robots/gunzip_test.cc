#include "robots/gunzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <string>

#include "robots/sitemap.h"

namespace gossamer::robots {
namespace {

std::string gzip(std::string_view plain) {
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

struct Unpacked {
  std::string plain;
  Gunzip::Outcome outcome = Gunzip::Outcome::needs_more;
};

Unpacked unpack(std::string_view packed, std::size_t piece_bytes) {
  Gunzip gunzip;
  Unpacked result;
  for (; !packed.empty(); packed.remove_prefix(std::min(piece_bytes, packed.size()))) {
    gunzip.give(packed.substr(0, piece_bytes));
    std::string_view piece;
    while ((result.outcome = gunzip.next(piece)) == Gunzip::Outcome::piece) {
      EXPECT_LE(piece.size(), 64U * 1024);
      result.plain += piece;
    }
  }
  return result;
}

TEST(Gunzip, UnpacksInPiecesOfAnySize) {
  const std::string plain(200'000, 'x');
  for (const std::size_t piece_bytes : {1, 7, 100'000}) {
    const Unpacked result = unpack(gzip(plain), piece_bytes);
    EXPECT_EQ(result.plain, plain);
    EXPECT_EQ(result.outcome, Gunzip::Outcome::done);
  }
}

TEST(Gunzip, UnpacksMembersOneBehindTheOtherAndIgnoresGarbage) {
  const std::string third(100'000, 'x');
  for (const std::size_t piece_bytes : {1, 5, 1000}) {
    const Unpacked result =
        unpack(gzip("one ") + gzip("two") + gzip(third) + "garbage", piece_bytes);
    EXPECT_EQ(result.plain, "one two" + third);
    EXPECT_EQ(result.outcome, Gunzip::Outcome::done);
  }
}

TEST(Gunzip, DistinguishesTruncatedFromDamagedData) {
  std::string packed = gzip("some text that is long enough to be packed, packed, packed");
  EXPECT_EQ(unpack(packed.substr(0, packed.size() / 2), 1000).outcome, Gunzip::Outcome::needs_more);
  packed[12] = static_cast<char>(packed[12] ^ 0x55);
  packed[13] = static_cast<char>(packed[13] ^ 0x55);
  EXPECT_EQ(unpack(packed, 1000).outcome, Gunzip::Outcome::broken);
}

TEST(Sitemap, MayBePackedAndSaysIfThePackedDataEndsEarly) {
  const std::string plain = "<urlset><url><loc>http://a.example/1</loc></url></urlset>";
  const std::string packed = gzip(plain);
  ASSERT_EQ(read_sitemap(packed).entries.size(), 1U);
  EXPECT_EQ(read_sitemap(packed).entries[0].loc, "http://a.example/1");
  EXPECT_FALSE(read_sitemap(packed).trouble);
  EXPECT_FALSE(read_sitemap(packed + "garbage").trouble);
  // The text is whole, but its checksum is missing: the end may be missing, too.
  const Sitemap cut = read_sitemap(std::string_view(packed).substr(0, packed.size() - 4));
  EXPECT_EQ(cut.entries.size(), 1U);
  ASSERT_TRUE(cut.trouble);
  EXPECT_EQ(cut.trouble->code(), Errc::malformed);
  std::string damaged = packed;
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);
  const Sitemap broken = read_sitemap(damaged);
  EXPECT_EQ(broken.trouble->code(), Errc::malformed);
  EXPECT_NE(broken.trouble->detail(), cut.trouble->detail()) << "damaged is not truncated";
  EXPECT_EQ(broken.entries.size(), 1U) << "entries read before are kept";
  EXPECT_EQ(read_sitemap(packed, {.bytes_max = plain.size() - 1}).trouble->code(), Errc::over_limit)
      << "the bound is for unpacked bytes";
  EXPECT_FALSE(read_sitemap(packed, {.bytes_max = plain.size()}).trouble);
}

}  // namespace
}  // namespace gossamer::robots
