#include "display/top_screen.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gossamer::display {
namespace {

using Kind = run::ControlRequest::Kind;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

run::CrawlProgress status_after(Duration time, std::uint64_t pages) {
  return {.state = "running",
          .version = "1.0",
          .process = 7,
          .since_start = time,
          .pages = pages,
          .wire_bytes = 2'000'000,
          .in_flight = 3,
          .waiting = 400,
          .hosts = 2,
          .concurrency = 64};
}

run::FetchList fetches(int count) {
  run::FetchList list = {.total = static_cast<std::uint64_t>(count), .fetches = {}};
  for (int i = 0; i < count; ++i) {
    list.fetches.push_back({.url = fmt::format("http://h{}.example/{}", i % 2, i),
                            .host = fmt::format("h{}.example", i % 2),
                            .stage = "waiting",
                            .age = (count - i) * 1s,
                            .bytes = 10,
                            .stack = {fmt::format("#0 stack of {}", i), "spawned at x.cc:1"}});
  }
  return list;
}

class TopScreenTest : public testing::Test {
 protected:
  TopScreenTest() {
    top_.update(status_after(10s, 1000), fetches(3));
    top_.update(status_after(11s, 1500), fetches(3));
  }
  std::vector<std::string> texts(const terminal::Screen& screen = {.columns = 100,
                                                                   .rows = 20}) const {
    std::vector<std::string> all;
    for (const terminal::ScreenLine& line : top_.lines(screen)) {
      EXPECT_LE(line.columns, screen.columns);
      all.push_back(line.text);
    }
    EXPECT_LE(all.size(), std::max<std::size_t>(screen.rows, 2));
    return all;
  }

