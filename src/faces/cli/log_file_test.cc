#include "cli/log_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace gossamer::cli {
namespace {

namespace fs = std::filesystem;

class LogFileTest : public testing::Test {
 protected:
  LogFileTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~LogFileTest() override { fs::remove_all(folder_); }

  std::string content(const std::string& name) const {
    std::ifstream file(folder_ + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const std::string folder_ = testing::TempDir() + "gossamer_log_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
};

TEST_F(LogFileTest, ContinuesInANewFileWhenItWasRenamed) {
  LogFile log(folder_ + "log", false, settings::LogFormat::text);
  LOG(error, "one");
  fs::rename(folder_ + "log", folder_ + "log.1");
  LOG(error, "two");
  LOG(error, "three");
  EXPECT_EQ(content("log.1"), "error: one\n");
  EXPECT_EQ(content("log"), "error: two\nerror: three\n");
}

TEST_F(LogFileTest, ContinuesInTheFileThatLogrotateMade) {
  LogFile log(folder_ + "log", true, settings::LogFormat::text);
  fs::rename(folder_ + "log", folder_ + "log.1");
  std::ofstream(folder_ + "log") << "begin\n";
  LOG(error, "one");
  EXPECT_EQ(content("log"), "begin\nerror: one\n");
  EXPECT_EQ(content("log.1"), "");
}

TEST_F(LogFileTest, InACrawlDirectoryStaysWhereItIsWhenALinkReplacesIt) {
  LogFile log(folder_ + "log", true, settings::LogFormat::text);
  fs::rename(folder_ + "log", folder_ + "log.1");
  fs::create_symlink(folder_ + "victim", folder_ + "log");
  LOG(error, "one");
  EXPECT_EQ(content("log.1"), "error: one\n");
  EXPECT_FALSE(fs::exists(folder_ + "victim"));
}

TEST_F(LogFileTest, CanHaveAnObjectInEachLine) {
  LogFile log(folder_ + "log", false, settings::LogFormat::json);
  LOG(error, "a \"b\"\n\x1b");
  EXPECT_EQ(content("log"),
            "{\"ts\": null, \"level\": \"error\", \"text\": \"a \\\"b\\\"\\\\x0a\\\\x1b\"}\n");
  EXPECT_EQ(json_of_record(base::LogLevel::info, "2026-05-04T12:00:00.000Z info: x: y\n"),
            "{\"ts\": \"2026-05-04T12:00:00.000Z\", \"level\": \"info\", \"text\": \"x: y\"}\n");
}

}  // namespace
}  // namespace gossamer::cli
