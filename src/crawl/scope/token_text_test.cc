#include "scope/token_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/random.h"

namespace gossamer::crawler {
namespace {

TEST(TokenText, KnowsSessionsHashesAndUuids) {
  for (const std::string_view text :
       {"4hqa0555fwsecu455xqckv45", "550e8400-e29b-41d4-a716-446655440000",
        "507f1f77bcf86cd799439011", "d41d8cd98f00b204e9800998ecf8427e", "1A2b3C4d5E6f7G8h",
        "k3J9_xQ2mZ8vL4pT7w", "0A1B2C3D4E5F6A7B8C9D"}) {
    EXPECT_TRUE(looks_like_token(text)) << text;
  }
}

TEST(TokenText, IgnoresWordsNumbersAndTimes) {
  for (const std::string_view text :
       {"", "short1a2b3c", "internationalization", "top-10-restaurants-in-paris-2024",
        "ProductDetailsPage2", "20240506T101112Z", "1234567890123456789", "chapter12introduction",
        "iphone15promax256gb", "how-to-install-debian-12-on-a-raspberry-pi-4", "a_b_c_d_e_f_g_h_1",
        "value%20with%20escapes1a2b", "2024-05-06-10-20-30-extra",
        "windows-11-22h2-update-kb5027231", "covid-19-vaccine-b1351-b117-p1"}) {
    EXPECT_FALSE(looks_like_token(text)) << text;
  }
}

TEST(TokenText, RecognisesMostRandomTokens) {
  base::Random random(3);
  constexpr std::string_view kAlphabets[] = {
      "0123456789abcdef", "0123456789abcdefghijklmnopqrstuvwxyz",
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"};
  for (const std::string_view alphabet : kAlphabets) {
    int found = 0;
    for (int i = 0; i < 1000; ++i) {
      std::string token;
      for (int k = 0; k < 24; ++k) token += alphabet[random.below(alphabet.size())];
      EXPECT_TRUE(may_be_token(token));
      found += looks_like_token(token) ? 1 : 0;
    }
    EXPECT_GT(found, 850) << alphabet;
  }
}

TEST(TokenText, AUuidHasOnlyHexadecimalDigits) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    std::string uuid(36, c);
    for (const std::size_t hyphen : {8U, 13U, 18U, 23U}) uuid[hyphen] = '-';
    EXPECT_EQ(looks_like_token(uuid), is_hex) << uuid;
  }
  EXPECT_FALSE(looks_like_token("aaaaaaaaa-aaa-aaaa-aaaa-aaaaaaaaaaaa")) << "a hyphen elsewhere";
  EXPECT_FALSE(looks_like_token("aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaaa")) << "too long";
}

TEST(TokenText, HasOneSeparatorInTwelveBytes) {
  EXPECT_TRUE(looks_like_token("a1b2c3d4-e5f6g7h8-i9j0k1"));
  EXPECT_FALSE(looks_like_token("a1b2c3d4-e5f6g7h8-i9j0k"));
}

}  // namespace
}  // namespace gossamer::crawler
