#include "engine/page/capturing.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "base/random.h"
#include "engine/engine.h"
#include "engine/page/page_links.h"
#include "frontier/frontier.h"
#include "frontier/frontier_options.h"
#include "record/page_sink.h"
#include "site/compression.h"
#include "tests/simulated/disk.h"
#include "tests/simulated/world.h"
#include "wire/cookie_jar.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

// The outlinks of a body, as "L a/@href http://a.example/x", and the steps that it took.
struct Found {
  std::vector<std::string> links;
  std::size_t steps = 0;
};

Found outlinks(std::string_view body, BodyKind kind = BodyKind::html, std::string_view charset = "",
               std::size_t url_bytes_max = 4096) {
  PageReading reading;
  reading.begin(kind, charset, "gossamer");
  reading.feed(as_bytes(body));
  reading.finish();
  const url::Url url = url::Url::parse("http://a.example/dir/page").value();
  sim::World world(sim::calm_options());
  const async::Loop::Running running(world.loop());
  async::Scope root(world.loop(), async::OnFailure::keep_going);
  auto task = root.spawn(outlinks_of(reading, url, url_bytes_max));
  Found found;
  for (; !task.done(); ++found.steps) world.loop().step();
  for (const Capture::Outlink& link : task.take()) {
    found.links.push_back(link.where + " " + link.url);
  }
  return found;
}

TEST(Outlinks, SayWhereTheyWereFound) {
  EXPECT_THAT(
      outlinks("<a href=x>x</a><img src=/i.png><a href=x#part>x</a>"
               "<style>b { background: url(c.png) }</style>")
          .links,
      ElementsAre("L a/@href http://a.example/dir/x", "E img/@src http://a.example/i.png",
                  "L a/@href http://a.example/dir/x#part", "E style http://a.example/dir/c.png"));
  EXPECT_THAT(outlinks("<p>nothing").links, IsEmpty());
  EXPECT_THAT(outlinks("<a href=mailto:a@b.example>x</a>").links,
              ElementsAre("L a/@href mailto:a@b.example"));
}

TEST(Outlinks, AreResolvedAsThePageIs) {
  EXPECT_THAT(outlinks("<base href=/b/><a href='?\xE4'>x</a>", BodyKind::html, "latin1").links,
              ElementsAre("L a/@href http://a.example/b/?%E4"));
}

TEST(Outlinks, AreUrlsThatAreNotTooLong) {
  const std::string longest = "/" + std::string(30 - std::string_view(kRoot).size(), 'x');
  EXPECT_THAT(outlinks(fmt::format("<a href={}>x</a><a href={}x>x</a><a href='http://[x'>x</a>",
                                   longest, longest),
                       BodyKind::html, "", 30)
                  .links,
              ElementsAre("L a/@href http://a.example" + longest));
}

TEST(Outlinks, AreCollectedInShortSteps) {
  constexpr std::size_t kLinks = 20'000;
  std::string body;
  for (std::size_t i = 0; i < kLinks; ++i) body += fmt::format("<a href=/{}>x</a>", i);
  const Found found = outlinks(body);
  EXPECT_THAT(found.links, SizeIs(kLinks));
  EXPECT_GE(found.steps, kLinks * PageLinks::kLinkWork / PageLinks::kStepWork);
}

TEST(Outlinks, AreBoundedInTheirBytes) {
  constexpr std::size_t kBytes = 4000;
  std::string body;
  for (std::size_t i = 0; i < 2 * kOutlinksBytesMax / kBytes; ++i) body += "<a href=x>x</a>";
  const std::string base = "<base href=/" + std::string(kBytes, 'x') + "/>";
  const Found found = outlinks(base + body);
  EXPECT_LE(found.links.size(), kOutlinksBytesMax / kBytes);
  EXPECT_GE(found.links.size(), kOutlinksBytesMax / (kBytes + 200));
}

