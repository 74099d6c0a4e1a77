#include "base/inflater.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::base {
namespace {

using namespace std::string_view_literals;

// "hello", as zlib writes it.
constexpr std::string_view kRaw = "\xCB\x48\xCD\xC9\xC9\x07\x00"sv;
constexpr std::string_view kZlib = "\x78\x9C\xCB\x48\xCD\xC9\xC9\x07\x00\x06\x2C\x02\x15"sv;
constexpr std::string_view kGzip =
    "\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\x03\xCB\x48\xCD\xC9\xC9\x07\x00\x86\xA6\x10\x36\x05\x00"
    "\x00\x00"sv;

struct Inflated {
  std::string text;
  std::size_t consumed = 0;
  CodecStatus status = CodecStatus::more;
};

// Byte by byte on both sides.
Inflated inflate_all(Inflater& inflater, std::string_view packed) {
  Inflated all;
  std::array<std::byte, 1> out = {};
  while (all.status == CodecStatus::more) {
    const Bytes input = as_bytes(packed.substr(all.consumed, 1));
    const CodecStep step = inflater.run(input, out);
    all.consumed += step.consumed;
    all.text += as_text(Bytes(out).first(step.produced));
    all.status = step.status;
    if (step.consumed == 0 && step.produced == 0) break;
  }
  return all;
}

TEST(InflaterTest, ReadsTheThreeFormats) {
  using Case = std::pair<Inflater::Format, std::string_view>;
  for (const auto& [format, packed] :
       {Case(Inflater::Format::raw, kRaw), Case(Inflater::Format::zlib, kZlib),
        Case(Inflater::Format::gzip, kGzip)}) {
    Inflater inflater(format);
    const std::string followed = std::string(packed) + "more";
    const Inflated all = inflate_all(inflater, followed);
    EXPECT_EQ(all.text, "hello");
    EXPECT_EQ(all.consumed, packed.size()) << "what follows is not consumed";
    EXPECT_EQ(all.status, CodecStatus::ended);
  }
}

TEST(InflaterTest, ReadsAnotherMember) {
  Inflater inflater(Inflater::Format::gzip);
  EXPECT_EQ(inflate_all(inflater, kGzip).text, "hello");
  inflater.begin_again();
  EXPECT_EQ(inflate_all(inflater, kGzip).text, "hello");
}

TEST(InflaterTest, WaitsForMoreAndSeesDamage) {
  Inflater cut(Inflater::Format::gzip);
  EXPECT_EQ(inflate_all(cut, kGzip.substr(0, 20)).status, CodecStatus::more);
  Inflater damaged(Inflater::Format::gzip);
  std::string wrong(kGzip);
  wrong[17] ^= 1;  // of the checksum
  EXPECT_EQ(inflate_all(damaged, wrong).status, CodecStatus::damaged);
  Inflater other(Inflater::Format::zlib);
  EXPECT_EQ(inflate_all(other, "hello, world").status, CodecStatus::damaged);
}

}  // namespace
}  // namespace gossamer::base
