#include "store/stored_hosts.h"

#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <string>

#include "store/journal.h"
#include "store/work_rows.h"

namespace gossamer::store {
namespace {

class StoredHostsTest : public testing::Test {
 protected:
  crawler::PaceMemory stored(const crawler::PaceMemory& pace) {
    hosts.note_host("a.example", pace);
    journal.commit();
    const auto read = hosts.pace_of("a.example");
    EXPECT_TRUE(read);
    return read.value_or(crawler::PaceMemory());
  }

  SimulatedTables tables;
  Journal journal{tables, Durability::group};
  StoredHosts hosts{journal, {.wall_start = {.seconds = 1'700'000'000}, .loop_start = {}}};
};

TEST_F(StoredHostsTest, KeepWhatIsKnownAboutAHost) {
  const crawler::PaceMemory pace = {.ready_at = Instant(5s),
                                    .last_took = 1s,
                                    .crawl_delay = 2s,
                                    .backoff = 3s,
                                    .throttle = 4s,
                                    .failures = 5,
                                    .refusals = 6,
                                    .is_own = false,
                                    .has_answered = false};
  for (const bool is_own : {false, true}) {
    for (const bool has_answered : {false, true}) {
      crawler::PaceMemory expected = pace;
      expected.is_own = is_own;
      expected.has_answered = has_answered;
      const crawler::PaceMemory read = stored(expected);
      EXPECT_EQ(read.ready_at, Instant(5s));
      EXPECT_EQ(read.last_took, Duration(1s));
      EXPECT_EQ(read.crawl_delay, Duration(2s));
      EXPECT_EQ(read.backoff, Duration(3s));
      EXPECT_EQ(read.throttle, Duration(4s));
      EXPECT_EQ(read.failures, 5);
      EXPECT_EQ(read.refusals, 6);
      EXPECT_EQ(read.is_own, is_own);
      EXPECT_EQ(read.has_answered, has_answered);
    }
  }
}

TEST_F(StoredHostsTest, MayBeReadyAtAnyTimeOrNever) {
  EXPECT_EQ(stored({.ready_at = Instant::min()}).ready_at, Instant::min());
  EXPECT_EQ(stored({.ready_at = base::kNever}).ready_at, base::kNever);
}

TEST_F(StoredHostsTest, AreUnknownIfTheirRowsAreDamaged) {
  Batch damage;
  damage.put(Table::origins, origin_key(OriginRow::host, "a.example"), "\x01");
  damage.put(Table::origins, origin_key(OriginRow::rules, "https://a.example"), "\x01\x7F");
  ASSERT_TRUE(tables.write(damage));
  EXPECT_FALSE(hosts.pace_of("a.example"));
  EXPECT_FALSE(hosts.rules_of("https://a.example"));
  EXPECT_FALSE(journal.trouble());
}

TEST_F(StoredHostsTest, EndTheCrawlIfTheyCannotBeRead) {
  tables.fail_reads(Table::origins);
  EXPECT_FALSE(hosts.pace_of("a.example"));
  ASSERT_TRUE(journal.trouble()) << "the pause of a host would be forgotten";
  EXPECT_EQ(*journal.trouble(), Errc::io_failed);
  EXPECT_FALSE(hosts.rules_of("https://a.example"));
}

}  // namespace
}  // namespace gossamer::store
