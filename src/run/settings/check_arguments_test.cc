#include "settings/check_arguments.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "options/table.h"

namespace gossamer::settings {
namespace {

// Parses the options of a check of https://a.example/.
struct ParsedCheck {
  explicit ParsedCheck(std::vector<std::string> given) {
    given.emplace_back("https://a.example/");
    options::Table table("check");
    declare_check_settings(table, arguments);
    const auto stop = table.parse(given);
    EXPECT_FALSE(stop) << stop->text;
    result = complete_check(table, arguments);
  }

  // The value of Authorization in a request to this URL.
  std::string authorization_at(const std::string& url) const {
    http::Request request;
    request.url = *url::Url::parse(url);
    arguments.check.crawl.fields->edit(request);
    for (const http::Field& field : request.fields) {
      if (field.name == "Authorization") return field.value;
    }
    return {};
  }

  CheckArguments arguments;
  Result<void> result;
};

TEST(CheckArguments, GitHubTokenGoesOnlyToGitHub) {
  const ParsedCheck check({"--github-token", "abc"});
  ASSERT_TRUE(check.result);
  EXPECT_EQ(check.authorization_at("https://github.com/x/y"), "Bearer abc");
  EXPECT_EQ(check.authorization_at("https://api.github.com/repos/x/y"), "Bearer abc");
  for (const char* url : {"http://github.com/x/y", "https://github.com:8443/", "https://a.example/",
                          "https://github.com.a.example/", "https://gist.github.com/"}) {
    EXPECT_EQ(check.authorization_at(url), "") << url;
  }
}

// A root is sent the fields that the user gives for it.
TEST(CheckArguments, GitHubTokenIsNotSentInTheClear) {
  for (const char* root : {"github.com/x/y", "http://github.com/", "https://github.com:8443/"}) {
    const ParsedCheck check({"--github-token", "abc", root});
    ASSERT_FALSE(check.result) << root;
    EXPECT_TRUE(check.result.error().detail().contains("over https only")) << root;
  }
  const ParsedCheck check({"--github-token", "abc", "https://github.com/x/y"});
  EXPECT_TRUE(check.result);
}

TEST(CheckArguments, GitHubTokenCanBeInTheEnvironment) {
  ::setenv("GOSSAMER_TEST_TOKEN", "hidden", 1);
  const ParsedCheck check({"--github-token", "env:GOSSAMER_TEST_TOKEN"});
  ASSERT_TRUE(check.result);
  EXPECT_EQ(check.authorization_at("https://github.com/"), "Bearer hidden");
  ::unsetenv("GOSSAMER_TEST_TOKEN");
  const ParsedCheck unset({"--github-token", "env:GOSSAMER_TEST_TOKEN"});
  ASSERT_FALSE(unset.result);
  EXPECT_EQ(unset.result.error().detail(), "environment variable GOSSAMER_TEST_TOKEN is not set");
}

TEST(CheckArguments, GitHubTokenCannotEndItsField) {
  const ParsedCheck check({"--github-token", "a\r\nX: y"});
  ASSERT_FALSE(check.result);
  EXPECT_FALSE(check.result.error().detail().contains("X: y"));
}

TEST(CheckArguments, AnEmptyTokenIsNone) {
  ::setenv("GOSSAMER_TEST_TOKEN", "", 1);
  for (const char* token : {"", "env:GOSSAMER_TEST_TOKEN"}) {
    const ParsedCheck check({"--github-token", token, "http://github.com/"});
    ASSERT_TRUE(check.result) << "nothing is sent in the clear";
    EXPECT_EQ(check.authorization_at("https://github.com/"), "");
  }
  ::unsetenv("GOSSAMER_TEST_TOKEN");
}

TEST(CheckArguments, SourcesAreShownWithoutPasswords) {
  const std::map<std::string, std::string> shown = {
      {"https://me:secret@a.example/x", "https://a.example/x"},
      {"https://me@a.example", "https://a.example"},
      {"https://me:se@cret@a.example?x", "https://a.example?x"},
      {"https://a.example/x@y", "https://a.example/x@y"},
      {"https://a.example/@", "https://a.example/@"},
      {"https://a.example/?to=me@b.example", "https://a.example/?to=me@b.example"},
      {"a.example", "a.example"},
  };
  for (const auto& [source, text] : shown) {
    const ParsedCheck check({source});
    ASSERT_TRUE(check.result) << source;
    EXPECT_EQ(check.arguments.check.sources.front(), text);
    EXPECT_EQ(check.arguments.check.crawl.roots.front(), source);
  }
}

}  // namespace
}  // namespace gossamer::settings
