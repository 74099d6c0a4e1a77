#include "engine/setup/login.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/task.h"
#include "engine/setup/options.h"
#include "wire/cookie_jar.h"

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

TEST(LoginTest, SendsAValueOnceForSeveralBoxes) {
  const html::FormPage page = html::read_forms(
      "<form method=post><input type=radio name=user value=you><input type=radio name=user "
      "value=me><input type=password name=pass></form>");
  EXPECT_THAT(filled_in(page.forms.at(0), kLogin),
              ElementsAre(Pair("user", "me"), Pair("pass", "hunter2")));
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

TEST(LoginTest, SendsNoPasswordFromHttpsToHttp) {
  const url::Url unsafe = url("http://a.example/login");
  const url::Url safe = url("https://a.example/login");
  EXPECT_TRUE(is_safe_action(unsafe, unsafe, unsafe));
  EXPECT_TRUE(is_safe_action(unsafe, unsafe, safe));
  EXPECT_TRUE(is_safe_action(unsafe, safe, safe)) << "the login redirects to https";
  EXPECT_FALSE(is_safe_action(unsafe, safe, unsafe));
  EXPECT_FALSE(is_safe_action(safe, unsafe, unsafe));
  EXPECT_FALSE(is_safe_action(url("https://b.example/"), safe, safe));
}

TEST(LoginTest, NeedsAUrlAndFields) {
  EXPECT_TRUE(validate(kLogin));
  EXPECT_FALSE(validate(LoginOptions{.url = "https://a.example/"}));
  EXPECT_FALSE(validate(LoginOptions{.url = "mailto:me", .fields = {{"a", "b"}}}));
  EXPECT_FALSE(validate(LoginOptions{.url = "", .fields = {{"a", "b"}}}));
}

constexpr std::string_view kLoginPage = "http://a.example/login";
constexpr std::string_view kLoginForm =
    "<form method=post action=/in><input type=hidden name=csrf value=t>"
    "<input name=user><input type=password name=pass></form>";

// Logs in to a site that accepts every password, unless a test changes that.
class LoginVisit : public testing::Test {
 protected:
  LoginVisit() {
    web.at(kLoginPage, Reply{.body = std::string(kLoginForm), .fields = "Set-Cookie: early=1\r\n"});
    web.at("http://a.example/home", Reply{.body = "Welcome!"});
    web.address("b.example", "10.0.0.9");
    web.decide_by_head = [this](const Heard& request) -> std::optional<Reply> {
      if (!request.head.starts_with("POST ")) return std::nullopt;
      posted.push_back(request);
      return posted.size() == 1 ? after_post : Reply{.body = "Welcome!"};
    };
  }

  // Returns why it failed; empty: it succeeded.
  std::string log_in_there(std::string check = "") {
    return log_in_as(
        {.url = std::string(kLoginPage), .fields = kLogin.fields, .check = std::move(check)});
  }
  std::string log_in_as(const LoginOptions& login) {
    posted.clear();
    visited = web.visit([this, &login](World& world) { return attempt(world, login); });
    return *result ? (*result)->problem : result->error().to_string();
  }
  void expect_failure(Errc code) const {
    ASSERT_FALSE(*result);
    EXPECT_EQ(result->error(), code);
  }
  std::string cookies_now() {
    return cookies.header_for(url("http://a.example/"), {.seconds = 1'700'000'000});
  }

  TestWeb web;
  Reply after_post = {.status = 303,
                      .fields = "Location: /home\r\nSet-Cookie: sid=secret; Path=/\r\n"};
  Hooks hooks;
  std::optional<Result<LoginResult>> result;
  wire::CookieJar cookies;
  Crawled visited;
  std::vector<Heard> posted;

 private:
  // BORROWS: the world.
  async::Task<void> attempt(World& world, LoginOptions login) {
    result.emplace(co_await log_in(world.client, cookies, hooks, login, world.wall_start));
  }
};

TEST_F(LoginVisit, SendsTheFilledFormAsABrowserDoes) {
  EXPECT_EQ(log_in_there(), "");
  ASSERT_EQ(posted.size(), 1u);
  EXPECT_EQ(posted[0].url, "http://a.example/in");
  EXPECT_EQ(posted[0].body, "csrf=t&user=me&pass=hunter2");
  for (const char* const line :
       {"Content-Type: application/x-www-form-urlencoded", "Origin: http://a.example",
        "Referer: http://a.example/login", "Cookie: early=1"}) {
    EXPECT_THAT(posted[0].head, HasSubstr(line + std::string("\r\n")));
  }
  ASSERT_EQ(visited.heard.size(), 3u) << "the page, the form and the page after it";
  EXPECT_EQ(visited.heard[2].url, "http://a.example/home");
  EXPECT_THAT(visited.heard[2].head, testing::StartsWith("GET "));
  EXPECT_THAT(visited.heard[2].head, HasSubstr("Cookie: early=1; sid=secret\r\n"));
  EXPECT_EQ(visited.heard[2].body, "");
  EXPECT_EQ(cookies_now(), "early=1; sid=secret");
  EXPECT_THAT(visited.problems, IsEmpty());
}

TEST_F(LoginVisit, AFormWithoutAnActionIsSentToItsPage) {
  web.at(kLoginPage, redirect_to("/form?x=1"));
  web.at(
      "http://a.example/form?x=1",
      Reply{.body = "<form method=post><input name=user><input type=password name=pass></form>"});
  EXPECT_EQ(log_in_there(), "");
  ASSERT_EQ(posted.size(), 1u);
  EXPECT_EQ(posted[0].url, "http://a.example/form?x=1");
}

TEST_F(LoginVisit, SendsNoCookieFieldWithoutCookies) {
  web.at(kLoginPage, Reply{.body = std::string(kLoginForm)});
  EXPECT_EQ(log_in_there(), "");
  EXPECT_THAT(posted.at(0).head, Not(HasSubstr("Cookie")));
}

TEST_F(LoginVisit, HooksEditTheRequests) {
  hooks.edit_request = [](http::Request& request) { request.fields.push_back({"X-Edited", "1"}); };
  EXPECT_EQ(log_in_there(), "");
  for (const Heard& heard : visited.heard) EXPECT_THAT(heard.head, HasSubstr("X-Edited: 1\r\n"));
}

TEST_F(LoginVisit, AChallengeIsAnsweredOnce) {
  web.at(kLoginPage, {Reply{.status = 401}, Reply{.body = std::string(kLoginForm)}});
  hooks.answer_challenge = [](http::Request& request, const wire::ResponseHead&) {
    request.fields.push_back({"Authorization", "word"});
    return true;
  };
  EXPECT_EQ(log_in_there(), "");
  EXPECT_THAT(visited.heard.at(0).head, Not(HasSubstr("word")));
  EXPECT_THAT(visited.heard.at(1).head, HasSubstr("Authorization: word\r\n"));
  web.at(kLoginPage, Reply{.status = 401});
  EXPECT_EQ(log_in_there(), "http://a.example/login answered with status 401");
  EXPECT_EQ(visited.times_asked(kLoginPage), 2u);
}

TEST_F(LoginVisit, AChallengeThatNothingAnswersFails) {
  web.at(kLoginPage, Reply{.status = 401});
  hooks.answer_challenge = [](http::Request&, const wire::ResponseHead&) { return false; };
  EXPECT_EQ(log_in_there(), "http://a.example/login answered with status 401");
  EXPECT_EQ(visited.times_asked(kLoginPage), 1u);
}

TEST_F(LoginVisit, FailsIfTheLoginPageIsAnError) {
  for (const int status : {400, 404, 500}) {
    web.at(kLoginPage, Reply{.status = status, .body = std::string(kLoginForm)});
    EXPECT_EQ(log_in_there(),
              "http://a.example/login answered with status " + std::to_string(status));
    EXPECT_THAT(posted, IsEmpty());
  }
}

TEST_F(LoginVisit, FailsIfTheLoginPageHasNoSuchForm) {
  web.at(kLoginPage, Reply{.body = "no form"});
  EXPECT_EQ(log_in_there(),
            "http://a.example/login: the page has no form with a password or with the given "
            "fields");
}

TEST_F(LoginVisit, SendsNothingToAnotherHost) {
  const std::string fields = "<input name=user><input type=password name=pass></form>";
  web.at(kLoginPage, Reply{.body = "<form method=post action=http://b.example/in>" + fields});
  EXPECT_EQ(log_in_there(),
            "the form of http://a.example/login would send the password to http://b.example/in");
  web.at(kLoginPage,
         Reply{.body = "<base href=http://b.example><form method=post action=in>" + fields});
  EXPECT_THAT(log_in_there(), HasSubstr("to http://b.example/in"));
  web.at(kLoginPage, redirect_to("http://b.example/login"));
  web.at("http://b.example/login", Reply{.body = "<form method=post>" + fields});
  EXPECT_EQ(log_in_there(),
            "http://a.example/login redirects to http://b.example/login; use that as the login "
            "URL if it may receive the password");
  EXPECT_THAT(posted, IsEmpty());
}

TEST_F(LoginVisit, RejectsAnActionThatIsNoWebAddress) {
  for (const char* const action : {"mailto:me@b.example", "javascript:x()", "http://["}) {
    web.at(kLoginPage, Reply{.body = "<form method=post action=" + std::string(action) +
                                     "><input name=user><input type=password name=pass></form>"});
    EXPECT_EQ(log_in_there(), "the form has no valid action URL") << action;
    EXPECT_THAT(posted, IsEmpty());
  }
}

TEST_F(LoginVisit, ARedirectMayKeepTheFormOnItsHost) {
  for (const int status : {307, 308}) {
    after_post = redirect_to("/moved", status);
    EXPECT_EQ(log_in_there(), "");
    ASSERT_EQ(posted.size(), 2u) << status;
    EXPECT_EQ(posted[1].url, "http://a.example/moved");
    EXPECT_EQ(posted[1].body, posted[0].body);
    EXPECT_THAT(posted[1].head, HasSubstr("Content-Type: application/x-www-form-urlencoded\r\n"));
  }
}

TEST_F(LoginVisit, NoRedirectSendsTheFormToAnotherHost) {
  web.at("http://b.example/home", Reply{.body = "Welcome!"});
  after_post = redirect_to("http://b.example/home", 307);
  EXPECT_THAT(log_in_there(), HasSubstr("would send the password to another host"));
  expect_failure(Errc::unsupported);
  EXPECT_EQ(posted.size(), 1u);
  EXPECT_EQ(visited.times_asked("http://b.example/home"), 0u);
  after_post = redirect_to("http://b.example/home", 303);
  EXPECT_EQ(log_in_there(), "") << "it sends no password";
  EXPECT_EQ(posted.size(), 1u);
  EXPECT_EQ(visited.heard.back().url, "http://b.example/home");
  EXPECT_EQ(visited.heard.back().body, "");
}

TEST_F(LoginVisit, FailsOnARedirectToNowhere) {
  web.at(kLoginPage, redirect_to("ftp://a.example/"));
  log_in_there();
  expect_failure(Errc::unsupported);
  web.at(kLoginPage, Reply{.status = 302});
  log_in_there();
  expect_failure(Errc::malformed);
}

TEST_F(LoginVisit, FollowsTenRedirectsAndNotEleven) {
  std::vector<Reply> replies(10, redirect_to(kLoginPage));
  replies.push_back({.body = std::string(kLoginForm)});
  web.at(kLoginPage, replies);
  EXPECT_EQ(log_in_there(), "");
  web.at(kLoginPage, redirect_to(kLoginPage));
  log_in_there();
  expect_failure(Errc::over_limit);
  EXPECT_EQ(visited.times_asked(kLoginPage), 11u);
}

TEST_F(LoginVisit, FailsIfTheNetworkDoes) {
  log_in_as({.url = "http://nowhere.example/", .fields = kLogin.fields});
  expect_failure(Errc::dns_failed);
  after_post = {.body = "Welcome!", .is_cut = true};
  log_in_there();
  EXPECT_FALSE(*result) << "the answer to the form is not complete";
  after_post = {.body = std::string(100, 'x'), .is_cut = true};
  log_in_there();
  EXPECT_FALSE(*result) << "its body is not complete";
  after_post = {.body = "Welcome!"};
  web.at("http://a.example/me", Reply{.body = "x", .is_cut = true});
  log_in_there("/me");
  EXPECT_FALSE(*result) << "the check has no answer";
}

TEST_F(LoginVisit, FailsWithoutAUrl) {
  log_in_as({.url = "mailto:me", .fields = kLogin.fields});
  expect_failure(Errc::invalid_argument);
}

TEST_F(LoginVisit, ReadsTheBeginningOfAHugePage) {
  web.at(kLoginPage, Reply{.body = std::string(kLoginForm) + std::string(5'000'000, ' ')});
  EXPECT_EQ(log_in_there(), "");
}

TEST_F(LoginVisit, ThePageAfterTheLoginMustNotBeAnErrorOrTheForm) {
  for (const int status : {400, 403, 500}) {
    web.at("http://a.example/home", Reply{.status = status, .body = "Welcome!"});
    EXPECT_EQ(log_in_there(),
              "http://a.example/home answered with status " + std::to_string(status));
  }
  web.at("http://a.example/home", Reply{.body = std::string(kLoginForm)});
  EXPECT_EQ(log_in_there(), "http://a.example/home shows the form again: wrong name or password?");
  web.at("http://a.example/home",
         Reply{.body = "<form method=post><input type=password name=new></form>"});
  EXPECT_EQ(log_in_there(), "") << "another form";
}

TEST_F(LoginVisit, ThePageAfterTheLoginMustContainTheGivenText) {
  EXPECT_EQ(log_in_there("come!"), "");
  EXPECT_EQ(log_in_there("Hello"), "http://a.example/home does not contain the text 'Hello'");
  web.at("http://a.example/home", Reply{.status = 404, .body = std::string(kLoginForm) + "Hello"});
  EXPECT_EQ(log_in_there("Hello"), "") << "nothing else counts";
}

TEST_F(LoginVisit, TheGivenTextMayBeInAnyEncoding) {
  web.at("http://a.example/home",
         Reply{.type = "text/html; charset=iso-8859-1", .body = "Gr\xFC\xDF dich"});
  EXPECT_EQ(log_in_there("Gr\xC3\xBC\xC3\x9F dich"), "");
  web.at("http://a.example/home",
         Reply{.body = "<meta charset=iso-8859-1>" + std::string(3000, ' ') + "Gr\xFC\xDF dich"});
  EXPECT_EQ(log_in_there("Gr\xC3\xBC\xC3\x9F dich"), "");
}

TEST_F(LoginVisit, ThePageToCheckMustSucceedWithoutARedirect) {
  for (const char* const check : {"/me", "http://a.example/me"}) {
    web.at("http://a.example/me", Reply{.status = 204});
    EXPECT_EQ(log_in_there(check), "");
    EXPECT_THAT(visited.heard.back().head, HasSubstr("sid=secret"));
    for (const int status : {300, 304, 400, 403}) {
      web.at("http://a.example/me", Reply{.status = status});
      EXPECT_EQ(log_in_there(check),
                "http://a.example/me answered with status " + std::to_string(status));
    }
    web.at("http://a.example/me", redirect_to("/login"));
    EXPECT_EQ(log_in_there(check), "http://a.example/me redirects to http://a.example/login");
  }
  log_in_there("http://[");
  EXPECT_FALSE(*result);
}

}  // namespace
}  // namespace gossamer::crawler
