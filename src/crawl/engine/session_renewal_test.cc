// Tests crawls whose logins expire: as in a browser, pages redirect to the login then.

#include "engine/session_renewal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/log.h"

namespace gossamer::crawler {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kMembersLogin = "http://a.example/login";

// A site for members, with four pages. It ends sessions as a test wants it.
class MembersSite {
 public:
  std::optional<Reply> answer(const Heard& request) {
    if (!request.url.starts_with(kRoot)) return std::nullopt;
    if (request.url.ends_with("/robots.txt")) return std::nullopt;
    if (request.url == "http://a.example/in") return Reply{.body = "welcome"};
    if (request.url.starts_with(kMembersLogin)) return log_in(request);
    if (!request.head.contains(fmt::format("sid={}\r\n", session_))) {
      return redirect_to(login_place);
    }
    if (ends_sessions || request.url == last_page) {
      ++session_;
      last_page.clear();
    }
    return page ? page(request) : links_to({"/1", "/2", "/3"});
  }

  std::size_t logins() const { return logins_; }  // that were tried

  // --- what tests change
  std::string password = "hunter2";
  std::string login_place = "/login?from=there";
  std::string last_page;       // of a session; then it ends
  bool ends_sessions = false;  // after every page
  Reply form = {.body =
                    "<form method=post action=/login><input name=user>"
                    "<input type=password name=password></form>"};
  std::move_only_function<Reply(const Heard& request)> page;  // for those who are logged in

 private:
  Reply log_in(const Heard& request) {
    if (!request.head.starts_with("POST ")) return form;
    ++logins_;
    if (request.body != "user=me&password=" + password) return {.status = 403};
    Reply reply = redirect_to("/in", 303);
    reply.fields += fmt::format("Set-Cookie: sid={}; Path=/\r\n", ++session_);
    return reply;
  }

  int session_ = 1;  // the others have ended
  std::size_t logins_ = 0;
};

class SessionRenewalTest : public testing::Test, private base::LogSink {
 protected:
  SessionRenewalTest() {
    base::set_log_sink(this);
    web.address("a.example", "10.0.0.1");
    web.decide_by_head = [this](const Heard& request) { return site.answer(request); };
  }

  ~SessionRenewalTest() override { base::set_log_sink(nullptr); }

  static Options with_login() {
    Options options = from_root();
    options.logins = {
        {.url = std::string(kMembersLogin), .fields = {{"user", "me"}, {"password", "hunter2"}}}};
    return options;
  }
  // Expects the four pages as members see them.
  static void expect_whole(const Crawled& crawled) {
    EXPECT_THAT(crawled.urls(), ElementsAre(kRoot, "http://a.example/1", "http://a.example/2",
                                            "http://a.example/3"));
    EXPECT_THAT(crawled.records, Each(Field(&FetchRecord::status, 200)));
    EXPECT_THAT(crawled.records, Each(Field(&FetchRecord::tries, 1u)));
    EXPECT_THAT(crawled.problems, IsEmpty());
  }
  // Expects that the root redirects and that the crawl does not log in.
  static void expect_redirect(const Crawled& crawled) {
    ASSERT_NE(crawled.find(kRoot), nullptr);
    EXPECT_EQ(crawled.find(kRoot)->status, 302);
    EXPECT_THAT(crawled.problems, IsEmpty());
  }

  TestWeb web;
  MembersSite site;
  std::string logged;

