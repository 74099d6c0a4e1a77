#include "settings/identity.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace gossamer::run {
namespace {

constexpr const char* kSecret = "hunter2";

std::vector<url::Url> roots(const std::vector<std::string>& texts) {
  std::vector<url::Url> urls;
  for (const std::string& text : texts) urls.push_back(*url::Url::parse(text));
  return urls;
}

// The user name for this URL; empty: none.
std::string user_at(const CrawlFields& fields, const std::string& url) {
  const auto found = fields.credentials().find(*url::Url::parse(url));
  return found ? found->user : std::string();
}

// The value of X-Token in a request to this URL.
std::string token_at(const CrawlFields& fields, const std::string& url) {
  http::Request request;
  request.url = *url::Url::parse(url);
  fields.edit(request);
  for (const http::Field& field : request.fields) {
    if (field.name == "X-Token") return field.value;
  }
  return {};
}

TEST(Identity, UserIsOnlyForTheRoots) {
  CrawlFields fields;
  const IdentitySettings words = {.login = {.user = "jan:hunter2"}};
  ASSERT_TRUE(
      resolve_identity(words, roots({"http://a.example/x", "https://b.example:8443/"}), fields));
  EXPECT_EQ(user_at(fields, "http://a.example/"), "jan");
  EXPECT_EQ(user_at(fields, "https://a.example/"), "jan") << "the same host over https";
  EXPECT_EQ(user_at(fields, "https://b.example:8443/"), "jan");
  EXPECT_EQ(user_at(fields, "http://b.example/"), "");
  EXPECT_EQ(user_at(fields, "https://c.example/"), "");
}

TEST(Identity, OfAHostIsOnlyForThatHost) {
  IdentitySettings words;
  words.hosts["a.example"].login = {.user = "one", .password = "p"};
  words.hosts["a.example"].fields = {{"X-Token", "1"}};
  words.hosts["*.a.example"].login = {.user = "two", .password = "p"};
  words.hosts["*.a.example"].fields = {{"X-Token", "2"}};
  CrawlFields fields;
  ASSERT_TRUE(resolve_identity(words, roots({"http://a.example:8080/"}), fields));
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

TEST(Identity, TakesSecretsFromTheEnvironment) {
  ::setenv("GOSSAMER_TEST_SECRET", kSecret, 1);
  CrawlFields fields;
  IdentitySettings words = {
      .login = {.user = "jan",
                .password_env = "GOSSAMER_TEST_SECRET",
                .url = "https://a.example/login",
                .fields = {"user=me", "pass=env:GOSSAMER_TEST_SECRET", "sum=1=1"}}};
  const auto identity = resolve_identity(words, roots({"https://a.example/"}), fields);
  ASSERT_TRUE(identity);
  ASSERT_EQ(identity->logins.size(), 1u);
  EXPECT_EQ(identity->logins[0].fields[1].second, kSecret);
  EXPECT_EQ(identity->logins[0].fields[2].second, "1=1");
  EXPECT_EQ(fields.credentials().find(*url::Url::parse("https://a.example/"))->password, kSecret);
  ::unsetenv("GOSSAMER_TEST_SECRET");
  const auto missing = resolve_identity(words, roots({"https://a.example/"}), fields);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().detail(), "environment variable GOSSAMER_TEST_SECRET is not set");
}

TEST(Identity, KeepsSecretsOutOfMessages) {
  CrawlFields fields;
  std::vector<IdentitySettings> wrong(8);
  wrong[0].login = {.url = "https://a.example/"};
  wrong[1].login = {.fields = {"pass=hunter2"}};
  wrong[2].login = {.url = "mailto:hunter2", .fields = {"pass=hunter2"}};
  wrong[3].login = {.password = kSecret};
  wrong[4].login = {.user = "jan", .password = "hunter2\n"};
  wrong[5].hosts["a.example"].login = {.url = "https://b.example/", .fields = {"pass=hunter2"}};
  wrong[6].login = {.password_env = "PATH"};
  wrong[7].login = {.check = kSecret};
  for (const IdentitySettings& words : wrong) {
    const auto settled = resolve_identity(words, roots({"https://a.example/"}), fields);
    ASSERT_FALSE(settled);
    EXPECT_EQ(settled.error().detail().find(kSecret), std::string::npos)
        << settled.error().detail();
  }
}

TEST(Identity, NetrcIsForItsHosts) {
  const std::string path = testing::TempDir() + "gossamer_login_netrc";
  std::ofstream(path) << "machine a.example login jan password hunter2\n"
                         "default login any password hunter2\n";
  CrawlFields fields;
  ASSERT_TRUE(resolve_identity({.netrc_file = path},
                               roots({"http://a.example:8080/", "http://r.example/"}), fields));
  EXPECT_EQ(user_at(fields, "http://a.example:8080/"), "jan") << "a root, at any port";
  EXPECT_EQ(user_at(fields, "https://a.example/"), "jan");
  EXPECT_EQ(user_at(fields, "http://r.example/"), "any");
  EXPECT_EQ(user_at(fields, "https://other.example/"), "");
  EXPECT_FALSE(resolve_identity({.netrc_file = path + ".not"}, {}, fields));
}

TEST(Identity, NetrcIsInTheHomeOfTheUser) {
  const tests::TemporaryFolder home;
  std::ofstream(home.path() + "/.netrc") << "machine a.example login jan password hunter2\n";
  const char* const before = std::getenv("HOME");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("HOME", home.path().c_str(), 1);
  CrawlFields fields;
  EXPECT_TRUE(resolve_identity({}, {}, fields));
  EXPECT_EQ(user_at(fields, "https://a.example/"), "") << "only if the user wants it";
  EXPECT_TRUE(resolve_identity({.netrc = true}, {}, fields));
  EXPECT_EQ(user_at(fields, "https://a.example/"), "jan");
  ::unsetenv("HOME");
  EXPECT_TRUE(resolve_identity({.netrc = true}, {}, fields)) << "there is none";
  if (before != nullptr) ::setenv("HOME", kept.c_str(), 1);
}

TEST(Identity, APasswordMayBeBehindTheUser) {
  const auto password_of = [](const LoginSettings& login) {
    CrawlFields fields;
    EXPECT_TRUE(resolve_identity({.login = login}, roots({"https://a.example/"}), fields));
    return fields.credentials().find(*url::Url::parse("https://a.example/"))->password;
  };
  EXPECT_EQ(password_of({.user = "jan"}), "");
  EXPECT_EQ(password_of({.user = "jan:one:two"}), "one:two");
  EXPECT_EQ(password_of({.user = "jan:one", .password = "two"}), "two");
}

TEST(Identity, ALoginOfAHostIsOnIt) {
  IdentitySettings words;
  words.hosts["a.example"].login = {.url = "https://a.example/login", .fields = {"name=x=y"}};
  words.hosts["*.b.example"].login = {.url = "https://www.b.example/", .fields = {"name=z"}};
  words.hosts["c.example"] = {};
  CrawlFields fields;
  const auto identity = resolve_identity(words, {}, fields);
  ASSERT_TRUE(identity) << identity.error().message();
  EXPECT_EQ(identity->hosts.size(), 3u);
  ASSERT_EQ(identity->logins.size(), 2u);
  for (const crawler::LoginOptions& login : identity->logins) {
    const bool is_first = login.url == "https://a.example/login";
    ASSERT_EQ(login.fields.size(), 1u);
    EXPECT_EQ(login.fields[0].first, "name");
    EXPECT_EQ(login.fields[0].second, is_first ? "x=y" : "z");
  }
}

}  // namespace
}  // namespace gossamer::run
