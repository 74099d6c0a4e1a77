#include "render/base64.h"

#include <gtest/gtest.h>

#include <string>

#include "base/random.h"

namespace gossamer::render {
namespace {

// RFC 4648, section 10.
TEST(Base64, HasTheVectorsOfTheStandard) {
  const std::string text = "foobar";
  const char* const kEncoded[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (std::size_t size = 0; size <= text.size(); ++size) {
    EXPECT_EQ(to_base64(as_bytes(text.substr(0, size))), kEncoded[size]);
    EXPECT_EQ(from_base64(kEncoded[size]).value(), text.substr(0, size));
  }
}

TEST(Base64, ReturnsAnyBytes) {
  base::Random random(1);
  for (std::size_t size = 0; size < 300; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.below(256));
    EXPECT_EQ(from_base64(to_base64(as_bytes(bytes))).value(), bytes);
  }
}

TEST(Base64, RejectsWhatIsNotBase64) {
  for (const char* text : {"Z", "Zg==Zg==", "Zm9v!", "Zm 9v", "Z==="}) {
    EXPECT_FALSE(from_base64(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace gossamer::render
