#include "store/stored_tickets.h"

#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gossamer::store {
namespace {

constexpr WallTime kTicketTime = {.seconds = 1'700'000'000};

StoredTicket ticket_of(const std::string& host, std::int64_t seconds = 60) {
  return {.key = "https " + host + " 443" + '\0' + host,
          .host = host,
          .expires = {.seconds = kTicketTime.seconds + seconds},
          .session = "secret of " + host};
}

class StoredTicketsTest : public testing::Test {
 protected:
  // A run that stores these sessions and ends.
  void store(const std::vector<StoredTicket>& tickets) {
    Journal journal(tables_, Durability::group);
    StoredTickets(journal).put(tickets, "trust");
    journal.commit();
  }
  // The sessions of a run, which is killed then.
  std::vector<StoredTicket> take(crawler::SiteShare share = {}, std::string_view trust = "trust",
                                 WallTime now = kTicketTime) {
    Journal journal(tables_, Durability::group);
    return StoredTickets(journal).take(share, trust, now);
  }

  SimulatedTables tables_;
};

TEST_F(StoredTicketsTest, TheNextRunGetsThemOnce) {
  const std::vector<StoredTicket> tickets = {ticket_of("a.example"), ticket_of("b.example")};
  store(tickets);
  EXPECT_EQ(take(), tickets);
  EXPECT_TRUE(take().empty()) << "a killed run leaves none";
}

TEST_F(StoredTicketsTest, EachLoopGetsThoseOfItsSites) {
  std::vector<StoredTicket> tickets;
  for (int i = 0; i < 20; ++i) tickets.push_back(ticket_of("h" + std::to_string(i) + ".example"));
  store(tickets);
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const crawler::SiteShare share = {.index = i, .count = 3};
    const auto own = take(share);
    for (const StoredTicket& each : own) {
      EXPECT_TRUE(share.has(crawler::site_number(each.host))) << each.host;
    }
    count += own.size();
  }
  EXPECT_EQ(count, tickets.size());
}

TEST_F(StoredTicketsTest, OthersAreRemoved) {
  store({ticket_of("old.example", 0), ticket_of("new.example")});
  EXPECT_EQ(take(), std::vector{ticket_of("new.example")});
  store({ticket_of("new.example")});
  EXPECT_TRUE(take({}, "other trust").empty());
  EXPECT_TRUE(take().empty());
  Batch broken;
  broken.put(Table::origins, "tkey", "\xff");
  ASSERT_TRUE(tables_.write(broken));
  EXPECT_TRUE(take().empty());
  EXPECT_FALSE(*tables_.get(Table::origins, "tkey"));
}

TEST_F(StoredTicketsTest, TheyAreNotUsedIfTheyCannotBeRemoved) {
  store({ticket_of("a.example")});
  tables_.set_full(true);
  EXPECT_TRUE(take().empty());
  tables_.set_full(false);
  EXPECT_EQ(take().size(), 1u);
}

TEST_F(StoredTicketsTest, NoOtherRowsAreRead) {
  store({ticket_of("a.example")});
  Batch others;
  for (const char* const key : {"h1", "o1", "r1", "u1", "u2", "u3"}) {
    others.put(Table::origins, key, "");
  }
  ASSERT_TRUE(tables_.write(others));
  EXPECT_EQ(take().size(), 1u);
  EXPECT_EQ(tables_.rows_read(Table::origins), 1u + 1u) << "and the one after them";
}

TEST_F(StoredTicketsTest, TheyEndTheCrawlIfTheyCannotBeRead) {
  tables_.fail_reads(Table::origins);
  Journal journal(tables_, Durability::group);
  EXPECT_TRUE(StoredTickets(journal).take({}, "trust", kTicketTime).empty());
  ASSERT_TRUE(journal.trouble());
  EXPECT_EQ(*journal.trouble(), Errc::io_failed);
}

}  // namespace
}  // namespace gossamer::store
