// Tests `gossamer crawl` with logins: forms, Basic, Digest, .netrc, and that no other host receives
// the secrets. The oracle is the servers' requests.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "tests/end_to_end/crawl_run.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

using support::file_content;

// Nowhere but in what is sent to its server.
constexpr const char* kSecret = "hunter2";

struct LoginOutput {
  int exit_code = -1;
  std::string out;
  std::string err;
};

class CrawlLoginTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_installed(support::kPython)) GTEST_SKIP() << "python3 is not installed";
    start_other();
    start_site({});
  }

  void start_other() { other_ = start("other.log", other_port_, {"/"}); }
  void start_site(const std::string& expire) {
    site_.reset();
    port_ = support::free_port();
    std::vector<std::string> words = {other("/")};
    if (!expire.empty()) words.push_back(expire);
    site_ = start("site.log", port_, words);
  }

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::string other(const std::string& path) const {
    return "http://127.0.0.2:" + std::to_string(other_port_) + path;
  }

  // Runs in the test's folder, where the configuration is.
  LoginOutput crawl(std::vector<std::string> words,
                    const std::vector<std::string>& environment = {}) const {
    words.insert(words.begin(), {"crawl", "--no-proxy"});
    CommandRun program(words, CommandRun::Streams(),
                       {.folder = folder_.path().string(), .environment = environment});
    const int exit_code = program.wait();
    return {exit_code, program.out(), program.err()};
  }

  std::vector<Json> heard(const std::string& log) const { return records_in(folder_.file(log)); }
  std::size_t times(const std::string& path) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        heard("site.log"), [&path](const Json& request) { return request["path"] == path; }));
  }

  static std::vector<std::string> urls_of(const LoginOutput& said, const std::string& status) {
    std::vector<std::string> urls;
    for (const std::string& line : support::lines_of(said.out)) {
      const Json record = Json::parse(line);
      if (record["status"].dump() == status) urls.push_back(record["url"]);
    }
    return urls;
  }

  support::TestFolder folder_;
  std::uint16_t port_ = 0;
  std::uint16_t other_port_ = support::free_port();

 private:
  std::unique_ptr<support::Program> start(const std::string& log, std::uint16_t port,
                                          const std::vector<std::string>& more) const {
    std::vector<std::string> words = {support::kPython,
                                      support::source_path("tests/end_to_end/login_site.py"),
                                      folder_.file(log), std::to_string(port)};
    words.insert(words.end(), more.begin(), more.end());
    auto program = std::make_unique<support::Program>(words, folder_.file(log + ".err"));
    EXPECT_TRUE(program->wait_until_listening(port));
    return program;
  }

  std::unique_ptr<support::Program> other_;
  std::unique_ptr<support::Program> site_;
};

const std::vector<std::string> kEnvironment = {"SITE_PASSWORD=hunter2"};

TEST_F(CrawlLoginTest, AFormLetsUsInAndTheSessionLives) {
  const LoginOutput said =
      crawl({url("/home"), "--login-url", url("/login"), "--login-field", "user=me",
             "--login-field", "password=env:SITE_PASSWORD", "--skipped", "skipped"},
            kEnvironment);
  EXPECT_EQ(said.exit_code, kOk) << said.err;
  EXPECT_EQ(urls_of(said, "200").size(), 10u) << said.out;
  EXPECT_EQ(times("/logout") + times("/leave"), 0u);
  const std::string skipped = file_content(folder_.file("skipped"));
  EXPECT_TRUE(has(skipped, "/logout\", \"skip_reason\": \"logout\"")) << skipped;
  EXPECT_TRUE(has(skipped, "/leave\", \"skip_reason\": \"logout\"")) << skipped;
  EXPECT_TRUE(has(said.err, "logout")) << "it is counted: " << said.err;
}

TEST_F(CrawlLoginTest, WithoutCareTheSessionEnds) {
  const LoginOutput said = crawl(
      {url("/home"), "--login-url", url("/login"), "--login-field", "user=me", "--login-field",
       "password=env:SITE_PASSWORD", "--follow-logout", "--concurrency", "1"},
      kEnvironment);
  EXPECT_GT(times("/logout"), 0u);
}

TEST_F(CrawlLoginTest, EveryThreadHasTheSession) {
  folder_.write("gossamer.toml", "[crawl]\nlogin-url = \"" + url("/login") +
                                     "\"\nlogin-fields = {user = \"me\", "
                                     "password = \"env:SITE_PASSWORD\"}\n");
  const LoginOutput said = crawl({url("/home"), "--threads", "3", "--trust"}, kEnvironment);
  EXPECT_EQ(said.exit_code, kOk) << said.err;
  EXPECT_EQ(urls_of(said, "200").size(), 10u) << said.out;
}

