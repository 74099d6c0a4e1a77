// Tests one process of a crawl with all features, and the next one in its directory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/job_process.h>
#include <tests/support/job_session.h>

#include <string>

#include "base/log.h"
#include "run/job/job_store.h"
#include "store/tables.h"

namespace gossamer::run {
namespace {

using sim::Death;
using sim::Session;

class JobSession : public testing::Test {
 protected:
  void SetUp() override { base::set_log_level(base::LogLevel::error); }
};

TEST_F(JobSession, HasEverythingOnEveryNumberOfLoops) {
  for (const std::uint32_t loops : {1, 3}) {
    Session session(sim::calm_options(1), loops);
    EXPECT_TRUE(session.live({}));
    session.expect_all();
  }
}

TEST_F(JobSession, ARefreshConfirmsEveryPage) {
  Session session;
  EXPECT_TRUE(session.live({}));
  EXPECT_TRUE(session.live({}, true));
  session.expect_all();
  session.expect_confirmed();
}

TEST_F(JobSession, ResumesAfterAKillAndAPowerCut) {
  for (const Death death : {Death::killed, Death::power_cut}) {
    for (const std::uint64_t last : {5, 17, 31}) {
      Session session(sim::calm_options(1), 1);
      EXPECT_FALSE(session.live({.death = death, .operations = last}));
      session.live_on();
      session.expect_all();
    }
  }
}

TEST_F(JobSession, ResumesARefreshThatWasKilled) {
  Session session;
  EXPECT_TRUE(session.live({}));
  EXPECT_FALSE(session.live({.death = Death::killed, .operations = 12}, true));
  session.live_on(true);
  session.expect_all();
  session.expect_confirmed();
}

TEST_F(JobSession, WaitsForRoom) {
  for (const std::uint64_t write : {2, 6}) {
    Session session;
    session.storage().tables.fail_write(write, Errc::no_space);
    EXPECT_TRUE(session.live({})) << "it gave up";
    session.expect_all();
  }
}

TEST_F(JobSession, GivesUpIfASyncFails) {
  Session session;
  session.storage().tables.fail_sync(1);
  EXPECT_FALSE(session.live({.death = Death::power_cut}));
  session.live_on();
  session.expect_all();
}

TEST_F(JobSession, DoesNotWaitForALoginWhenItIsStopped) {
  Session session;
  session.login_takes = 20s;
  EXPECT_FALSE(session.live({.death = Death::stopped, .length = 1s}));
  EXPECT_LT(session.took(), 2s);
  session.live_on();
  session.expect_all();
}

TEST_F(JobSession, ClosesItsArchiveIfItCannotStart) {
  Session session;
  store::Batch batch;
  const std::string order = std::string(kOrderKey) + "no JSON";
  batch.put(store::Table::meta, order, "");
  EXPECT_TRUE(session.storage().tables.write(batch));
  EXPECT_FALSE(session.live({}));
  const auto names = session.storage().disk->names();
  EXPECT_THAT(names, testing::Contains("crawl-00001.warc.gz"));
  EXPECT_THAT(names, testing::Contains("crawl.cdxj"));
  batch.clear();
  batch.remove(store::Table::meta, order);
  EXPECT_TRUE(session.storage().tables.write(batch));
  session.live_on();
  session.expect_all();
}

}  // namespace
}  // namespace gossamer::run
