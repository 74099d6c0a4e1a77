#include "crawl/login.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "crawl/options.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

const LoginOptions kLogin = {.url = "https://a.example/login",
                             .fields = {{"user", "me"}, {"pass", "hunter2"}}};

url::Url url(const char* text) { return *url::Url::parse(text); }

TEST(LoginTest, ChoosesTheFormWithAPassword) {
  const html::FormPage page = html::read_forms(
      "<form method=post action=search><input name=q></form>"
      "<form method=post action=register><input name=user><input name=mail>"
      "<input type=password name=new></form>"
      "<form method=post action=in><input name=user><input type=password name=pass></form>");
  std::string problem;
  const html::Form* const form = choose_login_form(page, kLogin, problem);
  ASSERT_NE(form, nullptr) << problem;
  EXPECT_EQ(form->action, "in");
  EXPECT_THAT(problem, IsEmpty());
}

TEST(LoginTest, AcceptsAFormWithoutAPasswordIfItHasTheFields) {
  const html::FormPage page =
      html::read_forms("<form method=post><input name=user><input name=pass></form>");
  std::string problem;
  EXPECT_NE(choose_login_form(page, kLogin, problem), nullptr) << problem;
}

TEST(LoginTest, SaysWhichFieldTheFormLacks) {
  std::string problem;
  const html::FormPage page = html::read_forms(
      "<form method=post><input type=hidden name=csrf><input name=login><input type=password "
      "name=pass></form>");
  EXPECT_EQ(choose_login_form(page, kLogin, problem), nullptr);
  EXPECT_EQ(problem, "the form has no field 'user'; it has csrf, login, pass");
  EXPECT_EQ(choose_login_form(html::read_forms("<p>nothing"), kLogin, problem), nullptr);
  EXPECT_THAT(problem, HasSubstr("no form"));
  EXPECT_THAT(problem, Not(HasSubstr("hunter2")));
}

TEST(LoginTest, NeverPutsAPasswordIntoAUrl) {
  std::string problem;
  const html::FormPage page =
      html::read_forms("<form><input name=user><input type=password name=pass></form>");
  EXPECT_EQ(choose_login_form(page, kLogin, problem), nullptr);
  EXPECT_THAT(problem, HasSubstr("POST"));
}

TEST(LoginTest, SendsTheFieldsOfTheFormAndTheGivenValues) {
  const html::FormPage page = html::read_forms(
      "<form method=post><input type=hidden name=csrf value=t><input name=user value=you>"
      "<input type=password name=pass><input type=checkbox name=keep><button name=go value=1>");
  EXPECT_THAT(
      filled_in(page.forms.at(0), kLogin),
      ElementsAre(Pair("csrf", "t"), Pair("user", "me"), Pair("pass", "hunter2"), Pair("go", "1")));
}

TEST(LoginTest, SendsThePasswordOnlyToThatHost) {
  const url::Url given = url("https://a.example/login");
  EXPECT_TRUE(is_same_place(given, url("https://a.example/x")));
  EXPECT_TRUE(is_same_place(given, url("https://www.a.example/x")));
  EXPECT_TRUE(is_same_place(url("http://a.example/"), given)) << "from unsafe to safe";
  for (const char* other : {"http://a.example/", "https://b.example/", "https://a.example:8443/",
                            "https://login.a.example/", "https://a.example.evil.example/"}) {
    EXPECT_FALSE(is_same_place(given, url(other))) << other;
  }
}

TEST(LoginTest, NeedsAUrlAndFields) {
  EXPECT_TRUE(validate(kLogin));
  EXPECT_FALSE(validate(LoginOptions{.url = "https://a.example/"}));
  EXPECT_FALSE(validate(LoginOptions{.url = "mailto:me", .fields = {{"a", "b"}}}));
  EXPECT_FALSE(validate(LoginOptions{.url = "", .fields = {{"a", "b"}}}));
}

}  // namespace
}  // namespace gossamer::crawler