 private:
  void write(base::LogLevel, std::string_view line) noexcept override { logged += line; }
};

TEST_F(SessionRenewalTest, LogsInWhenAPageRedirectsToTheLoginAndFetchesThePage) {
  const Crawled crawled = web.crawl(with_login());
  expect_whole(crawled);
  EXPECT_EQ(site.logins(), 1u);
  EXPECT_EQ(crawled.times_asked(kRoot), 2u);
  EXPECT_EQ(crawled.times_asked("http://a.example/1"), 1u) << "the session continues";
  EXPECT_EQ(logged, "info: the session ended; logged in again\n");
}

TEST_F(SessionRenewalTest, RenewsASessionThatEnds) {
  site.last_page = "http://a.example/1";
  Options options = with_login();
  options.concurrency = 1;
  const Crawled crawled = web.crawl(std::move(options));
  expect_whole(crawled);
  EXPECT_EQ(site.logins(), 2u);
  EXPECT_EQ(crawled.times_asked("http://a.example/2"), 2u);
}

TEST_F(SessionRenewalTest, RequestsThatLoseTheSameSessionRenewItOnce) {
  site.last_page = kRoot;
  const Crawled crawled = web.crawl(with_login());
  expect_whole(crawled);
  for (const char* url : {"http://a.example/1", "http://a.example/2", "http://a.example/3"}) {
    EXPECT_EQ(crawled.times_asked(url), 2u) << url;
  }
  EXPECT_EQ(site.logins(), 2u);
}

TEST_F(SessionRenewalTest, RequestsBeforeTheFirstLoginLogInOnce) {
  Options options = with_login();
  options.roots.push_back("http://a.example/1");
  const Crawled crawled = web.crawl(std::move(options));
  expect_whole(crawled);
  EXPECT_EQ(crawled.times_asked("http://a.example/1"), 2u) << "it had no session either";
  EXPECT_EQ(site.logins(), 1u);
}

TEST_F(SessionRenewalTest, RenewsThreeSessionsAndThenRecordsTheRedirects) {
  site.ends_sessions = true;
  site.page = [](const Heard&) { return links_to({"/1", "/2", "/3", "/4", "/5"}); };
  Options options = with_login();
  options.concurrency = 1;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(site.logins(), 3u) << "a site that ends sessions so often does not want us";
  for (const char* url : {"http://a.example/", "http://a.example/1", "http://a.example/2"}) {
    ASSERT_NE(crawled.find(url), nullptr) << url;
    EXPECT_EQ(crawled.find(url)->status, 200) << url;
    EXPECT_EQ(crawled.times_asked(url), 2u) << url;
  }
  for (const char* url : {"http://a.example/3", "http://a.example/4", "http://a.example/5"}) {
    ASSERT_NE(crawled.find(url), nullptr) << url;
    EXPECT_EQ(crawled.find(url)->status, 302) << url;
    EXPECT_EQ(crawled.times_asked(url), 1u) << url;
  }
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST_F(SessionRenewalTest, DoesNotTryARejectedLoginAgain) {
  site.password = "another";
  Options options = with_login();
  options.roots.push_back("http://a.example/1");
  const Crawled crawled = web.crawl(std::move(options));
  expect_redirect(crawled);
  EXPECT_EQ(crawled.find("http://a.example/1")->status, 302);
  EXPECT_EQ(site.logins(), 1u);
  EXPECT_THAT(logged, HasSubstr("the new login failed: http://a.example/login answered with"));
  EXPECT_THAT(logged, Not(HasSubstr("hunter2")));
}

TEST_F(SessionRenewalTest, RecordsThePageIfTheLoginHasNoResponse) {
  site.form = {.body = "never complete", .is_cut = true};
  const Crawled crawled = web.crawl(with_login());
  expect_redirect(crawled);
  EXPECT_EQ(site.logins(), 0u);
  EXPECT_THAT(logged, HasSubstr("the new login failed: peer_closed"));
}

TEST_F(SessionRenewalTest, DoesNotWaitForALoginWhenItIsStopped) {
  site.form.delay = 1h;
  Options options = with_login();
  options.time_max = 2s;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::time_limit);
  EXPECT_LT(crawled.took, 3s);
  ASSERT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.records[0].error, "cancelled");
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST_F(SessionRenewalTest, KnowsTheLoginByItsHostAndPath) {
  for (const char* const place : {"/other", "http://b.example/login", "/login/more", "//["}) {
    SCOPED_TRACE(place);
    site.login_place = place;
    expect_redirect(web.crawl(with_login()));
    EXPECT_EQ(site.logins(), 0u);
  }
}

TEST_F(SessionRenewalTest, LogsInWhereTheSessionEnded) {
  Options options = with_login();
  options.logins.insert(options.logins.begin(),
                        {.url = "http://b.example/login", .fields = {{"user", "me"}}});
  options.logins.push_back({.url = "http://a.example/in", .fields = {{"user", "me"}}});
  const Crawled crawled = web.crawl(std::move(options));
  expect_whole(crawled);
  EXPECT_EQ(site.logins(), 1u);
  EXPECT_EQ(crawled.connections.size(), 1u) << "of a.example";
}

TEST_F(SessionRenewalTest, ALoginThatRedirectsToItselfIsNotALostSession) {
  site.form = redirect_to("/login?again");
  Options options = with_login();
  options.roots = {std::string(kMembersLogin)};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked(kMembersLogin), 1u);
  EXPECT_EQ(site.logins(), 0u);
}