TEST(Capture, CountsItsBytes) {
  Capture capture;
  EXPECT_EQ(capture.bytes(), 0u);
  capture.request_head = "12";
  capture.response_head = "345";
  capture.payload = "6";
  capture.outlinks = {{.url = "7890", .where = "1"}, {.url = "2", .where = "34"}};
  EXPECT_EQ(capture.bytes(), 14u);
}

// Keeps the captures of pages.
class CaptureSink final : public PageSink {
 public:
  async::Task<Result<void>> put(Page page) override {
    if (page.capture) captures.push_back(std::move(*page.capture));
    co_return {};
  }
  async::Task<Result<void>> put_other(Exchange exchange) override {
    others.push_back(std::move(exchange.capture));
    co_return {};
  }
  std::vector<Capture> captures;
  std::vector<Capture> others;  // of robots.txt
};

// BORROWS: the sink.
async::Task<void> crawl_into_captures(World& world, Options options, CaptureSink& sink) {
  Frontier frontier(async::Loop::current(), frontier_options(options, world));
  wire::CookieJar cookies;
  Engine engine(world, std::move(options), frontier, sink, cookies);
  EXPECT_TRUE(co_await engine.run());
}

// Files for bodies on a simulated disk.
class DiskBodies final : public BodyFiles {
 public:
  explicit DiskBodies(sim::Disk& disk) : BodyFiles(1'000'000), disk_(disk) {}

  std::string new_name() override { return "body-" + std::to_string(++last_); }
  std::string path_of(const std::string& name) const override { return name; }
  void remove(const std::string& name) override { EXPECT_EQ(disk_.remove(name), 0); }
  Duration space_patience() const override { return 5s; }

 private:
  sim::Disk& disk_;
  int last_ = 0;
};

CaptureSink captures_of(TestWeb& web, std::optional<std::uint64_t> body_bytes_max,
                        BodyFiles* bodies = nullptr) {
  web.client_options.keep_request = true;
  Options options = from_root();
  options.keeps_captures = true;
  options.body_bytes_max = body_bytes_max;
  options.tries_max = 1;
  CaptureSink sink;
  web.visit([&](World& world) {
    world.bodies = bodies;
    return crawl_into_captures(world, std::move(options), sink);
  });
  EXPECT_THAT(sink.captures, SizeIs(1));
  sink.captures.resize(1);
  return sink;
}

Capture capture_of(const Reply& reply, std::optional<std::uint64_t> body_bytes_max = 1'000'000) {
  TestWeb web;
  web.at(kRoot, reply);
  return std::move(captures_of(web, body_bytes_max).captures.front());
}

