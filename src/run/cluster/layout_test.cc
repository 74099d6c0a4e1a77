#include "cluster/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>

#include "base/random.h"
#include "cluster/function_library.h"
#include "cluster/root_places.h"
#include "redis/slot.h"

namespace gossamer::cluster {
namespace {

TEST(Layout, KeysOfAPartitionShareASlot) {
  EXPECT_EQ(partition_key("museum", 17), "C{museum.17}");
  EXPECT_EQ(redis::slot_of(partition_key("museum", 17)),
            redis::slot_of("H{museum.17}x{y}.example"));
  EXPECT_EQ(crawl_key("museum"), "G{museum}");
  EXPECT_EQ(redis::slot_of("M{museum}"), redis::slot_of(crawl_key("museum")));
}

TEST(Layout, PartitionsAreSpreadOverTheSlots) {
  std::set<int> thirds;
  for (std::uint32_t i = 0; i < kPartitions; ++i) {
    thirds.insert(redis::slot_of(partition_key("museum", i)) * 3 / redis::kSlots);
  }
  EXPECT_EQ(thirds.size(), 3u);
}

TEST(Layout, FingerprintsHaveNineteenDigitsThatFit) {
  base::Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::string digits = fingerprint_digits(random.next());
    ASSERT_EQ(digits.size(), 19u);
    ASSERT_LE(std::stoull(digits), std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  }
  EXPECT_EQ(fingerprint_digits(0), "1000000000000000000");
  EXPECT_EQ(fingerprint_digits(~std::uint64_t{0}).size(), 19u);
}

TEST(Layout, BatchesAreReadBack) {
  for (const int count : {1, 7, 8, 9, 63, 64}) {
    UrlBatch batch = {.count = static_cast<std::uint8_t>(count), .live = 1, .block = "a\r\n\0b"};
    batch.mask = std::uint64_t{1} << (count - 1);
    const auto read = read_batch(write_batch(batch));
    ASSERT_TRUE(read.has_value()) << count;
    EXPECT_EQ(read->count, count);
    EXPECT_EQ(read->live, 1);
    EXPECT_EQ(read->mask, batch.mask);
    EXPECT_EQ(read->block, batch.block);
    EXPECT_TRUE(read->is_live(static_cast<std::size_t>(count) - 1));
  }
}

TEST(Layout, BrokenBatchesAreRejected) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view text : {""sv, "\1"sv, "\0\0"sv, "\1\1"sv, "\1\1\0"sv, "\1\1\2x"sv,
                                      "\1\0\0"sv, "\x41\1\1"sv, "\x09\1\1"sv, "\2\1\3"sv}) {
    EXPECT_FALSE(read_batch(text).has_value()) << testing::PrintToString(text);
  }
}

TEST(FunctionLibrary, ItsNamesHaveItsVersion) {
  const std::string source = library_source();
  EXPECT_TRUE(source.starts_with("#!lua name=" + std::string(kLibraryName) + "\n"));
  const std::string prefix = "g" + std::string(kLayoutVersion) + "_";
  std::size_t functions = 0;
  for (const std::string_view before : {"register_function('", "function_name = '"}) {
    for (std::size_t at = source.find(before); at != source.npos;
         at = source.find(before, at + 1)) {
      EXPECT_EQ(source.substr(at + before.size(), prefix.size()), prefix);
      ++functions;
    }
  }
  EXPECT_EQ(functions, 17u);
}

TEST(FunctionLibrary, HasTheBoundsThatNodesHave) {
  const auto has = [](const std::string& name, std::size_t bound) {
    return testing::HasSubstr("local " + name + " = " + std::to_string(bound) + "\n");
  };
  EXPECT_THAT(library_source(), has("ROOT_PLACES_MAX", kRootPlacesMax));
  EXPECT_THAT(library_source(), has("BATCH_MAX", kBatchMax));
}

TEST(LayoutTest, KnowsTheKeysOfACrawl) {
  for (const std::string_view key :
       {"C{m.5}", "R{m.0}", "H{m.255}a.example", "K{m.2}", "Q{m.5}}{", "S{m.17}0:b", "F{m.1}2:0:b",
        "J{m.1}2", "P{m.1}", "G{m}", "M{m}", "N{m}", "O{m}", "L{m}", "W{m}", "A{m.a63}"}) {
    EXPECT_TRUE(is_key_of(key, "m")) << key;
  }
  for (const std::string_view key :
       {"", "C", "C{m.5", "C{m.256}", "C{m.5.0}", "C{mm.5}", "C{m}", "G{m}x", "G{m.5}", "A{m.a64}",
        "A{m.5}", "X{m.5}", "C{m.}", "C{m.-1}", "C{m.a5}", "CC{m.5}", "G{other}"}) {
    EXPECT_FALSE(is_key_of(key, "m")) << key;
  }
  EXPECT_TRUE(is_key_of("C{m.5.0}", "m.5"));
  EXPECT_TRUE(is_key_of(crawl_key("m.5"), "m.5"));
  EXPECT_TRUE(is_key_of(address_key("m", "192.0.2.1"), "m"));
  EXPECT_TRUE(is_key_of(partition_key("m", 7), "m"));
}

}  // namespace
}  // namespace gossamer::cluster