TEST_F(SessionRenewalTest, OtherRedirectsAreNotRequestedAgain) {
  site.page = [](const Heard& request) {
    return request.url == kRoot ? redirect_to("/1") : Reply{.body = "leaf"};
  };
  const Crawled crawled = web.crawl(with_login());
  EXPECT_EQ(crawled.times_asked(kRoot), 2u) << "only for the login";
  EXPECT_EQ(crawled.times_asked("http://a.example/1"), 1u);
}

// Answers a challenge this often with another word.
auto answer_with_words(int words) {
  return [words, count = 0](http::Request& request, const wire::ResponseHead&) mutable {
    if (count == words) return false;
    request.fields.push_back({"Authorization", fmt::format("word{}", ++count)});
    return true;
  };
}

// The page requires this word.
Reply reply_for_word(const Heard& request, std::string_view word) {
  return {.status = request.head.contains(word) ? 200 : 401};
}

TEST_F(SessionRenewalTest, AnswersASecondChallengeBecauseANonceMayHaveExpired) {
  web.decide_by_head = [](const Heard& request) { return reply_for_word(request, "word2"); };
  Options options = from_root();
  options.obeys_robots = false;
  options.hooks.answer_challenge = answer_with_words(9);
  const Crawled crawled = web.crawl(std::move(options));
  ASSERT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.records[0].status, 200);
  EXPECT_EQ(crawled.times_asked(kRoot), 3u);
}

TEST_F(SessionRenewalTest, DoesNotAnswerAThirdChallenge) {
  web.decide_by_head = [](const Heard& request) { return reply_for_word(request, "word3"); };
  Options options = from_root();
  options.obeys_robots = false;
  options.hooks.answer_challenge = answer_with_words(9);
  const Crawled crawled = web.crawl(std::move(options));
  ASSERT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.records[0].status, 401);
  EXPECT_EQ(crawled.times_asked(kRoot), 3u);
}

TEST_F(SessionRenewalTest, APageMayRequireASessionAndAPassword) {
  site.page = [](const Heard& request) { return reply_for_word(request, "word1"); };
  Options options = with_login();
  options.hooks.answer_challenge = answer_with_words(1);
  const Crawled crawled = web.crawl(std::move(options));
  ASSERT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.records[0].status, 200);
  EXPECT_EQ(site.logins(), 1u);
}

TEST_F(SessionRenewalTest, RecordsAChallengeInANewSessionThatNothingAnswers) {
  site.page = [](const Heard&) { return Reply{.status = 401}; };
  const Crawled crawled = web.crawl(with_login());
  ASSERT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.records[0].status, 401);
  EXPECT_EQ(crawled.times_asked(kRoot), 2u);
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST_F(SessionRenewalTest, RetriesAPageWhoseServerFailsAfterTheLogin) {
  int asked = 0;
  site.page = [&asked](const Heard&) { return Reply{.body = "page", .is_cut = ++asked == 1}; };
  const Crawled crawled = web.crawl(with_login());
  ASSERT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.records[0].status, 200);
  EXPECT_EQ(crawled.records[0].tries, 2u);
  EXPECT_EQ(site.logins(), 1u);
}

// BORROWS: the request.
async::Task<Result<void>> prepare_for_members(http::Request& request) {
  request.fields.push_back({"X-Prepared", "yes"});
  co_return {};
}

TEST_F(SessionRenewalTest, HooksChangeRequestsOfANewSessionToo) {
  Options options = with_login();
  options.hooks.edit_request = [](http::Request& request) {
    request.fields.push_back({"X-Edited", "yes"});
  };
  options.hooks.prepare_request = prepare_for_members;
  const Crawled crawled = web.crawl(std::move(options));
  expect_whole(crawled);
  for (const Heard& heard : crawled.heard) {
    if (heard.url.ends_with("robots.txt")) continue;
    EXPECT_THAT(heard.head, HasSubstr("X-Edited: yes\r\n")) << heard.url;
    const bool is_of_login = heard.url == kMembersLogin || heard.url == "http://a.example/in";
    if (!is_of_login) EXPECT_THAT(heard.head, HasSubstr("X-Prepared: yes\r\n")) << heard.url;
  }
}

}  // namespace
}  // namespace gossamer::crawler
