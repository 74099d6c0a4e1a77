// Tests the commands of `gossamer cluster` with real Redis servers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/end_to_end/redis_servers.h"
#include "tests/support/command_run.h"

namespace gossamer::cli {
namespace {

using redis::RedisServer;
using support::CommandRun;
using testing::HasSubstr;
using testing::Not;

std::string url_of(const RedisServer& server, const std::string& user = "") {
  return "redis://" + user + "127.0.0.1:" + std::to_string(server.port()) + "/museum";
}

class ClusterCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_installed(redis::kRedisServer)) {
      GTEST_SKIP() << "redis-server is not installed";
    }
  }
};

TEST_F(ClusterCommandTest, DoctorNamesWhatCanLoseUrls) {
  const RedisServer server;
  CommandRun run({"cluster", "doctor", url_of(server)});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_THAT(run.out(), HasSubstr("One Redis server with 1 master"));
  EXPECT_THAT(run.out(), HasSubstr("warning: " + server.node().to_string() + ": no replica"));
  EXPECT_THAT(run.out(), HasSubstr("appendonly is off"));
  EXPECT_THAT(run.out(), Not(HasSubstr("full-coverage"))) << "it is not a cluster";
}

TEST_F(ClusterCommandTest, DoctorFailsIfUrlsCanBeEvicted) {
  const RedisServer server({"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"});
  CommandRun run({"cluster", "doctor", url_of(server), "--json"});
  EXPECT_EQ(run.wait(), 1) << run.err();
  EXPECT_THAT(run.out(), HasSubstr(R"("weight": "error")"));
  EXPECT_THAT(run.out(), HasSubstr("maxmemory-policy allkeys-lru"));
}

TEST_F(ClusterCommandTest, PasswordsComeFromTheEnvironmentOrAFile) {
  const RedisServer server({"--requirepass", "hidden"});
  support::TestFolder folder;
  CommandRun without({"cluster", "doctor", url_of(server)});
  EXPECT_EQ(without.wait(), 6);
  EXPECT_THAT(without.err(), HasSubstr("NOAUTH"));
  CommandRun from_file({"cluster", "doctor", url_of(server), "--password-file",
                        folder.write("password", "hidden\n")});
  EXPECT_EQ(from_file.wait(), 0) << from_file.err();
  CommandRun from_environment({"cluster", "doctor", url_of(server)}, {},
                              {.environment = {"GOSSAMER_REDIS_PASSWORD=hidden"}});
  EXPECT_EQ(from_environment.wait(), 0) << from_environment.err();
  CommandRun in_url({"cluster", "doctor", url_of(server, "default:hidden@")});
  EXPECT_EQ(in_url.wait(), 2);
  EXPECT_THAT(in_url.err(), HasSubstr("GOSSAMER_REDIS_PASSWORD"));
  EXPECT_THAT(in_url.err(), Not(HasSubstr("hidden")));
}

}  // namespace
}  // namespace gossamer::cli
