#include "url/punycode.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::url {
namespace {

TEST(Punycode, DecodesTheExamplesOfTheRfc) {
  const std::pair<const char32_t*, const char*> examples[] = {
      {U"b\u00FCcher", "bcher-kva"},
      {U"\u4ED6\u4EEC\u4E3A\u4EC0\u4E48\u4E0D\u8BF4\u4E2D\u6587", "ihqwcrb4cv8a8dqg056pqjye"},
      {U"3\u5E74B\u7D44\u91D1\u516B\u5148\u751F", "3B-ww4c5e180e575a65lsy2b"},
      {U"-> $1.00 <-", "-> $1.00 <--"},
  };
  for (const auto& [unicode, ascii] : examples) {
    EXPECT_EQ(punycode_decode(ascii), unicode);
  }
}

TEST(Punycode, RejectsInvalidPunycode) {
  for (const char* text : {"-a", "a-\xC3", "ls8h=", "9999999999", "a-999999b", "\xC3\xA4"}) {
    EXPECT_EQ(punycode_decode(text), std::nullopt) << text;
  }
}

TEST(Punycode, RejectsLabelsThatWouldTakeTooLong) {
  EXPECT_EQ(punycode_decode(std::string(100000, 'a')), std::nullopt);
  EXPECT_EQ(punycode_decode(std::string(100000, 'a') + "-a"), std::nullopt);
}

}  // namespace
}  // namespace gossamer::url