TEST_F(CrawlLoginTest, ASessionThatEndsIsRenewed) {
  start_site("4");
  const LoginOutput said =
      crawl({url("/home"), "--login-url", url("/login"), "--login-field", "user=me",
             "--login-field", "password=hunter2", "--concurrency", "1"});
  EXPECT_EQ(urls_of(said, "200").size(), 10u) << said.out << said.err;
  EXPECT_TRUE(has(said.err, "logged in again")) << said.err;
}

TEST_F(CrawlLoginTest, AFailedLoginStartsNothing) {
  const std::vector<std::string> login = {url("/home"), "-o", "results", "--login-url",
                                          url("/login")};
  const auto with = [&login](std::vector<std::string> more) {
    more.insert(more.begin(), login.begin(), login.end());
    return more;
  };
  const LoginOutput wrong =
      crawl(with({"--login-field", "user=me", "--login-field", "password=wrong"}));
  EXPECT_EQ(wrong.exit_code, kAuthenticationFailed) << wrong.err;
  EXPECT_TRUE(has(wrong.err, "gossamer crawl: cannot log in at " + url("/login") + ": "))
      << wrong.err;
  EXPECT_TRUE(has(wrong.err, "shows the form again")) << wrong.err;

  const LoginOutput field =
      crawl(with({"--login-field", "name=me", "--login-field", "password=hunter2"}));
  EXPECT_EQ(field.exit_code, kAuthenticationFailed) << field.err;
  EXPECT_TRUE(has(field.err, "no field 'name'; it has csrf, user, password, go")) << field.err;

  const LoginOutput check = crawl(with({"--login-field", "user=me", "--login-field",
                                        "password=hunter2", "--login-check", "never there"}));
  EXPECT_EQ(check.exit_code, kAuthenticationFailed) << check.err;
  const LoginOutput url_check = crawl(with(
      {"--login-field", "user=me", "--login-field", "password=wrong", "--login-check", "/home"}));
  EXPECT_EQ(url_check.exit_code, kAuthenticationFailed) << url_check.err;
  const LoginOutput unset = crawl(with({"--login-field", "password=env:NOT_SET"}));
  EXPECT_EQ(unset.exit_code, kUsage) << unset.err;
  EXPECT_TRUE(has(unset.err, "variable NOT_SET is not set")) << unset.err;

  EXPECT_FALSE(std::filesystem::exists(folder_.file("results")));
  // The login may have seen it; the crawl did not begin.
  for (const Json& request : heard("site.log")) EXPECT_NE(request["path"], "/robots.txt");
  for (const LoginOutput* said : {&wrong, &field, &check, &url_check}) {
    EXPECT_FALSE(has(said->err, kSecret)) << said->err;
  }
}

TEST_F(CrawlLoginTest, ChecksThatSayYesLetTheCrawlBegin) {
  for (const char* check : {"page 0", "/home"}) {
    const LoginOutput said =
        crawl({url("/p9"), "--login-url", url("/login"), "--login-field", "user=me",
               "--login-field", "password=hunter2", "--login-check", check});
    EXPECT_EQ(said.exit_code, kOk) << said.err;
    EXPECT_EQ(urls_of(said, "200").size(), 1u) << said.out;
  }
}

TEST_F(CrawlLoginTest, BasicAndDigestAreAnsweredAndThenSentAtOnce) {
  const LoginOutput said = crawl({url("/basic/"), url("/digest/"), "--user", "jan",
                                  "--password-env", "SITE_PASSWORD", "--concurrency", "1"},
                                 kEnvironment);
  EXPECT_EQ(said.exit_code, kOk) << said.err;
  EXPECT_EQ(urls_of(said, "200").size(), 4u) << said.err;
  EXPECT_EQ(times("/basic/"), 2u) << "once without";
  EXPECT_EQ(times("/basic/2"), 1u) << "with the first request";
  EXPECT_EQ(times("/digest/2"), 1u);
}

TEST_F(CrawlLoginTest, AWrongPasswordIsTriedOnce) {
  const LoginOutput said =
      crawl({url("/digest/"), url("/digest/2"), "--user", "jan:wrong", "--concurrency", "1"});
  EXPECT_EQ(said.exit_code, kAuthenticationFailed) << said.err;
  std::size_t told = 0;
  for (const Json& request : heard("site.log")) told += request.contains("Authorization") ? 1 : 0;
  EXPECT_EQ(told, 1u);
}

TEST_F(CrawlLoginTest, PasswordsComeFromANetrc) {
  const std::string file = folder_.write(
      "netrc",
      "machine 127.0.0.1 login jan password hunter2\ndefault login any password hunter2\n");
  EXPECT_EQ(urls_of(crawl({url("/digest/"), "--netrc-file", file}), "200").size(), 2u);
  folder_.write(".netrc", "machine 127.0.0.1 login jan password hunter2\n");
  const LoginOutput said = crawl({url("/basic/"), "--netrc"}, {"HOME=" + folder_.path().string()});
  EXPECT_EQ(urls_of(said, "200").size(), 2u) << said.err;
}

