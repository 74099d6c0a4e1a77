#include "record/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "record/record.h"
#include "record/rendering.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

FetchRecord counted_page() {
  FetchRecord record;
  record.url = "http://a.example/1";
  record.status = 200;
  record.mime = "text/html";
  record.bytes = 1000;
  record.wire_bytes = 300;
  record.tries = 3;
  record.links_found = 7;
  record.links_new = 5;
  return record;
}

FetchRecord counted_copy() {
  FetchRecord record = counted_page();
  record.duplicate_of = "http://a.example/1";
  return record;
}

FetchRecord counted_redirect() {
  FetchRecord record;
  record.status = 301;
  record.next_url = "http://a.example/1";
  return record;
}

// Its response broke off.
FetchRecord counted_failure() {
  FetchRecord record;
  record.status = 200;
  record.error = "peer_closed";
  return record;
}

FetchRecord counted_silence() {
  FetchRecord record;
  record.error = "timed_out";
  return record;
}

FetchRecord counted_wrong_guess() {
  FetchRecord record;
  record.status = 404;
  record.is_guess = true;
  return record;
}

FetchRecord silent_wrong_guess() {
  FetchRecord record = counted_silence();
  record.is_guess = true;
  return record;
}

Statistics statistics_of_all() {
  Statistics counts;
  for (const FetchRecord& record :
       {counted_page(), counted_copy(), counted_redirect(), counted_failure(), counted_silence()}) {
    counts.add(record);
  }
  return counts;
}

TEST(StatisticsTest, CountRecords) {
  const Statistics counts = statistics_of_all();
  EXPECT_EQ(counts.pages, 5u);
  EXPECT_EQ(counts.answered, 4u);
  EXPECT_EQ(counts.count(Outcome::redirect), 1u);
  EXPECT_EQ(counts.count(Outcome::error), 2u);
  EXPECT_EQ(counts.retries, 4u);
  EXPECT_EQ(counts.duplicates, 1u);
  EXPECT_EQ(counts.bytes, 2000u);
  EXPECT_EQ(counts.wire_bytes, 600u);
  EXPECT_EQ(counts.links_found, 14u);
  EXPECT_EQ(counts.links_new, 10u);
  EXPECT_THAT(counts.by_status, ElementsAre(Pair(200, 3u), Pair(301, 1u)));
  EXPECT_THAT(counts.by_type, ElementsAre(Pair("text/html", 2u)));
  EXPECT_THAT(counts.by_error, ElementsAre(Pair("peer_closed", 1u), Pair("timed_out", 1u)));
}

TEST(StatisticsTest, WrongGuessesAreNeitherStatusNorErrorOfTheSite) {
  Statistics counts;
  counts.add(counted_wrong_guess());
  counts.add(silent_wrong_guess());
  EXPECT_EQ(counts.pages, 2u);
  EXPECT_EQ(counts.answered, 1u);
  EXPECT_EQ(counts.count(Outcome::error), 0u);
  EXPECT_EQ(counts.count(Outcome::unwanted), 2u);
  EXPECT_THAT(counts.by_status, IsEmpty());
  EXPECT_THAT(counts.by_error, IsEmpty());
}

TEST(StatisticsTest, RemovingARecordRestoresAllButItsTransfers) {
  Statistics counts = statistics_of_all();
  Statistics twice = statistics_of_all();
  twice.add(counts);
  for (const FetchRecord& record :
       {counted_page(), counted_copy(), counted_redirect(), counted_failure(), counted_silence()}) {
    twice.remove(record);
  }
  EXPECT_EQ(twice.pages, counts.pages);
  EXPECT_EQ(twice.answered, counts.answered);
  EXPECT_EQ(twice.count(Outcome::redirect), counts.count(Outcome::redirect));
  EXPECT_EQ(twice.count(Outcome::error), counts.count(Outcome::error));
  EXPECT_EQ(twice.duplicates, counts.duplicates);
  EXPECT_EQ(twice.bytes, counts.bytes);
  EXPECT_EQ(twice.links_found, counts.links_found);
  EXPECT_EQ(twice.links_new, counts.links_new);
  EXPECT_EQ(twice.by_status, counts.by_status);
  EXPECT_EQ(twice.by_type, counts.by_type);
  EXPECT_EQ(twice.by_error, counts.by_error);
  EXPECT_EQ(twice.retries, 2 * counts.retries) << "they were made";
  EXPECT_EQ(twice.wire_bytes, 2 * counts.wire_bytes) << "they were received";
}

TEST(StatisticsTest, RemovedStatusesTypesAndErrorsAreNotListed) {
  Statistics counts;
  counts.add(counted_page());
  counts.add(counted_silence());
  counts.remove(counted_page());
  counts.remove(counted_silence());
  EXPECT_EQ(counts.pages, 0u);
  EXPECT_THAT(counts.by_status, IsEmpty());
  EXPECT_THAT(counts.by_type, IsEmpty());
  EXPECT_THAT(counts.by_error, IsEmpty());
}

