#include "record/outcome.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace gossamer::crawler {
namespace {

FetchRecord outcome_record(std::optional<int> status, std::string_view error = {}) {
  FetchRecord record;
  record.url = "https://a.example/";
  record.status = status;
  record.error = error;
  record.is_truncated = status && !error.empty();
  return record;
}

Outcome of(std::optional<int> status, std::string_view error = {}) {
  return outcome_of(outcome_record(status, error));
}

TEST(OutcomeTest, IsAPageIfAWholeResponseCame) {
  EXPECT_EQ(of(200), Outcome::page);
  EXPECT_EQ(of(206), Outcome::page);
  EXPECT_EQ(of(304), Outcome::page) << "the stored page is unchanged";
}

TEST(OutcomeTest, IsARedirectIfItLeadsToAnotherUrl) {
  EXPECT_EQ(of(301), Outcome::redirect);
  EXPECT_EQ(of(301, kRedirectLoop), Outcome::error);
}

TEST(OutcomeTest, IsAnErrorForWhatTheOwnerShouldFix) {
  EXPECT_EQ(of(404), Outcome::error);
  EXPECT_EQ(of(503, "timed_out"), Outcome::error);
  EXPECT_EQ(of(std::nullopt, "dns_failed"), Outcome::error);
  EXPECT_EQ(of(200, "peer_closed"), Outcome::error) << "the body broke off";
  EXPECT_EQ(of(302, kBadRedirect), Outcome::error);
  EXPECT_EQ(of(404, "over_limit"), Outcome::error);
}

TEST(OutcomeTest, IsTruncatedIfOneOfOurLimitsCutTheBody) {
  EXPECT_EQ(of(200, "over_limit"), Outcome::truncated);
}

TEST(OutcomeTest, IsUnwantedWithoutBeingAFault) {
  EXPECT_EQ(of(200, kUnwantedType), Outcome::unwanted);
  EXPECT_EQ(of(std::nullopt, "cancelled"), Outcome::unwanted);
  FetchRecord guess = outcome_record(404);
  guess.is_guess = true;
  EXPECT_EQ(outcome_of(guess), Outcome::unwanted);
}

TEST(OutcomeTest, HasACauseIfItIsAnError) {
  EXPECT_EQ(cause_of(outcome_record(404)), "404");
  EXPECT_EQ(cause_of(outcome_record(200, "reset")), "reset");
}

}  // namespace
}  // namespace gossamer::crawler
