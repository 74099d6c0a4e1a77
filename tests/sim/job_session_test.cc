// Tests a crawl with all features: a root that redirects, a login, cookies, several loops, an
// archive with an index, a refresh. It dies before each operation on its disk in turn, by a kill
// and by a power cut, or its disk fails at each. The next process must always complete the crawl.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/archive_contents.h>
#include <tests/support/job_process.h>
#include <tests/support/job_session.h>
#include <tests/support/seeds.h>
#include <tests/support/test_web.h>

#include <cerrno>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/random.h"
#include "record/page_row.h"
#include "run/job/job_store.h"
#include "settings/crawl_settings.h"
#include "store/tables.h"
#include "tests/simulated/disk.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSessionSeeds = 200;

class JobSession : public testing::Test {
 protected:
  void SetUp() override { base::set_log_level(base::LogLevel::error); }
};

// How many operations one process needs. Ends the test if the crawl is not right even so.
std::uint64_t operations_of_a_crawl(std::uint32_t loops, bool refreshes) {
  Session session(calm_options(1), loops);
  EXPECT_TRUE(session.live({}));
  session.expect_all();
  if (!refreshes) return session.operations();
  EXPECT_TRUE(session.live({}, true));
  session.expect_all();
  session.expect_confirmed();
  return session.operations();
}

TEST_F(JobSession, GoesOnWhicheverOperationItDiesAt) {
  for (const std::uint32_t loops : {1, 3}) {
    const std::uint64_t operations = operations_of_a_crawl(loops, false);
    ASSERT_GT(operations, 40u);
    for (const Death death : {Death::killed, Death::power_cut}) {
      for (std::uint64_t last = 1; last <= operations; ++last) {
        SCOPED_TRACE(fmt::format("{} loops, {} before operation {}", loops,
                                 death == Death::killed ? "killed" : "without power", last));
        Session session(calm_options(1), loops);
        EXPECT_FALSE(session.live({.death = death, .operations = last}));
        session.live_on();
        session.expect_all();
        if (HasFailure()) return;
      }
    }
  }
}

TEST_F(JobSession, GoesOnWithItsRefreshWhicheverOperationItDiesAt) {
  const std::uint64_t operations = operations_of_a_crawl(1, true);
  for (const Death death : {Death::killed, Death::power_cut}) {
    for (std::uint64_t last = 1; last <= operations; ++last) {
      SCOPED_TRACE(fmt::format("{} before operation {}",
                               death == Death::killed ? "killed" : "without power", last));
      Session session;
      EXPECT_TRUE(session.live({}));
      EXPECT_FALSE(session.live({.death = death, .operations = last}, true));
      session.live_on(true);
      session.expect_all();
      session.expect_confirmed();
      if (HasFailure()) return;
    }
  }
}

TEST_F(JobSession, WaitsForRoomWhicheverWriteFindsNone) {
  for (std::uint64_t n = 1;; ++n) {
    SCOPED_TRACE(fmt::format("write {} finds no room", n));
    Session session;
    session.storage().tables.fail_write(n, Errc::no_space);
    const bool has_finished = session.live({});
    // After the last write nothing is left to wait for.
    const bool is_last = session.storage().tables.writes() == n;
    EXPECT_TRUE(has_finished || is_last) << "it gave up";
    if (!has_finished) session.live_on();
    session.expect_all();
    if (HasFailure()) return;
    if (session.storage().tables.writes() < n) break;
  }
}

TEST_F(JobSession, GoesOnWhicheverOperationOfTheArchiveFails) {
  const std::uint64_t operations = operations_of_a_crawl(2, false);
  for (const int error : {EIO, ENOSPC}) {
    for (std::uint64_t n = 1; n <= operations; ++n) {
      SCOPED_TRACE(fmt::format("operation {} fails with {}", n, error));
      Session session;
      session.storage().disk->fail_operation(n, error);
      if (!session.live({})) session.live_on();
      session.expect_all();
      if (HasFailure()) return;
    }
  }
}

// A write to the tables, to the archive, or of a small file.
TEST_F(JobSession, LosesNothingWhicheverOperationFindsNoRoom) {
  for (const std::uint32_t loops : {1, 3}) {
    const std::uint64_t operations = operations_of_a_crawl(loops, false);
    std::uint64_t failures = 0;
    for (std::uint64_t n = 1; n <= operations; ++n) {
      SCOPED_TRACE(fmt::format("{} loops, operation {} finds no room", loops, n));
      Session session(calm_options(1), loops);
      if (!session.live({.full_at = n})) {
        ++failures;
        EXPECT_FALSE(session.failure().empty()) << "it says why it has ended";
        session.live_on();
      }
      session.expect_all();
      if (HasFailure()) return;
    }
    fmt::print("{} loops: {} operations, {} of which ended the crawl\n", loops, operations,
               failures);
  }
}

TEST_F(JobSession, GoesOnWhicheverSyncFails) {
  for (std::uint64_t n = 1; n <= 6; ++n) {
    SCOPED_TRACE(fmt::format("sync {} fails", n));
    Session session;
    session.storage().tables.fail_sync(n);
    if (!session.live({.death = Death::power_cut})) session.live_on();
    session.expect_all();
    if (HasFailure()) return;
  }
}

// Over networks that fail, too, and several times.
TEST_F(JobSession, GoesOnInEveryWorld) {
  const auto [first, count] = seeds_to_run(kSessionSeeds);
  std::size_t deaths = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(fmt::format("again: GOSSAMER_SEED={}", seed));
    base::Random random = base::Random(seed).fork("session");
    Session session(draw_options(seed), static_cast<std::uint32_t>(1 + random.below(3)));
    for (const bool refreshes : {false, true}) {
      for (int life = 0; life < 3; ++life) {
        const Life drawn = {.death = random.chance(0.5) ? Death::killed : Death::power_cut,
                            .operations = 1 + random.below(80)};
        if (session.live(drawn, refreshes)) break;
        ++deaths;
      }
      session.live_on(refreshes);
      session.expect_all();
    }
    if (HasFailure()) return;
  }
  fmt::print("{} worlds: {} deaths\n", count, deaths);
}

}  // namespace
}  // namespace gossamer::sim