  TopScreen top_;
};

TEST_F(TopScreenTest, ShowsTheCrawlItsFetchesAndAStack) {
  const std::vector<std::string> lines = texts();
  EXPECT_EQ(lines[0], "gossamer top  running  1.0  process 7");
  EXPECT_EQ(lines[1], "1,500 URLs  500/s  136/s overall  2.0 MB  0:11");
  EXPECT_EQ(lines[2], "3 in flight of 64  400 waiting  2 hosts  rate none  delay auto");
  EXPECT_EQ(lines[4], ">    3.0 s       10 B  waiting     http://h0.example/0");
  EXPECT_EQ(lines[5], "     2.0 s       10 B  waiting     http://h1.example/1");
  EXPECT_THAT(lines, Contains("  #0 stack of 0"));
  EXPECT_THAT(lines.back(), HasSubstr("q quit"));
  EXPECT_EQ(lines.size(), 20u);
}

TEST_F(TopScreenTest, ShowsConnectionsAndStreams) {
  run::CrawlProgress status = status_after(11s, 1500);
  status.connections = 1200;
  EXPECT_THAT(to_text(status, fetches(1), false), HasSubstr("delay auto  connections 1,200\n"));
  status.http2_connections = 2;
  status.streams = 1;
  EXPECT_THAT(to_text(status, fetches(1), false),
              HasSubstr("  connections 1,200 (2 HTTP/2, 1 stream)\n"));
}

TEST_F(TopScreenTest, FitsIntoAnyTerminal) {
  top_.update(status_after(11s, 1500), fetches(200));
  for (const std::size_t columns : {1u, 5u, 20u, 49u, 80u, 300u}) {
    for (const std::size_t rows : {1u, 2u, 3u, 5u, 8u, 50u}) {
      texts({.columns = columns, .rows = rows});
    }
  }
}

TEST_F(TopScreenTest, KeepsTheSelectedFetchWhenItMoves) {
  EXPECT_THAT(top_.press("j\x1b[B"), IsEmpty());
  EXPECT_THAT(texts(),
              Contains(StartsWith(">    1.0 s       10 B  waiting     http://h0.example/2")));
  run::FetchList later = fetches(3);
  later.fetches.erase(later.fetches.begin());
  top_.update(status_after(12s, 1600), later);
  EXPECT_THAT(texts(),
              Contains(StartsWith(">    1.0 s       10 B  waiting     http://h0.example/2")));
  EXPECT_THAT(texts(), Contains("  #0 stack of 2"));
  top_.press("kkkk");
  EXPECT_THAT(texts(), Contains(StartsWith(">    2.0 s")));
  top_.update(status_after(12s, 1600), run::FetchList());
  top_.press("jkb");
  EXPECT_THAT(texts(), Not(Contains(StartsWith(">"))));
}

TEST_F(TopScreenTest, ScrollsToTheSelectedFetch) {
  top_.update(status_after(12s, 1600), fetches(100));
  top_.press(std::string(60, 'j'));
  EXPECT_THAT(texts(), Contains(HasSubstr("http://h0.example/60")));
}

TEST_F(TopScreenTest, KeysControlTheCrawl) {
  EXPECT_THAT(top_.press("p"), ElementsAre(run::ControlRequest{.kind = Kind::pause}));
  EXPECT_THAT(top_.press("r"), ElementsAre(run::ControlRequest{.kind = Kind::resume}));
  EXPECT_THAT(top_.press("++-"),
              ElementsAre(run::ControlRequest{.kind = Kind::concurrency, .number = 72},
                          run::ControlRequest{.kind = Kind::concurrency, .number = 81},
                          run::ControlRequest{.kind = Kind::concurrency, .number = 71}));
  EXPECT_THAT(top_.press("x\x1b[5~\x1bOP\t"), IsEmpty()) << "keys that mean nothing";
  EXPECT_FALSE(top_.is_left());
  top_.press("q");
  EXPECT_TRUE(top_.is_left());
}

TEST_F(TopScreenTest, ConcurrencyStaysAboveZero) {
  run::CrawlProgress status = status_after(12s, 1600);
  status.concurrency = 2;
  top_.update(status, {});
  EXPECT_THAT(top_.press("--"),
              ElementsAre(run::ControlRequest{.kind = Kind::concurrency, .number = 1},
                          run::ControlRequest{.kind = Kind::concurrency, .number = 1}));
}

TEST_F(TopScreenTest, AsksBeforeItStopsOrBlocks) {
  EXPECT_THAT(top_.press("s"), IsEmpty());
  EXPECT_THAT(texts().back(), HasSubstr("stop the crawl?"));
  EXPECT_THAT(top_.press("n"), IsEmpty());
  EXPECT_THAT(top_.press("sy"), ElementsAre(run::ControlRequest{.kind = Kind::stop}));
  EXPECT_THAT(top_.press("jb"), IsEmpty());
  EXPECT_THAT(texts().back(), HasSubstr("block h1.example?"));
  EXPECT_THAT(top_.press("y"),
              ElementsAre(run::ControlRequest{.kind = Kind::block, .text = "h1.example"}));
}

TEST_F(TopScreenTest, ReadsAUrl) {
  EXPECT_THAT(top_.press("a"), IsEmpty());
  EXPECT_THAT(top_.press("http://q.examplx\x7f"), IsEmpty());
  EXPECT_EQ(texts().back(), "add URL: http://q.exampl");
  EXPECT_THAT(top_.press("e/\r"),
              ElementsAre(run::ControlRequest{.kind = Kind::add, .text = "http://q.example/"}));
  EXPECT_THAT(top_.press("axy\x1b"), IsEmpty());
  EXPECT_THAT(texts().back(), HasSubstr("q quit"));
  EXPECT_THAT(top_.press("a\r"), IsEmpty());
}

TEST_F(TopScreenTest, EscapesDataFromOutside) {
  run::FetchList hostile = fetches(1);
  hostile.fetches[0].url = "http://a.example/\x1b]0;owned\x07\n\xE2\x80\xAE\xFF\xC3\xA9";
  hostile.fetches[0].stage = "wait\ning";
  hostile.fetches[0].stack = {"\x1b[2J"};
  run::CrawlProgress status = status_after(12s, 1);
  status.state = "run\x1b[1mning";
  status.errors = {{"\x1b[31m", 1}};
  top_.update(status, hostile);
  top_.note("\x1b[5m");
  std::string all;
  for (const std::string& line : texts()) all += line;
  all += to_text(status, hostile, true);
  for (const char c : all) EXPECT_TRUE((c >= ' ' && c < '\x7f') || c == '\n') << int{c};
  EXPECT_THAT(all, HasSubstr("\\x1b]0;owned"));
}

TEST_F(TopScreenTest, HasColoursOnlyIfEnabled) {
  EXPECT_THAT(texts(), Not(Contains(HasSubstr("\x1b"))));
  EXPECT_THAT(texts({.columns = 100, .has_color = true, .rows = 20}), Contains(HasSubstr("\x1b[")));
}

TEST_F(TopScreenTest, ShowsThePausesOfHosts) {
  EXPECT_THAT(texts(), Not(Contains(StartsWith("waiting"))));
  run::CrawlProgress status = status_after(12s, 1600);
  status.pauses = {{.host = "slow.example", .left = 59min + 1ms},
                   {.host = "dead.\x1b[2J", .left = 7s + 1ms, .is_silent = true}};
  top_.update(status, fetches(2));
  const std::string line =
      "waiting  slow.example requested a pause of 59 min 1 s  "
      "dead.\\x1b[2J does not answer, next attempt in 8 s";
  EXPECT_THAT(texts({.columns = 200, .rows = 20}), Contains(StartsWith(line)));
  EXPECT_THAT(to_text(status, {}, false), HasSubstr("\n" + line));
}

// The socket may belong to another program.
TEST_F(TopScreenTest, BoundsAndEscapesWhateverTheCrawlSends) {
  const std::string huge = "\x1b[2J" + std::string(200'000, 'x');
  run::CrawlProgress status = status_after(12s, 1600);
  status.state = status.version = huge;
  status.errors = {{huge, 1}};
  status.pauses = {{.host = huge, .left = 1s}};
  run::FetchList list = fetches(1);
  list.fetches[0].stage = list.fetches[0].url = list.fetches[0].host = huge;
  list.fetches[0].stack = {huge};
  const std::string text = to_text(status, list, true);
  EXPECT_LT(text.size(), 20'000u);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("\\x1b[2Jxxx"));
  top_.update(status, list);
  top_.note(huge);
  for (const std::string& line : texts({.columns = 100, .rows = 20})) {
    EXPECT_LE(line.size(), 100u);
    EXPECT_THAT(line, Not(HasSubstr("\x1b")));
  }
}

TEST_F(TopScreenTest, IsAlsoATextForPipes) {
  const std::string text = to_text(status_after(11s, 1500), fetches(2), true);
  EXPECT_THAT(text, StartsWith("running\n1,500 URLs  136/s overall  2.0 MB  0:11\n"));
  EXPECT_THAT(text, HasSubstr("http://h1.example/1\n      #0 stack of 1\n"));
  EXPECT_THAT(to_text(status_after(11s, 1500), fetches(2), false), Not(HasSubstr("stack")));
}

}  // namespace
}  // namespace gossamer::display
