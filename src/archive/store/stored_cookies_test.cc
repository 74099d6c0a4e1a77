#include "store/stored_cookies.h"

#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "url/url.h"

namespace gossamer::store {
namespace {

constexpr WallTime kNow = {.seconds = 1'700'000'000};

class StoredCookiesTest : public testing::Test {
 protected:
  // One of the loops of a process.
  struct Process {
    Process(Tables& tables, crawler::SiteShare share, WallTime now)
        : journal(tables, Durability::group), kept(journal) {
      kept.keep(jar, share, now);
    }
    void set(std::string_view url, std::string_view value) {
      jar.set_from_response(*url::Url::parse(url), std::array{value}, kNow);
    }
    std::string sent(std::string_view url) { return jar.header_for(*url::Url::parse(url), kNow); }

    Journal journal;
    StoredCookies kept;
    wire::CookieJar jar;
  };

  std::unique_ptr<Process> start(crawler::SiteShare share = {}, WallTime now = kNow) {
    return std::make_unique<Process>(tables, share, now);
  }

  SimulatedTables tables;
};

TEST_F(StoredCookiesTest, ACrawlIsOneSessionOverSeveralProcesses) {
  auto process = start();
  process->set("https://a.example/", "zebra=1");
  process->set("https://a.example/", "session=old");
  process->set("https://a.example/", "gone=1");
  process->set("https://a.example/shop/", "cart=2; Path=/shop; Secure; HttpOnly; SameSite=Strict");
  process->set("https://www.a.example/", "wide=3; Domain=a.example; Max-Age=100");
  process->journal.commit();
  process->set("https://a.example/", "session=new");
  process->set("https://a.example/", "gone=; Max-Age=0");
  process->journal.commit();
  const auto before = process->jar.all(kNow);
  EXPECT_EQ(process->sent("https://a.example/shop"), "cart=2; zebra=1; session=new; wide=3");

  process = start();
  auto after = process->jar.all(kNow);
  EXPECT_EQ(after.size(), 4u);
  for (const wire::Cookie& cookie : before) {
    EXPECT_TRUE(std::ranges::find(after, cookie) != after.end()) << cookie.name;
  }
  EXPECT_EQ(process->sent("http://a.example/shop"), "zebra=1; session=new; wide=3")
      << "in the order of their creation";
  process->set("https://a.example/", "later=4");
  process->journal.commit();
  EXPECT_EQ(start()->sent("http://a.example/shop"), "zebra=1; session=new; wide=3; later=4");
}

TEST_F(StoredCookiesTest, UncommittedCookiesAreNotStored) {
  auto process = start();
  process->set("https://a.example/", "x=1");
  process->journal.commit();
  process->set("https://a.example/", "x=2");  // and is killed
  EXPECT_EQ(start()->sent("https://a.example/"), "x=1");
}

TEST_F(StoredCookiesTest, ExpiredCookiesAreRemoved) {
  auto process = start();
  process->set("https://a.example/", "short=1; Max-Age=100");
  process->set("https://a.example/", "long=1; Max-Age=1000");
  process->journal.commit();
  process = start({}, kNow + 500s);
  EXPECT_EQ(process->sent("https://a.example/"), "long=1");
  process->journal.commit();
  EXPECT_EQ(start({}, kNow)->sent("https://a.example/"), "long=1") << "nor is its row";
}

TEST_F(StoredCookiesTest, EachLoopHasTheCookiesOfItsSites) {
  auto process = start();
  for (int i = 0; i < 20; ++i) {
    process->set("https://www.site-" + std::to_string(i) + ".example/", "x=1");
  }
  process->journal.commit();
  const auto first = start({.index = 0, .count = 2});
  const auto second = start({.index = 1, .count = 2});
  EXPECT_GT(first->jar.size(), 0u);
  EXPECT_GT(second->jar.size(), 0u);
  EXPECT_EQ(first->jar.size() + second->jar.size(), 20u);
}

// Every jar has the cookies of the user's files, even for sites that another loop crawls.
TEST_F(StoredCookiesTest, OnlyTheLoopThatSendsACookieChangesIt) {
  const std::uint32_t owner =
      crawler::SiteShare{.index = 0, .count = 2}.has(crawler::site_number("a.example")) ? 0 : 1;
  auto own = start({.index = owner, .count = 2});
  auto other = start({.index = 1 - owner, .count = 2});
  own->set("https://a.example/", "session=rotated");
  own->set("https://a.example/", "old=1; Max-Age=100");
  own->journal.commit();
  other->set("https://a.example/", "session=stale");
  other->journal.commit();
  EXPECT_EQ(start()->sent("https://a.example/"), "session=rotated; old=1");
  other->set("https://a.example/", "session=; Max-Age=0");
  other->journal.commit();
  other = start({.index = 1 - owner, .count = 2}, kNow + 500s);
  other->journal.commit();
  EXPECT_EQ(start()->sent("https://a.example/"), "session=rotated; old=1");
}

TEST_F(StoredCookiesTest, OfTheSameNameDifferInTheirPaths) {
  auto process = start();
  process->set("https://a.example/", "x=1; Path=/one");
  process->set("https://a.example/", "x=2; Path=/two");
  process->journal.commit();
  process = start();
  EXPECT_EQ(process->sent("https://a.example/one"), "x=1");
  EXPECT_EQ(process->sent("https://a.example/two"), "x=2");
}

// RFC 6265, section 5.3, step 11: a cookie that is replaced keeps its creation time.
TEST_F(StoredCookiesTest, ThatAreReplacedByALaterProcessKeepTheirPlace) {
  auto process = start();
  process->set("https://a.example/", "first=1");
  process->set("https://a.example/", "second=1");
  process->journal.commit();
  process = start();
  process->set("https://a.example/", "first=2");
  process->journal.commit();
  EXPECT_EQ(start()->sent("https://a.example/"), "first=2; second=1");
}

TEST_F(StoredCookiesTest, ThatWereRemovedAndSetAgainAreNew) {
  auto process = start();
  process->set("https://a.example/", "first=1");
  process->set("https://a.example/", "second=1");
  process->set("https://a.example/", "first=; Max-Age=0");
  process->set("https://a.example/", "first=2");
  process->journal.commit();
  EXPECT_EQ(process->sent("https://a.example/"), "second=1; first=2");
  EXPECT_EQ(start()->sent("https://a.example/"), "second=1; first=2");
}

TEST_F(StoredCookiesTest, AreKeptBesideADamagedOne) {
  auto process = start();
  process->set("https://a.example/", "x=1");
  process->journal.commit();
  Batch others;
  others.put(Table::origins, "k", "\xff");
  for (const char* const key : {"h1", "l1", "l2", "l3"}) others.put(Table::origins, key, "");
  ASSERT_TRUE(tables.write(others));
  const std::size_t before = tables.rows_read(Table::origins);
  EXPECT_EQ(start()->sent("https://a.example/"), "x=1");
  EXPECT_EQ(tables.rows_read(Table::origins) - before, 2u + 1u) << "no rows of other kinds";
}

TEST_F(StoredCookiesTest, EndTheCrawlIfTheyCannotBeRead) {
  tables.fail_reads(Table::origins);
  const auto process = start();
  ASSERT_TRUE(process->journal.trouble()) << "the crawl would be another session";
  EXPECT_EQ(*process->journal.trouble(), Errc::io_failed);
}

}  // namespace
}  // namespace gossamer::store
