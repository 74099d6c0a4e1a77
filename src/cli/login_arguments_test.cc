#include "cli/login_arguments.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "cli/crawl_arguments.h"

namespace gossamer::cli {
namespace {

constexpr const char* kSecret = "hunter2";

std::vector<url::Url> roots(const std::vector<std::string>& texts) {
  std::vector<url::Url> urls;
  for (const std::string& text : texts) urls.push_back(*url::Url::parse(text));
  return urls;
}

// What the user is called there; empty: nobody.
std::string user_at(const run::CrawlFields& fields, const std::string& url) {
  const auto found = fields.credentials().find(*url::Url::parse(url));
  return found ? found->user : std::string();
}

// The value of X-Token that a request to there would carry.
std::string token_at(const run::CrawlFields& fields, const std::string& url) {
  http::Request request;
  request.url = *url::Url::parse(url);
  fields.edit(request);
  for (const http::Field& field : request.fields) {
    if (field.name == "X-Token") return field.value;
  }
  return {};
}

TEST(LoginArgumentsTest, AUserIsForTheRootsAlone) {
  run::CrawlFields fields;
  const IdentityWords words = {.login = {.user = "jan:hunter2"}};
  ASSERT_TRUE(
      settle_identity(words, roots({"http://a.example/x", "https://b.example:8443/"}), fields));
  EXPECT_EQ(user_at(fields, "http://a.example/"), "jan");
  EXPECT_EQ(user_at(fields, "https://a.example/"), "jan") << "its secure twin";
  EXPECT_EQ(user_at(fields, "https://b.example:8443/"), "jan");
  EXPECT_EQ(user_at(fields, "http://b.example/"), "");
  EXPECT_EQ(user_at(fields, "https://c.example/"), "");
}

TEST(LoginArgumentsTest, WhatIsOfAHostGoesThereAlone) {
  IdentityWords words;
  words.hosts["a.example"].login = {.user = "one", .password = "p"};
  words.hosts["a.example"].fields = {{"X-Token", "1"}};
  words.hosts["*.a.example"].login = {.user = "two", .password = "p"};
  words.hosts["*.a.example"].fields = {{"X-Token", "2"}};
  run::CrawlFields fields;
  ASSERT_TRUE(settle_identity(words, roots({"http://a.example:8080/"}), fields));
  ASSERT_TRUE(fields.add_root(*url::Url::parse("http://a.example:8080/")));
  EXPECT_EQ(user_at(fields, "http://a.example:8080/"), "one") << "a root";
  EXPECT_EQ(token_at(fields, "http://a.example:8080/"), "1");
  EXPECT_EQ(user_at(fields, "https://a.example/"), "one");
  EXPECT_EQ(token_at(fields, "https://a.example/"), "1");
  EXPECT_EQ(user_at(fields, "https://x.a.example/"), "two");
  EXPECT_EQ(token_at(fields, "https://x.a.example/"), "2");
  for (const char* url : {"http://a.example/", "http://x.a.example/", "https://x.a.example:8080/",
                          "https://b.example/", "https://a.example.evil.test/"}) {
    EXPECT_EQ(user_at(fields, url), "") << url;
    EXPECT_EQ(token_at(fields, url), "") << url;
  }
}

TEST(LoginArgumentsTest, SecretsComeFromTheEnvironment) {
  ::setenv("GOSSAMER_TEST_SECRET", kSecret, 1);
  run::CrawlFields fields;
  IdentityWords words = {
      .login = {.user = "jan",
                .password_env = "GOSSAMER_TEST_SECRET",
                .url = "https://a.example/login",
                .fields = {"user=me", "pass=env:GOSSAMER_TEST_SECRET", "sum=1=1"}}};
  const auto identity = settle_identity(words, roots({"https://a.example/"}), fields);
  ASSERT_TRUE(identity);
  ASSERT_EQ(identity->logins.size(), 1u);
  EXPECT_EQ(identity->logins[0].fields[1].second, kSecret);
  EXPECT_EQ(identity->logins[0].fields[2].second, "1=1");
  EXPECT_EQ(fields.credentials().find(*url::Url::parse("https://a.example/"))->password, kSecret);
  ::unsetenv("GOSSAMER_TEST_SECRET");
  const auto missing = settle_identity(words, roots({"https://a.example/"}), fields);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().detail(), "the environment has no variable GOSSAMER_TEST_SECRET");
}

TEST(LoginArgumentsTest, NoMessageHasASecret) {
  run::CrawlFields fields;
  std::vector<IdentityWords> wrong(6);
  wrong[0].login = {.url = "https://a.example/"};
  wrong[1].login = {.fields = {"pass=hunter2"}};
  wrong[2].login = {.url = "mailto:hunter2", .fields = {"pass=hunter2"}};
  wrong[3].login = {.password = kSecret};
  wrong[4].login = {.user = "jan", .password = "hunter2\n"};
  wrong[5].hosts["a.example"].login = {.url = "https://b.example/", .fields = {"pass=hunter2"}};
  for (const IdentityWords& words : wrong) {
    const auto settled = settle_identity(words, roots({"https://a.example/"}), fields);
    ASSERT_FALSE(settled);
    EXPECT_EQ(settled.error().detail().find(kSecret), std::string::npos)
        << settled.error().detail();
  }
}

TEST(LoginArgumentsTest, ANetrcIsForTheHostsThatItNames) {
  const std::string path = testing::TempDir() + "gossamer_login_netrc";
  std::ofstream(path) << "machine a.example login jan password hunter2\n"
                         "default login any password hunter2\n";
  run::CrawlFields fields;
  ASSERT_TRUE(settle_identity({.netrc_file = path},
                              roots({"http://a.example:8080/", "http://r.example/"}), fields));
  EXPECT_EQ(user_at(fields, "http://a.example:8080/"), "jan") << "a root, at whatever port";
  EXPECT_EQ(user_at(fields, "https://a.example/"), "jan");
  EXPECT_EQ(user_at(fields, "http://r.example/"), "any");
  EXPECT_EQ(user_at(fields, "https://stranger.example/"), "");
  EXPECT_FALSE(settle_identity({.netrc_file = path + ".not"}, {}, fields));
}

TEST(LoginArgumentsTest, EveryKeyOfAHostIsTaken) {
  IdentityWords words;
  CrawlArguments arguments;
  options::Table table("crawl");
  declare_crawl(table, arguments);
  options::Table::HostKeys keys = host_keys(table.declared(), words);
  EXPECT_EQ(keys.options.size(), 11u);
  for (const options::Option& option : keys.options) {
    const std::string good = option.key == "delay"              ? "5s"
                             : option.key == "host-concurrency" ? "2"
                             : option.key == "header"           ? "X-Token: 1"
                             : option.key == "login-field"      ? "a=b"
                                                                : "text";
    EXPECT_EQ(keys.take("a.example", option.key, good), "") << option.key;
  }
  EXPECT_EQ(words.hosts["a.example"].options.delay, 5s);
  EXPECT_EQ(words.hosts["a.example"].options.concurrency, 2u);
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"delay", "fast"},
                                                        {"host-concurrency", "0"},
                                                        {"include", "("},
                                                        {"header", kSecret},
                                                        {"login-field", kSecret}}) {
    const std::string problem = keys.take("a.example", key, value);
    EXPECT_NE(problem, "") << key;
    EXPECT_EQ(problem.find(kSecret), std::string::npos) << problem;
  }
}

}  // namespace
}  // namespace gossamer::cli
