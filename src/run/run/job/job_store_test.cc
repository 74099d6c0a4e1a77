// Tests a crawl directory when it is opened, again and with other settings.
#include "run/job/job_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/temporary_folder.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/packing.h"
#include "run/machine/machine.h"
#include "settings/crawl_settings.h"
#include "store/tables.h"

namespace gossamer::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class JobStoreTest : public testing::Test {
 protected:
  JobSettings settings(std::string_view lines = {}) const {
    JobSettings made;
    made.folder = folder_.path() + "/job";
    made.configuration = configuration_of({"http://a.example/"}, lines);
    return made;
  }
  static std::unique_ptr<JobStore> open(const JobSettings& settings) {
    auto opened = JobStore::open(settings);
    EXPECT_TRUE(opened) << opened.error().to_string();
    return opened ? std::move(*opened) : nullptr;
  }
  static std::string fault_of(const JobSettings& settings) {
    const auto opened = JobStore::open(settings);
    return opened ? "" : std::string(opened.error().detail());
  }
  // Writes a row as the last run left it.
  void put(std::string_view key, std::string value) const {
    const auto job = open(settings());
    store::Batch batch;
    batch.put(store::Table::meta, std::string(key), std::move(value));
    EXPECT_TRUE(job->tables().write(batch));
    EXPECT_TRUE(job->close());
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(JobStoreTest, ADirectoryIsNewOnce) {
  {
    const auto job = open(settings());
    EXPECT_FALSE(job->is_continued());
    EXPECT_FALSE(job->had_ended());
    EXPECT_FALSE(job->refresh());
    EXPECT_TRUE(job->has_room());
    EXPECT_THAT(job->damage(), IsEmpty());
    EXPECT_EQ(job->log(), folder_.path() + "/job/crawl.log");
    EXPECT_FALSE(JobStore::open(settings())) << "this process works there";
  }
  EXPECT_TRUE(open(settings())->is_continued());
}

TEST_F(JobStoreTest, OtherSettingsMustBeWanted) {
  open(settings("depth = 3\n"));
  const std::string fault = fault_of(settings("depth = 4\n"));
  EXPECT_THAT(fault, HasSubstr("was started with other settings: depth was 3 and is now 4"));
  EXPECT_THAT(fault, HasSubstr("`change-settings`"));
  JobSettings advised = settings("depth = 4\n");
  advised.advice = "Call the museum";
  EXPECT_THAT(fault_of(advised), testing::EndsWith("Call the museum"));
  JobSettings wanted = settings("depth = 4\n");
  wanted.changes_settings = true;
  EXPECT_TRUE(open(wanted)->is_continued());
  EXPECT_EQ(fault_of(settings("depth = 4\n")), "") << "they are stored";
}

TEST_F(JobStoreTest, TheOrderStays) {
  open(settings("order = \"breadth\"\n"));
  JobSettings wanted = settings("order = \"depth\"\n");
  wanted.changes_settings = true;
  EXPECT_EQ(fault_of(wanted), "the order of a crawl directory cannot be changed");
}

TEST_F(JobStoreTest, AProvisionalConfigurationIsWrittenLater) {
  JobSettings provisional = settings("depth = 3\n");
  provisional.is_provisional = true;
  open(provisional);
  {
    JobSettings other = settings("depth = 4\n");
    other.is_provisional = true;
    const auto job = open(other);
    ASSERT_TRUE(job) << "nothing was stored";
    EXPECT_FALSE(job->is_continued());
    EXPECT_TRUE(job->keep_configuration());
    EXPECT_TRUE(job->keep_configuration()) << "once";
  }
  EXPECT_THAT(fault_of(settings("depth = 3\n")), HasSubstr("depth was 4"));
}

TEST_F(JobStoreTest, TheStateOfTheLastRunIsKnown) {
  for (const std::string state : {"finished", "incomplete"}) {
    put(kStateKey, state);
    EXPECT_TRUE(open(settings())->had_ended()) << state;
  }
  for (const std::string state : {"stopped", "interrupted", ""}) {
    put(kStateKey, state);
    EXPECT_FALSE(open(settings())->had_ended()) << state;
  }
}

TEST_F(JobStoreTest, ARefreshBeginsInADirectoryThatWasUsed) {
  JobSettings refreshing = settings();
  refreshing.refreshes = true;
  refreshing.older_than = 7s;
  EXPECT_FALSE(open(refreshing)->refresh()) << "there is nothing to refetch";
  const auto job = open(refreshing);
  ASSERT_TRUE(job->refresh());
  EXPECT_EQ(job->refresh()->older_than, 7s);
  EXPECT_EQ(job->refresh()->from, "");
  EXPECT_FALSE(job->refresh()->is_queued);
  EXPECT_GT(job->refresh()->start.seconds, 1'700'000'000);
}

TEST_F(JobStoreTest, AnUnfinishedRefreshIsContinued) {
  for (const std::string from : {"", "http://a.example/7"}) {
    store::Packer row;
    row.number(1234);
    row.number(5);
    row.number(static_cast<std::uint64_t>(Duration(9s).count()));
    row.text(from);
    put(kRefreshKey, std::move(row).take());
    const auto job = open(settings());
    ASSERT_TRUE(job->refresh()) << "although this run does not want one";
    EXPECT_EQ(job->refresh()->start, (WallTime{.seconds = 1234, .nanoseconds = 5}));
    EXPECT_EQ(job->refresh()->older_than, 9s);
    EXPECT_EQ(job->refresh()->from, from);
    EXPECT_EQ(job->refresh()->is_queued, from.empty());
  }
  put(kRefreshKey, "\x01");
  EXPECT_THAT(fault_of(settings()), HasSubstr("invalid start of a refresh"));
}

TEST_F(JobStoreTest, OrdersOutliveTheProcess) {
  {
    const auto job = open(settings());
    EXPECT_TRUE(job->store_order("one"));
    EXPECT_TRUE(job->store_order("two"));
    EXPECT_TRUE(job->store_order("one")) << "it is stored once";
    EXPECT_TRUE(job->remove_order("three")) << "it is not there";
  }
  {
    const auto job = open(settings());
    EXPECT_THAT(*job->orders(), ElementsAre("one", "two"));
    EXPECT_TRUE(job->remove_order("one"));
  }
  EXPECT_THAT(*open(settings())->orders(), ElementsAre("two"));
}

TEST_F(JobStoreTest, RoomIsLeftOnTheDisk) {
  JobSettings greedy = settings();
  greedy.disk_reserve = std::uint64_t{1} << 62;
  EXPECT_FALSE(open(greedy)->has_room());
}

TEST_F(JobStoreTest, TheLimitOfPagesIsThatOfAllRuns) {
  const auto job = open(settings());
  CrawlSettings limited("http://a.example/");
  limited.pages_max = 5;
  EXPECT_TRUE(fit_to_job(limited, *job));
  EXPECT_EQ(limited.pages_max, 5u) << "nothing was fetched";
  limited.pages_max = 0;
  EXPECT_FALSE(fit_to_job(limited, *job));
  limited.pages_max.reset();
  EXPECT_TRUE(fit_to_job(limited, *job));
  limited.pages_max = 0;
  limited.cluster.url = "redis://10.0.0.1/m";
  EXPECT_TRUE(fit_to_job(limited, *job)) << "the limit is that of all nodes";
}

TEST_F(JobStoreTest, ARefreshUsesOneLoopWithTheWholeEffort) {
  open(settings());
  JobSettings refreshing = settings();
  refreshing.refreshes = true;
  const auto job = open(refreshing);
  CrawlSettings divided("http://a.example/");
  divided.threads = 3;
  divided.concurrency = 5;
  divided.body_memory_max = 7;
  divided.host_bytes_max = 11;
  divided.pages_max = 1;
  EXPECT_TRUE(fit_to_job(divided, *job));
  EXPECT_EQ(divided.threads, 1u);
  EXPECT_EQ(divided.concurrency, 15u);
  EXPECT_EQ(divided.body_memory_max, 21u);
  EXPECT_EQ(divided.host_bytes_max, 33u);
  EXPECT_FALSE(divided.pages_max) << "its pages were counted already";
}

}  // namespace
}  // namespace gossamer::run