TEST(Capture, HasTheExchangeAsItWas) {
  const Capture capture = capture_of(Reply{.body = "<p>hello", .fields = "X-Odd:  value \r\n"});
  EXPECT_THAT(capture.request_head, StartsWith("GET / HTTP/1.1\r\n"));
  EXPECT_THAT(capture.request_head, EndsWith("\r\n\r\n"));
  EXPECT_THAT(capture.response_head, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(capture.response_head, testing::HasSubstr("X-Odd:  value \r\n"));
  EXPECT_THAT(capture.response_head, EndsWith("\r\n\r\n"));
  EXPECT_EQ(capture.payload, "<p>hello");
  EXPECT_EQ(capture.cut, Cut::none);
}

TEST(Capture, SaysWhyItIsIncomplete) {
  const std::string body(10'000, 'x');
  EXPECT_EQ(capture_of(Reply{.body = body, .is_cut = true}).cut, Cut::disconnect);
  EXPECT_EQ(capture_of(Reply{.body = body, .byte_gap = 100ms}).cut, Cut::time);
  EXPECT_EQ(capture_of(Reply{.body = body, .is_endless = true}).cut, Cut::length);
}

TEST(Capture, IsIncompleteIfALimitCutsTheLastBytes) {
  const std::string body(10'000, 'x');
  EXPECT_EQ(capture_of(Reply{.body = body}, 10'000).cut, Cut::none);
  const Capture cut = capture_of(Reply{.body = body}, 9'999);
  EXPECT_EQ(cut.payload.size(), 9'999u);
  EXPECT_EQ(cut.cut, Cut::length);
}

TEST(Capture, OfAnEncodedBodyIsWholeIfOnlyItsTextIsTooLong) {
  const std::string encoded = site::gzip(std::string(10'000, 'x'));
  const Capture capture =
      capture_of(Reply{.body = encoded, .fields = "Content-Encoding: gzip\r\n"}, 1000);
  EXPECT_EQ(capture.payload, encoded);
  EXPECT_EQ(capture.cut, Cut::none);
}

// A large body on its way, with a disk for it.
struct LargeCapture {
  explicit LargeCapture(const Reply& reply, std::optional<std::uint64_t> body_bytes_max = {}) {
    web.disk = disk;
    web.at(kRoot, reply);
    sink = captures_of(web, body_bytes_max, &bodies);
  }
  const Capture& capture() const { return sink.captures.front(); }

  std::shared_ptr<sim::Disk> disk = std::make_shared<sim::Disk>();
  DiskBodies bodies{*disk};
  TestWeb web;
  CaptureSink sink;
};

constexpr std::string_view kBinary = "application/octet-stream";

TEST(Capture, OfALargeBodyIsInAFileThatGoesWithIt) {
  std::string body;
  for (int i = 0; body.size() < 3'000'000; ++i) body += fmt::format("{} bottles\n", i);
  LargeCapture large(Reply{.type = std::string(kBinary), .body = body});
  EXPECT_EQ(large.capture().cut, Cut::none);
  EXPECT_EQ(large.capture().payload, "");
  EXPECT_EQ(large.capture().payload_bytes(), body.size());
  EXPECT_LT(large.capture().bytes(), 1000u);
  ASSERT_NE(large.capture().file, nullptr);
  EXPECT_EQ(large.disk->content(large.capture().file->path()), body);
  large.sink.captures.clear();
  EXPECT_THAT(large.disk->names(), IsEmpty());
}

TEST(Capture, OfALargeEncodedBodyIsAsItCame) {
  base::Random random(1);
  std::string noise;
  while (noise.size() < 2'000'000) noise += std::to_string(random.next());
  const std::string encoded = site::gzip(noise);
  ASSERT_GT(encoded.size(), kPayloadBytesInMemory / 2);
  const LargeCapture large(Reply{.type = std::string(kBinary),
                                 .body = encoded + encoded,
                                 .fields = "Content-Encoding: gzip\r\n"});
  ASSERT_NE(large.capture().file, nullptr);
  EXPECT_EQ(large.disk->content(large.capture().file->path()), encoded + encoded);
}

TEST(Capture, IsNotBoundedUnlessItIsParsedOrTheUserSaysSo) {
  const std::string body(kParsedBodyBytesMax + 1, 'x');
  EXPECT_EQ(LargeCapture(Reply{.type = "", .body = body}).capture().cut, Cut::none);
  EXPECT_EQ(LargeCapture(Reply{.body = body}).capture().cut, Cut::length);
  const Reply binary = {.type = std::string(kBinary), .body = std::string(3'000'000, 'x')};
  const LargeCapture limited(binary, 2'000'000);
  EXPECT_EQ(limited.capture().cut, Cut::length);
  EXPECT_EQ(limited.capture().payload_bytes(), 2'000'000u);
}

TEST(Capture, OfALongRobotsTxtIsIncomplete) {
  for (const bool is_long : {false, true}) {
    TestWeb web;
    const std::string rules(is_long ? 513'000 : 1000, '#');
    web.page(kRoot, {}).at("http://a.example/robots.txt",
                           Reply{.type = "text/plain", .body = rules});
    const CaptureSink sink = captures_of(web, 1'000'000);
    ASSERT_THAT(sink.others, SizeIs(1));
    EXPECT_EQ(sink.others[0].cut, is_long ? Cut::length : Cut::none);
    EXPECT_EQ(sink.others[0].payload == rules, !is_long);
  }
}

}  // namespace
}  // namespace gossamer::crawler
