#include "wire/content_decoder.h"

#include <array>
#include <string>
#include <vector>

#include "tests/support/decode_whole.h"

namespace gossamer::wire {
namespace {

constexpr std::string_view kPlain = "hello hello hello hello\n";

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

const std::string kGzip = from_hex("1f8b0800000000000203cb48cdc9c957c84027b9000088590b18000000");
const std::string kZlib = from_hex("789ccb48cdc9c957c84027b90070be08bb");
const std::string kRaw = from_hex("cb48cdc9c957c84027b900");
const std::string kZstd = from_hex("28b52ffd24186d00003868656c6c6f200a0100994b11a87c2ea8");
const std::string kBrotli = from_hex("1b1700f88d946ede445586d60a206c6f4a1179e280ae16");

using Codings = std::vector<ContentCoding>;

DecodedBody in_pieces(const Codings& codings, std::string_view body, std::size_t piece_bytes,
                      std::size_t out_bytes, const DecodeLimits& limits) {
  DecodedBody decoded;
  ContentDecoder decoder(codings, limits);
  std::vector<std::byte> out(out_bytes);
  for (std::size_t at = 0; at < body.size(); at += piece_bytes) {
    Bytes input = as_bytes(body.substr(at, piece_bytes));
    bool is_full = true;
    while (is_full && !decoder.has_stopped()) {
      const auto step = decoder.decode(input, out);
      input = input.subspan(step.consumed);
      decoded.bytes += as_text(Bytes(out).first(step.produced));
      is_full = step.produced == out.size();
    }
    EXPECT_TRUE(input.empty() || decoder.has_stopped());
  }
  decoded.end = decoder.finish();
  return decoded;
}

// Decodes as a whole and in pieces of several sizes, with the same result.
DecodedBody decode(const Codings& codings, std::string_view body, const DecodeLimits& limits = {}) {
  WholeDecoder decoder;
  DecodedBody whole = decode_whole(decoder, codings, as_bytes(body), limits);
  for (const std::size_t piece_bytes : {1, 3, 1000}) {
    for (const std::size_t out_bytes : {1, 7, 1000}) {
      const DecodedBody pieces = in_pieces(codings, body, piece_bytes, out_bytes, limits);
      EXPECT_EQ(pieces.bytes, whole.bytes);
      EXPECT_EQ(name(pieces.end), name(whole.end));
    }
  }
  return whole;
}

void expect_plain(const Codings& codings, std::string_view body, std::string_view plain = kPlain) {
  const DecodedBody decoded = decode(codings, body);
  EXPECT_EQ(decoded.bytes, plain);
  EXPECT_EQ(name(decoded.end), "complete");
}

TEST(ContentDecoderTest, UndoesEveryCoding) {
  expect_plain({ContentCoding::gzip}, kGzip);
  expect_plain({ContentCoding::deflate}, kZlib);
  expect_plain({ContentCoding::deflate}, kRaw);
  expect_plain({ContentCoding::zstd}, kZstd);
  expect_plain({ContentCoding::brotli}, kBrotli);
  expect_plain({}, kPlain);
}

TEST(ContentDecoderTest, TakesAnEmptyBodyForEmpty) {
  for (const auto coding :
       {ContentCoding::gzip, ContentCoding::deflate, ContentCoding::brotli, ContentCoding::zstd}) {
    expect_plain({coding}, "", "");
  }
}

TEST(ContentDecoderTest, JoinsMembersAndIgnoresWhatFollowsThem) {
  const std::string twice = std::string(kPlain) + std::string(kPlain);
  expect_plain({ContentCoding::gzip}, kGzip + kGzip, twice);
  expect_plain({ContentCoding::zstd}, kZstd + kZstd, twice);
  expect_plain({ContentCoding::gzip}, kGzip + "garbage");
  expect_plain({ContentCoding::gzip}, kGzip + "\x1F");
  expect_plain({ContentCoding::gzip}, kGzip + "\x1F\x8Bgarbage");
  expect_plain({ContentCoding::gzip}, kGzip + std::string(100, '\0'));
  expect_plain({ContentCoding::deflate}, kZlib + "garbage");
  expect_plain({ContentCoding::brotli}, kBrotli + "garbage");
  expect_plain({ContentCoding::zstd}, kZstd + "garbage");
}

TEST(ContentDecoderTest, GivesWhatThereIsOfACutBody) {
  for (const auto& [coding, body] :
       {std::pair(ContentCoding::gzip, kGzip), std::pair(ContentCoding::deflate, kZlib),
        std::pair(ContentCoding::brotli, kBrotli), std::pair(ContentCoding::zstd, kZstd)}) {
    for (std::size_t size = 1; size < body.size(); ++size) {
      const DecodedBody decoded = decode({coding}, std::string_view(body).substr(0, size));
      EXPECT_EQ(name(decoded.end), "cut") << size;
      EXPECT_TRUE(kPlain.starts_with(decoded.bytes));
    }
  }
}

TEST(ContentDecoderTest, GivesWhatThereIsOfADamagedBody) {
  std::string bad_crc = kGzip;
  bad_crc[bad_crc.size() - 6] ^= 1;
  const DecodedBody decoded = decode({ContentCoding::gzip}, bad_crc);
  EXPECT_EQ(decoded.bytes, kPlain);
  EXPECT_EQ(name(decoded.end), "damaged");
  std::string bad_checksum = kZstd;
  bad_checksum.back() ^= 1;
  EXPECT_EQ(decode({ContentCoding::zstd}, bad_checksum).bytes, kPlain);
  EXPECT_EQ(name(decode({ContentCoding::gzip}, "<html>").end), "damaged");
  EXPECT_EQ(name(decode({ContentCoding::zstd}, "<html>").end), "damaged");
}

TEST(ContentDecoderTest, StopsExactlyAtTheLimit) {
  for (const auto& [codings, body] : {std::pair(Codings{ContentCoding::gzip}, kGzip),
                                      std::pair(Codings{ContentCoding::deflate}, kZlib),
                                      std::pair(Codings{ContentCoding::zstd}, kZstd),
                                      std::pair(Codings{ContentCoding::brotli}, kBrotli),
                                      std::pair(Codings{}, std::string(kPlain))}) {
    const DecodedBody cut = decode(codings, body, {.bytes_max = kPlain.size() - 1});
    EXPECT_EQ(cut.bytes, kPlain.substr(0, kPlain.size() - 1));
    EXPECT_EQ(name(cut.end), "over_bytes");
    const DecodedBody all = decode(codings, body, {.bytes_max = kPlain.size()});
    EXPECT_EQ(all.bytes, kPlain);
    EXPECT_EQ(name(all.end), "complete");
  }
}

TEST(ContentDecoderTest, StopsAtARatio) {
  const DecodedBody decoded =
      decode({ContentCoding::deflate}, kRaw, {.ratio_max = 100, .ratio_free_bytes = 10});
  EXPECT_EQ(name(decoded.end), "complete");
  const DecodedBody bomb =
      decode({ContentCoding::deflate}, kRaw, {.ratio_max = 1, .ratio_free_bytes = 10});
  EXPECT_EQ(name(bomb.end), "over_ratio");
}

TEST(ContentCodingTest, ReadsAllLinesOfTheHeaderTogether) {
  const std::vector<std::string_view> lines = {"gzip, identity", " BR ,x-gzip", ""};
  EXPECT_EQ(*parse_content_codings(lines),
            (Codings{ContentCoding::gzip, ContentCoding::brotli, ContentCoding::gzip}));
  const std::vector<std::string_view> many = {"gzip,gzip,gzip", "gzip,gzip", "gzip"};
  EXPECT_EQ(parse_content_codings(many).error(), Errc::over_limit);
  const std::vector<std::string_view> unknown = {"gzip, foo"};
  EXPECT_EQ(parse_content_codings(unknown).error(), Errc::unsupported);
}

// It must be used where it can: it is why bodies are decoded as a whole.
TEST(WholeDecoderTest, DecodesOneCodingOfGzipOrDeflateFastAndNothingElse) {
  WholeDecoder decoder;
  const auto fast = [&](const Codings& codings, std::string_view body,
                        const DecodeLimits& limits = {}) {
    return decoder.decode_fast(codings, as_bytes(body), limits).value_or("(none)");
  };
  EXPECT_EQ(fast({ContentCoding::gzip}, kGzip), kPlain);
  EXPECT_EQ(fast({ContentCoding::deflate}, kZlib), kPlain);
  EXPECT_EQ(fast({ContentCoding::deflate}, kRaw), kPlain);
  EXPECT_EQ(fast({ContentCoding::gzip, ContentCoding::gzip}, kGzip), "(none)");
  EXPECT_EQ(fast({}, kGzip), "(none)");
  EXPECT_EQ(fast({ContentCoding::brotli}, kBrotli), "(none)");
  EXPECT_EQ(fast({ContentCoding::gzip}, kGzip, {.bytes_max = kPlain.size()}), kPlain);
  EXPECT_EQ(fast({ContentCoding::gzip}, kGzip, {.bytes_max = kPlain.size() - 1}), "(none)");
  EXPECT_EQ(fast({ContentCoding::gzip}, kGzip + "x"), "(none)") << "streaming knows what follows";
  EXPECT_EQ(fast({ContentCoding::gzip}, kGzip.substr(0, 17)), "(none)");
  std::string damaged = kGzip;
  damaged[12] = static_cast<char>(damaged[12] ^ 1);
  EXPECT_EQ(fast({ContentCoding::gzip}, damaged), "(none)");
  EXPECT_EQ(fast({ContentCoding::deflate}, "x"), "(none)");
  EXPECT_TRUE(WholeDecoder::is_fast(Codings{ContentCoding::gzip}));
  EXPECT_FALSE(WholeDecoder::is_fast(Codings{ContentCoding::zstd}));
}

TEST(ContentDecoderTest, UndoesSeveralCodings) {
  // kGzip in stored blocks of deflate (RFC 1951 section 3.2.4), with and without a zlib header.
  const auto size = static_cast<unsigned char>(kGzip.size());
  const std::string stored = std::string("\x01", 1) + static_cast<char>(size) + '\0' +
                             static_cast<char>(~size) + '\xFF' + kGzip;
  expect_plain({ContentCoding::gzip, ContentCoding::deflate}, stored);
  const DecodedBody cut = decode({ContentCoding::gzip, ContentCoding::deflate},
                                 std::string_view(stored).substr(0, stored.size() - 3));
  EXPECT_EQ(name(cut.end), "cut");
  const DecodedBody damaged = decode({ContentCoding::zstd, ContentCoding::deflate}, stored);
  EXPECT_EQ(name(damaged.end), "damaged");
  EXPECT_EQ(damaged.bytes, "");
}

TEST(ContentDecoderTest, CountsWhatItDecodedAndTakesNothingAfterwards) {
  ContentDecoder decoder(Codings{ContentCoding::gzip});
  std::vector<std::byte> out(1000);
  EXPECT_FALSE(decoder.has_stopped());
  decoder.decode(as_bytes(kGzip), out);
  EXPECT_EQ(decoder.decoded_bytes(), kPlain.size());
  EXPECT_FALSE(decoder.has_stopped()) << "another member may follow";
  const auto step = decoder.decode(as_bytes("garbage"), out);
  EXPECT_EQ(step.consumed, 7U);
  EXPECT_TRUE(decoder.has_stopped());
  EXPECT_EQ(decoder.decode(as_bytes(kGzip), out).consumed, kGzip.size());
  EXPECT_EQ(decoder.decoded_bytes(), kPlain.size());
}

TEST(ContentDecoderTest, AllowsExactlyTheRatio) {
  // 11 bytes of deflate become 24.
  EXPECT_EQ(kRaw.size(), 11U);
  const auto end_of = [](const DecodeLimits& limits) {
    return name(in_pieces({ContentCoding::deflate}, kRaw, 1000, 1000, limits).end);
  };
  EXPECT_EQ(end_of({.ratio_max = 2, .ratio_free_bytes = 1}), "over_ratio");
  EXPECT_EQ(end_of({.ratio_max = 3, .ratio_free_bytes = 1}), "complete");
  EXPECT_EQ(end_of({.ratio_max = 1, .ratio_free_bytes = kPlain.size() - 1}), "over_ratio");
  EXPECT_EQ(end_of({.ratio_max = 1, .ratio_free_bytes = kPlain.size()}), "complete");
}

// RFC 9659: the window is at most 8 MiB.
TEST(ContentDecoderTest, RejectsZstdWithALargeWindow) {
  // A frame header with a window descriptor (RFC 8878 section 3.1.1.1.2) and an empty last block.
  const auto frame = [](int exponent) {
    return from_hex("28b52ffd00") + static_cast<char>(exponent << 3) + from_hex("010000");
  };
  EXPECT_EQ(name(decode({ContentCoding::zstd}, frame(13)).end), "complete");
  EXPECT_EQ(name(decode({ContentCoding::zstd}, frame(14)).end), "refused");
}

TEST(ContentDecoderTest, DistinguishesZlibFromRawDeflate) {
  for (const char* const header : {"7801", "785e", "789c", "78da", "081d"}) {
    expect_plain({ContentCoding::deflate}, from_hex(header) + kZlib.substr(2));
  }
  // A stored block whose first byte looks like the header, but not with the second.
  const std::string text = "0123456789";
  expect_plain({ContentCoding::deflate}, from_hex("780a00f5ff") + text + from_hex("010000ffff"),
               text);
}

TEST(ContentCodingTest, AllowsFiveCodings) {
  const std::vector<std::string_view> five = {"gzip,gzip,gzip", "gzip,gzip,none,identity,"};
  EXPECT_EQ(parse_content_codings(five)->size(), 5U);
  const std::vector<std::string_view> every = {"x-gzip, deflate, BR, zstd"};
  EXPECT_EQ(*parse_content_codings(every), (Codings{ContentCoding::gzip, ContentCoding::deflate,
                                                    ContentCoding::brotli, ContentCoding::zstd}));
}

TEST(ContentDecoderTest, DistinguishesADamagedFrameFromGarbage) {
  std::string damaged = kZstd;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  EXPECT_EQ(name(decode({ContentCoding::zstd}, kZstd + damaged).end), "damaged");
  expect_plain({ContentCoding::zstd}, kZstd + "(garbage");
  EXPECT_EQ(name(decode({ContentCoding::zstd}, "(garbage").end), "damaged");
}

}  // namespace
}  // namespace gossamer::wire
