// Tests that `gossamer check` sends the token of GitHub to GitHub alone. A proxy answers for every
// host.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/command_run.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::support {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::EndsWith;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kToken = "ghp_secret";

class CheckTokenTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_installed("/usr/bin/python3")) GTEST_SKIP() << "python3 is not installed";
    if (!is_installed("/usr/bin/openssl")) GTEST_SKIP() << "openssl is not installed";
    const std::string key = folder_.file("key.pem");
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
        "-subj /CN=github.com -addext subjectAltName=DNS:github.com,DNS:api.github.com,"
        "DNS:gist.github.com,DNS:elsewhere.example -keyout " +
        key + " -out " + certificate_ + " 2>/dev/null && cat " + key + " >> " + certificate_;
    ASSERT_EQ(std::system(command.c_str()), 0);
    proxy_.emplace(
        std::vector<std::string>{"/usr/bin/python3",
                                 support::source_path("tests/end_to_end/github_proxy.py"), log_,
                                 std::to_string(port_), certificate_, std::string(kToken)},
        folder_.file("proxy.log"));
    ASSERT_TRUE(proxy_->wait_until_listening(port_));
  }

  // Checks a document with these links; GITHUB_TOKEN has the token.
  int check(const std::string& links, std::vector<std::string> words) {
    words.insert(words.begin(), {"check", folder_.write("page.md", links), "--proxy",
                                 "127.0.0.1:" + std::to_string(port_), "--cacert", certificate_,
                                 "--format", "json", "--delay", "0", "--max-tries", "1"});
    CommandRun run(words, {}, {.environment = {"GITHUB_TOKEN=" + std::string(kToken)}});
    const int exit_code = run.wait();
    json_ = Json::parse(run.out(), nullptr, false);
    EXPECT_FALSE(json_.is_discarded()) << run.out() << run.err();
    EXPECT_THAT(run.out() + run.err(), Not(testing::HasSubstr(kToken)));
    return exit_code;
  }
  // "URL token" of each request.
  std::vector<std::string> requests() const { return lines_of(file_content(log_)); }

  TestFolder folder_;
  const std::string certificate_ = folder_.file("certificate.pem");
  const std::string log_ = folder_.file("requests.log");
  const std::uint16_t port_ = free_port();
  std::optional<Program> proxy_;
  Json json_;
};

constexpr const char* kLinks =
    "[a](https://github.com/o/r) [b](https://api.github.com/repos/o/s) "
    "[c](https://github.com/o/moved) [d](https://gist.github.com/x) "
    "[e](https://elsewhere.example/e)\n";

TEST_F(CheckTokenTest, OnlyGitHubReceivesIt) {
  EXPECT_EQ(check(kLinks, {"--github-token", "env:GITHUB_TOKEN"}), 0) << json_;
  EXPECT_EQ(json_["counts"]["blocked"], 0) << json_;
  const std::vector<std::string> seen = requests();
  for (const char* const page : {"https://github.com/o/r", "https://api.github.com/repos/o/s",
                                 "https://github.com/o/moved"}) {
    EXPECT_THAT(seen, Contains(std::string(page) + " Bearer " + std::string(kToken)));
  }
  for (const char* const page :
       {"https://gist.github.com/x", "https://elsewhere.example/e", "https://elsewhere.example/"}) {
    EXPECT_THAT(seen, Contains(std::string(page) + " -"));
  }
  for (const std::string& request : seen) {
    const bool is_github = request.starts_with("https://github.com/") ||
                           request.starts_with("https://api.github.com/");
    EXPECT_EQ(request.ends_with(kToken), is_github) << request;
  }
}

TEST_F(CheckTokenTest, WithoutItGitHubIsBlockedAndNotBroken) {
  EXPECT_EQ(check("[a](https://github.com/o/r)\n", {}), 0) << json_;
  EXPECT_EQ(json_["counts"]["blocked"], 1) << json_;
  EXPECT_EQ(json_["counts"]["broken"], 0) << json_;
  EXPECT_THAT(requests(), Each(EndsWith(" -")));
}

TEST_F(CheckTokenTest, TheApiAnswersForRepositories) {
  const std::string remap =
      "^https://github\\.com/([^/]+)/([^/?#]+)/?$ https://api.github.com/repos/$1/$2";
  EXPECT_EQ(check("[a](https://github.com/o/r) [b](https://github.com/o/gone)\n",
                  {"--github-token", "env:GITHUB_TOKEN", "--remap", remap}),
            2);
  EXPECT_EQ(json_["counts"]["broken"], 1) << json_;
  EXPECT_THAT(requests(), Each(AllOf(StartsWith("https://api.github.com/"),
                                     EndsWith("Bearer " + std::string(kToken)))));
  EXPECT_THAT(requests(), Contains(StartsWith("https://api.github.com/repos/o/gone ")));
}

}  // namespace
}  // namespace gossamer::support
