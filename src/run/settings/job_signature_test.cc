#include "settings/job_signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <tests/support/temporary_folder.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace gossamer::run {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

const std::string kSignedSettings = "# The settings\n\n[crawl]\nurl = [\"http://a.example/\"]\n";

// A user with an empty state folder.
class JobSignatureTest : public testing::Test {
 protected:
  JobSignatureTest() { setenv("XDG_STATE_HOME", folder.path().c_str(), 1); }
  ~JobSignatureTest() override { unsetenv("XDG_STATE_HOME"); }

  const tests::TemporaryFolder folder;
  const std::string key_file = folder.path() + "/gossamer/key";
};

TEST_F(JobSignatureTest, IsThatOfTheText) {
  const JobKey key("secret");
  const std::string text = key.sign(kSignedSettings);
  EXPECT_THAT(text, HasSubstr(kSignedSettings + "# signature "));
  EXPECT_TRUE(key.has_signed(text));
  EXPECT_EQ(key.sign(text), text) << "a signature is replaced";
  EXPECT_FALSE(key.has_signed(kSignedSettings));
  EXPECT_FALSE(key.has_signed(""));
  EXPECT_FALSE(JobKey("other").has_signed(text));
  EXPECT_FALSE(key.has_signed(text + "cookie-jar = \"x\"\n"));
  EXPECT_TRUE(key.has_signed(key.sign("no newline at the end")));
  EXPECT_TRUE(key.has_signed(key.sign("")));
}

TEST_F(JobSignatureTest, CoversEveryByte) {
  const JobKey key("secret");
  const std::string text = key.sign(kSignedSettings);
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(key.has_signed(changed)) << i;
    EXPECT_FALSE(key.has_signed(text.substr(0, i))) << i;
  }
}

TEST_F(JobSignatureTest, TheKeyIsMadeOnceAndOnlyForTheUser) {
  EXPECT_EQ(JobKey::find().error(), Errc::not_found);
  EXPECT_FALSE(fs::exists(key_file)) << "reading makes no key";
  const auto made = JobKey::find_or_make();
  ASSERT_TRUE(made) << made.error().message();
  struct stat status = {};
  ASSERT_EQ(stat(key_file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_EQ(status.st_size, 32);
  const std::string text = made->sign(kSignedSettings);
  EXPECT_TRUE(JobKey::find()->has_signed(text));
  EXPECT_TRUE(JobKey::find_or_make()->has_signed(text));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() + "/gossamer"), {}), 1);
  fs::remove(key_file);
  EXPECT_FALSE(JobKey::find_or_make()->has_signed(text)) << "it is unpredictable";
}

TEST_F(JobSignatureTest, AKeyThatOthersMayReadIsNotUsed) {
  ASSERT_TRUE(JobKey::find_or_make());
  chmod(key_file.c_str(), 0644);
  EXPECT_EQ(JobKey::find_or_make().error(), Errc::denied);
  chmod(key_file.c_str(), 0600);
  EXPECT_TRUE(JobKey::find());
  std::ofstream(key_file) << "short";
  EXPECT_EQ(JobKey::find_or_make().error(), Errc::malformed);
  fs::remove(key_file);
  fs::create_symlink(folder.path() + "/elsewhere", key_file);
  EXPECT_FALSE(JobKey::find_or_make());
  EXPECT_FALSE(fs::exists(folder.path() + "/elsewhere"));
}

TEST_F(JobSignatureTest, WithoutAHomeThereIsNoKey) {
  setenv("XDG_STATE_HOME", "relative", 1);
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  unsetenv("HOME");
  EXPECT_EQ(JobKey::find_or_make().error(), Errc::not_found);
  setenv("HOME", folder.path().c_str(), 1);
  EXPECT_TRUE(JobKey::find_or_make());
  EXPECT_TRUE(fs::exists(folder.path() + "/.local/state/gossamer/key"));
  home.empty() ? unsetenv("HOME") : setenv("HOME", home.c_str(), 1);
}

TEST_F(JobSignatureTest, TheDoubtSaysWhatIsKnown) {
  EXPECT_EQ(doubt_about("museum", kSignedSettings),
            "museum, whose settings were written by an earlier version or another program");
  const std::string text = JobKey::find_or_make()->sign(kSignedSettings);
  EXPECT_THAT(doubt_about("museum", text), IsEmpty());
  EXPECT_THAT(doubt_about("museum", JobKey("other").sign(kSignedSettings)),
              HasSubstr("changed, or written by another user"));
}

}  // namespace
}  // namespace gossamer::run
