#include "check/answer.h"

#include <gtest/gtest.h>

#include "check/fragment.h"
#include "check/scheme.h"
#include "url/url.h"

namespace gossamer::check {
namespace {

crawler::FetchRecord with_status(int status, std::string next = {}) {
  crawler::FetchRecord record;
  record.status = status;
  record.next_url = std::move(next);
  return record;
}

TEST(Answer, IsGoodBrokenOrARedirect) {
  EXPECT_EQ(answer_of(with_status(204), {}).kind, Answer::Kind::good);
  EXPECT_EQ(answer_of(with_status(404), {}).kind, Answer::Kind::broken);
  EXPECT_EQ(answer_of(with_status(404), {}).cause, "404");
  EXPECT_EQ(answer_of(with_status(404), {}).detail, "Not Found");
  const Answer moved = answer_of(with_status(308, "https://a.example/"), {});
  EXPECT_EQ(moved.kind, Answer::Kind::redirect);
  EXPECT_TRUE(moved.is_permanent());
  EXPECT_FALSE(answer_of(with_status(302, "https://a.example/"), {}).is_permanent());
}

TEST(Answer, IsBlockedNotBrokenIfTheServerRejectsPrograms) {
  for (const int status : {403, 429}) {
    const Answer answer = answer_of(with_status(status), {});
    EXPECT_EQ(answer.kind, Answer::Kind::blocked) << status;
    EXPECT_EQ(answer.cause, std::to_string(status));
  }
  EXPECT_EQ(answer_of(with_status(403), *AcceptedStatuses::parse("200,403")).kind,
            Answer::Kind::good);
  EXPECT_EQ(answer_of(with_status(401), {}).kind, Answer::Kind::broken);
}

TEST(Answer, NamesItsCauseAsPeopleDo) {
  crawler::FetchRecord record;
  record.error = "timed_out";
  EXPECT_EQ(answer_of(record, {}).cause, "timeout");
  record.error = "dns_failed";
  EXPECT_EQ(answer_of(record, {}).cause, "dns");
  record.error = "refused";
  EXPECT_EQ(answer_of(record, {}).cause, "refused");
}

TEST(Answer, IsUncheckedIfTheLinkWasNotFetched) {
  crawler::FetchRecord record;
  record.error = "denied";
  EXPECT_EQ(answer_of(record, {}).kind, Answer::Kind::unchecked);
  const Answer skipped = answer_of({.url = "https://a.example/",
                                    .reason = crawler::SkipReason::robots,
                                    .via = "",
                                    .depth = 0,
                                    .detail = "robots.txt line 2: /"});
  EXPECT_EQ(skipped.kind, Answer::Kind::unchecked);
  EXPECT_EQ(skipped.cause, "robots");
  EXPECT_EQ(skipped.detail, "robots.txt line 2: /");
}

TEST(Answer, DoesNotDependOnABodyThatIsTooLargeOrUnwanted) {
  crawler::FetchRecord record = with_status(200);
  record.error = crawler::kUnwantedType;
  EXPECT_EQ(answer_of(record, {}).kind, Answer::Kind::good);
  record.error = "over_limit";
  EXPECT_EQ(answer_of(record, {}).kind, Answer::Kind::good);
}

TEST(AcceptedStatuses, AreReadAsLycheeReadsThem) {
  const auto accepted = AcceptedStatuses::parse("200..=204,403,500-599");
  ASSERT_TRUE(accepted);
  for (const int status : {200, 204, 403, 500, 599}) EXPECT_TRUE(accepted->contains(status));
  for (const int status : {199, 205, 404, 600}) EXPECT_FALSE(accepted->contains(status));
  EXPECT_EQ(answer_of(with_status(403), *accepted).kind, Answer::Kind::good);
  for (const std::string_view wrong : {"", "200,", "abc", "20", "204..=200", "200..204"}) {
    EXPECT_FALSE(AcceptedStatuses::parse(wrong)) << wrong;
  }
}

TEST(NamedPlace, IsTheFragment) {
  const auto place = [](std::string_view url) { return named_place(*url::Url::parse(url)); };
  EXPECT_EQ(place("http://a.example/#one"), "one");
  EXPECT_EQ(place("http://a.example/#%C3%A4"), "%C3%A4");
  for (const std::string_view none : {"", "#", "#top", "#TOP", "#/route", "#!old", "#:~:text=x"}) {
    EXPECT_EQ(place("http://a.example/" + std::string(none)), "") << none;
  }
  EXPECT_EQ(place("http://a.example/#id:~:text=x"), "id");
}

TEST(Scheme, IsHarmlessForeignOrMisspelt) {
  EXPECT_EQ(judge_scheme("mailto").fate, SchemeFate::harmless);
  EXPECT_EQ(judge_scheme("javascript").fate, SchemeFate::harmless);
  EXPECT_EQ(judge_scheme("ftp").fate, SchemeFate::foreign);
  EXPECT_EQ(judge_scheme("magnet").fate, SchemeFate::foreign);
  EXPECT_EQ(judge_scheme("htp").fate, SchemeFate::misspelt);
  EXPECT_EQ(judge_scheme("htp").meant, "http");
  EXPECT_EQ(judge_scheme("htttps").meant, "https");
  EXPECT_EQ(judge_scheme("x-my-application").fate, SchemeFate::foreign);
}

}  // namespace
}  // namespace gossamer::check