TEST(StatisticsTest, RemovingAWrongGuessKeepsWhatOthersCounted) {
  Statistics counts;
  FetchRecord missing = counted_wrong_guess();
  missing.is_guess = false;
  counts.add(missing);
  counts.add(counted_silence());
  counts.add(counted_wrong_guess());
  counts.add(silent_wrong_guess());
  counts.remove(counted_wrong_guess());
  counts.remove(silent_wrong_guess());
  EXPECT_EQ(counts.pages, 2u);
  EXPECT_EQ(counts.answered, 1u);
  EXPECT_EQ(counts.count(Outcome::error), 2u);
  EXPECT_THAT(counts.by_status, ElementsAre(Pair(404, 1u)));
  EXPECT_THAT(counts.by_error, ElementsAre(Pair("404", 1u), Pair("timed_out", 1u)));
}

FetchRecord counted_rendering(std::string_view error, bool has_gained) {
  FetchRecord record = counted_page();
  record.rendering = Rendering{.why = kRenderedEmpty, .error = error, .has_gained = has_gained};
  return record;
}

TEST(StatisticsTest, CountWhatBrowsersHaveShown) {
  Statistics counts;
  counts.add(counted_rendering("", true));
  counts.add(counted_rendering("", false));
  counts.add(counted_rendering("timed_out", false));
  Statistics both = counts;
  both.add(counts);
  EXPECT_EQ(both.rendered, 4U);
  EXPECT_EQ(both.rendered_gained, 2U);
  EXPECT_EQ(both.rendered_by_pattern["a.example/*"].pages, 4U);
  EXPECT_EQ(both.rendered_by_pattern["a.example/*"].gained, 2U);
  EXPECT_THAT(both.by_rendering_error, ElementsAre(Pair("timed_out", 2U)));
  for (int i = 0; i < 2; ++i) {
    both.remove(counted_rendering("", true));
    both.remove(counted_rendering("", false));
    both.remove(counted_rendering("timed_out", false));
  }
  EXPECT_EQ(both.rendered + both.rendered_gained, 0U);
  EXPECT_THAT(both.rendered_by_pattern, IsEmpty());
  EXPECT_THAT(both.by_rendering_error, IsEmpty());
}

TEST(StatisticsTest, NoCountFallsBelowZero) {
  Statistics counts;
  counts.remove(counted_copy());
  counts.remove(counted_redirect());
  counts.remove(counted_failure());
  EXPECT_EQ(counts.pages + counts.answered + counts.outcomes[0] + counts.count(Outcome::error), 0u);
  EXPECT_EQ(counts.duplicates + counts.bytes + counts.links_found + counts.links_new, 0u);
  EXPECT_THAT(counts.by_status, IsEmpty());
  EXPECT_THAT(counts.by_type, IsEmpty());
  EXPECT_THAT(counts.by_error, IsEmpty());
}

TEST(StatisticsTest, AddTheCountsOfAnotherLoop) {
  Statistics one = statistics_of_all();
  one.add(SkipReason::robots, 2);
  Statistics other = statistics_of_all();
  other.add(SkipReason::robots);
  other.add(SkipReason::excluded);
  other.unreached = {.hosts = 1, .urls_queued = 2, .urls_dropped = 3};
  one.add(other);
  EXPECT_EQ(one.pages, 10u);
  EXPECT_EQ(one.answered, 8u);
  EXPECT_EQ(one.count(Outcome::redirect), 2u);
  EXPECT_EQ(one.count(Outcome::error), 4u);
  EXPECT_EQ(one.retries, 8u);
  EXPECT_EQ(one.duplicates, 2u);
  EXPECT_EQ(one.bytes, 4000u);
  EXPECT_EQ(one.wire_bytes, 1200u);
  EXPECT_EQ(one.links_found, 28u);
  EXPECT_EQ(one.links_new, 20u);
  EXPECT_THAT(one.by_status, ElementsAre(Pair(200, 6u), Pair(301, 2u)));
  EXPECT_THAT(one.by_type, ElementsAre(Pair("text/html", 4u)));
  EXPECT_THAT(one.by_error, ElementsAre(Pair("peer_closed", 2u), Pair("timed_out", 2u)));
  EXPECT_EQ(one.skipped[static_cast<std::size_t>(SkipReason::robots)], 3u);
  EXPECT_EQ(one.skipped[static_cast<std::size_t>(SkipReason::excluded)], 1u);
  EXPECT_EQ(one.unreached.hosts, 1u);
  EXPECT_EQ(one.unreached.urls_queued, 2u);
  EXPECT_EQ(one.unreached.urls_dropped, 3u);
}

TEST(StatisticsTest, CountTypesBeyondTheLimitTogether) {
  Statistics counts;
  FetchRecord record;
  for (std::size_t i = 0; i < Statistics::kNamesMax + 3; ++i) {
    record.mime = "x/" + std::to_string(i);
    counts.add(record);
  }
  EXPECT_EQ(counts.by_type.size(), Statistics::kNamesMax + 1) << "and one for the others";
  EXPECT_EQ(counts.by_type["other"], 3u);
  counts.remove(record);
  EXPECT_EQ(counts.by_type["other"], 2u) << "it was one of these";
  record.mime = "x/0";
  counts.remove(record);
  EXPECT_FALSE(counts.by_type.contains("x/0"));
}

}  // namespace
}  // namespace gossamer::crawler