TEST_F(CrawlLoginTest, WhatIsOfAHostIsToldToNobodyElse) {
  folder_.write("gossamer.toml",
                "[host.\"127.0.0.1\"]\nheader = [\"X-Token: hunter2\"]\nuser = \"jan\"\n"
                "password-env = \"SITE_PASSWORD\"\nlogin-url = \"" +
                    url("/login") +
                    "\"\nlogin-fields = {user = \"me\", password = \"env:SITE_PASSWORD\"}\n"
                    "[host.\"127.0.0.2\"]\nexclude = ['[0-9]/.']\n");
  const LoginOutput said = crawl(
      {url("/"), "--scope", "any", "--allow-private", "--limit", "40", "--trust"}, kEnvironment);
  EXPECT_EQ(said.exit_code, kOk) << said.err;
  EXPECT_GE(urls_of(said, "200").size(), 16u) << said.err;
  bool has_token = false;
  for (const Json& request : heard("site.log")) has_token |= request.contains("X-Token");
  EXPECT_TRUE(has_token);
  const std::vector<Json> elsewhere = heard("other.log");
  EXPECT_FALSE(elsewhere.empty()) << "it was redirected there";
  for (const Json& request : elsewhere) {
    for (const char* field : {"Authorization", "Cookie", "X-Token"}) {
      EXPECT_FALSE(request.contains(field)) << request.dump();
    }
    EXPECT_NE(request["path"], "/linked") << "excluded on that host";
  }
}

// The password, the session and the token are in no line that the program writes.
TEST_F(CrawlLoginTest, NoSecretIsWrittenAnywhere) {
  folder_.write("gossamer.toml",
                "[crawl]\nlogin-url = \"" + url("/login") +
                    "\"\nlogin-fields = {user = \"me\", password = \"hunter2\"}\n"
                    "[host.\"127.0.0.1\"]\nheader = [\"X-Token: hunter2\"]\nuser = \"jan\"\n"
                    "password = \"hunter2\"\n[host.\"127.0.0.2\"]\nexclude = ['[0-9]/.']\n");
  const std::vector<std::string> words = {
      url("/"),        "--scope",  "any",  "--allow-private", "--limit",  "40",     "-vv",
      "--skipped",     "skipped",  "-o",   "results",         "--report", "r.html", "--report",
      "r.json",        "--report", "r.md", "--log-file",      "log",      "--why",  url("/logout"),
      "--no-progress", "--trust"};
  const LoginOutput said = crawl(words);
  EXPECT_EQ(said.exit_code, kOk) << said.err;
  EXPECT_TRUE(has(said.err, "logout")) << said.err;
  EXPECT_GT(file_content(folder_.file("results")).size(), 1000u);
  const LoginOutput loud = crawl({url("/"), "-vv", "--trust"});
  const LoginOutput printed = crawl({url("/"), "--print-config"});
  EXPECT_TRUE(has(printed.out, "[host.\"127.0.0.1\"]\n")) << printed.out;
  EXPECT_TRUE(has(printed.out, "user = \"jan\"  # ./gossamer.toml:6")) << printed.out;
  EXPECT_TRUE(
      has(printed.out, "#password =  # ./gossamer.toml:7; only with --trust; value not shown"))
      << printed.out;
  const LoginOutput wrong =
      crawl({url("/"), "--config",
             folder_.write("bad.toml", "[host.\"127.0.0.1\"]\nheader = [\"hunter2\"]\n")});
  EXPECT_EQ(wrong.exit_code, kUsage);
  EXPECT_TRUE(has(wrong.err, "bad.toml:2: header: expected 'Name: value'")) << wrong.err;
  std::size_t files = 0;
  for (const char* name : {"results", "skipped", "r.html", "r.json", "r.md", "log"}) {
    const std::string text = file_content(folder_.file(name));
    files += text.empty() ? 0 : 1;
    EXPECT_FALSE(has(text, kSecret)) << name;
    EXPECT_FALSE(has(text, "session=")) << name;
    EXPECT_FALSE(has(text, "amFuOmh1bnRlcjI=")) << name;  // as Basic has it
  }
  EXPECT_EQ(files, 6u);
  for (const LoginOutput* one : {&said, &loud, &printed, &wrong}) {
    EXPECT_FALSE(has(one->out, kSecret)) << one->out;
    EXPECT_FALSE(has(one->err, kSecret)) << one->err;
  }
}

}  // namespace
}  // namespace gossamer::cli
