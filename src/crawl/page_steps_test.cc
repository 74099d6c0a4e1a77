// Pages of many shapes, each made to be dear to read: what they cost grows with their size and no
// faster, and the loop has its turn in between.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/processor_time.h>
#include <tests/support/suite.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"

namespace gossamer::crawl {
namespace {

std::string repeated(std::string_view unit, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += unit;
  return text;
}

// `unit` has a place for a number.
std::string numbered(std::string_view unit, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; text.size() < bytes; ++i) text += fmt::format(fmt::runtime(unit), i);
  return text;
}

struct Shape {
  std::string name;
  std::string type = "text/html";
  std::string_view before;
  std::string_view unit;  // again and again
  std::string_view after;
  bool is_numbered = false;    // it has a place for a number
  std::string_view base = {};  // half of the page is a base of these
  std::string url = std::string(kRoot);

  std::string body(std::size_t bytes) const;
};

std::string Shape::body(std::size_t bytes) const {
  std::string page;
  if (!base.empty()) {
    bytes /= 2;
    page = "<base href='/" + repeated(base, bytes) + "/'>";
  }
  page.append(before);
  page += is_numbered ? numbered(unit, bytes) : repeated(unit, bytes);
  return page.append(after);
}

Shape many(std::string_view unit, std::string_view before = "", std::string_view after = "",
           std::string_view type = "text/html") {
  return {.name = std::string(before) + std::string(unit),
          .type = std::string(type),
          .before = before,
          .unit = unit,
          .after = after};
}

Shape numbers(std::string_view unit, std::string_view before = "", std::string_view after = "",
              std::string_view type = "text/html") {
  Shape shape = many(unit, before, after, type);
  shape.is_numbered = true;
  return shape;
}

Shape based(std::string_view base, std::string_view link) {
  Shape shape = numbers(link);
  shape.name = fmt::format("base {} and {}", base, link);
  shape.base = base;
  return shape;
}

std::vector<Shape> shapes_of_links() {
  return {
      based("x", "<a href={}>"),
      based("x/", "<a href=../../{}>"),
      based("x/", "<a href=?{}>"),
      based("%41", "<a href=#{}>"),
      based("x", "<img src={}>"),
      numbers("<base href=/{}/>"),
      numbers("<a href=/{}>"),
      numbers("<a href=/{}>text</a>"),
      many("<a href=/x>"),
      many("<a href=>"),
      numbers("<a href='/list?a={0}&b=1&c=2&a={0}&d=3'>"),
      numbers("<a rel=nofollow href=/{}>"),
      numbers("<a href=//u:p@a.example/{}>"),
      numbers("<a href=http://h{}.example/>"),
      numbers("<a href=mailto:{}@a.example>"),
      numbers("<a href=/{}#part>"),
      numbers("<a href='http://[{}'>"),
      numbers("<a href=/a/b/a/b/{}/c>"),
      numbers("<a href=/2026/11/{}/>"),
      numbers("<a href=/?sid=0123456789abcdef{}>"),
      many("x", "<a href='/", "'>"),
      many("../", "<a href='/", "'>"),
      many("%41", "<a href='/?", "'>"),
      many("a=1&", "<a href='/?", "'>"),
      many("\xC3\xBC", "<a href='/?", "'>"),
      many("AAAA", "<img src='data:image/png;base64,", "'>"),
      many("a ", "<a href=/x rel='", "'>"),
  };
}

std::vector<Shape> shapes_of_markup() {
  return {
      many("<div>"),
      many("<svg>"),
      many("<math><annotation-xml encoding=text/html>"),
      many("<svg><foreignObject>"),
      many("</p>", "<svg>"),
      many("<template>"),
      many("<table><b><p>"),
      many("<a href=/x", "", ""),
      many("<!--"),
      many("-", "<!--"),
      many("--!", "<!--"),
      many("<!"),
      many("<?"),
      many("]]", "<svg><![CDATA["),
      many("&amp"),
      many("&"),
      many("1", "&#x"),
      many("notit;", "&"),
      numbers("a{}=1 ", "<a "),
      many("a=a=a=", "<a "),
      many("/", "<a "),
      many("x", "<"),
      many("<"),
      many("</"),
      many("t", "<title>"),
      many("<title>t</title>"),
      many("<h1>t "),
      many(" \r\n"),
      many(std::string_view("\0", 1)),
      many("\xFF\xC3"),
      many("<!--<script>", "<script>"),
      many("</scrip", "<script>"),
      many("[{\"@id\":", "<script type=application/ld+json>"),
      numbers("<meta name=robots content='a{}, nofollow'>"),
      numbers("<meta http-equiv=refresh content='{};url=/x'>"),
      many("none,", "<meta name=robots content='", "'>"),
      many("&lt;", "<textarea>"),
      many("x", "<plaintext>"),
  };
}

std::vector<Shape> shapes_of_style() {
  return {
      many("a{b:url(x)}", "<style>"),
      many("url(", "<style>"),
      many("/*", "<style>url("),
      many("\\75", "<style>"),
      many("--a:{", "<style>@i"),
      many("'", "<style>@import "),
      many("url(x)\\", "<p style='", "'>"),
      many(",", "<img srcset='", "'>"),
      many("a 1x,", "<img srcset='", "'>"),
      many("a (", "<img srcset='", "'>"),
      many("a 1w 1x ", "<img srcset='", "'>"),
      numbers("@import 'a{}';", "", "", "text/css"),
      many("\\75rl(", "", "", "text/css"),
      many("a", "url(", "", "text/css"),
      many("a{}", "@i", "", "text/css"),
      many("{", "--a:url(", "", "text/css"),
  };
}

std::vector<Shape> shapes_of_other_types() {
  const std::string sitemap = std::string(kRoot) + "sitemap.xml";
  const std::string robots = std::string(kRoot) + "robots.txt";
  std::vector<Shape> shapes = {
      numbers("<a href='/{}'>", "<html xmlns='http://www.w3.org/1999/xhtml'>", "", "text/xml"),
      many("<!ENTITY a '&a;&a;'>", "<!DOCTYPE x [", "", "text/xml"),
      many("a='1' ", "<x ", "", "text/xml"),
      numbers("<x:a xmlns:x='{}'>", "", "", "text/xml"),
      many("&#60;", "<x>", "", "text/xml"),
      many("\x1B$B", "", "", "text/html; charset=iso-2022-jp"),
      many("\x81\x30\x81", "", "", "text/html; charset=gb18030"),
      many(std::string_view("<\0a\0 \0", 6), "", "", "text/html; charset=utf-16le"),
      many(" ", "", "", ""),
  };
  Shape listed = numbers("<url><loc>http://a.example/{}</loc></url>", "<urlset>", "", "text/xml");
  Shape nested = many("<sitemapindex>", "", "", "text/xml");
  Shape entities = many("&amp;", "<urlset><url><loc>http://a.example/", "", "text/xml");
  for (Shape* const shape : {&listed, &nested, &entities}) shape->url = sitemap;
  Shape rules = numbers("Disallow: /*{}*a*$\n", "User-agent: *\n", "", "text/plain");
  Shape agents = numbers("User-agent: a{}\n", "", "", "text/plain");
  Shape line = many("*", "User-agent: *\nDisallow: /x", "", "text/plain");
  for (Shape* const shape : {&rules, &agents, &line}) shape->url = robots;
  for (Shape& shape : std::vector<Shape>{listed, nested, entities, rules, agents, line}) {
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

std::vector<Shape> all_shapes() {
  std::vector<Shape> all;
  for (auto* const some :
       {&shapes_of_links, &shapes_of_markup, &shapes_of_style, &shapes_of_other_types}) {
    std::ranges::move((*some)(), std::back_inserter(all));
  }
  return all;
}

struct Cost {
  std::size_t steps = 0;
  Duration all = Duration::zero();
};

// What a crawl costs in which there is such a page.
Cost cost_of(const Shape& shape, std::size_t bytes) {
  TestWeb web;
  web.page(kRoot, {}).at(shape.url, Reply{.type = shape.type, .body = shape.body(bytes)});
  Options options = from_root();
  options.scope.assets = true;
  options.reads_sitemaps = shape.url != kRoot;
  options.keeps_captures = options.keeps_outlinks = true;
  options.pages_max = options.reads_sitemaps ? 2 : 1;
  web.client_options.keep_request = true;
  sim::World world(sim::calm_options());
  const async::Loop::Running running(world.loop());
  async::Scope root(world.loop(), async::OnFailure::keep_going);
  auto task = root.spawn(web.run(std::move(options)));
  Cost cost;
  while (!task.done()) {
    const Duration before = processor_time();
    CHECK(world.loop().step());
    cost.all += processor_time() - before;
    ++cost.steps;
  }
  const Crawled crawled = task.take();
  EXPECT_FALSE(crawled.records.empty()) << shape.name;
  return cost;
}

constexpr std::size_t kPageBytes = 64 * 1024;

TEST(PageSteps, CostTwiceAsMuchForTwiceTheSize) {
  const std::vector<Shape> shapes = all_shapes();
  EXPECT_GE(shapes.size(), 60u);
  // Sanitizers make all of them slow in the same way.
  const std::size_t stride = support::kIsSanitized ? 4 : 1;
  for (std::size_t i = 0; i < shapes.size(); i += stride) {
    const Shape& shape = shapes[i];
    std::map<std::size_t, std::size_t> steps;
    const auto cost = [&](std::size_t bytes) {
      const Cost found = cost_of(shape, bytes);
      steps[bytes] = found.steps;
      return found.all;
    };
    EXPECT_LT(growth(kPageBytes, cost), 3) << shape.name;
    EXPECT_LE(steps[2 * kPageBytes], 2 * steps[kPageBytes] + 20) << shape.name;
  }
}

TEST(PageSteps, IgnoreABaseThatIsTooLong) {
  TestWeb web;
  const std::string long_base = "/" + std::string(ScopeOptions().url_bytes_max, 'x') + "/";
  web.at(kRoot, Reply{.body = "<base href='" + long_base + "'><a href=a>"});
  web.at("http://a.example/b/", Reply{.body = "<base href=/short/><a href=b>"});
  Options options = from_root();
  options.roots.emplace_back("http://a.example/b/");
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked("http://a.example/a"), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/short/b"), 1u);
}

// Between two steps a signal, a timer or another page has its turn.
TEST(PageSteps, HaveABoundedNumberOfLinks) {
  TestWeb web;
  web.at(kRoot, page_of_links(40'000));
  Options options = from_root();
  options.pages_max = 1;
  std::size_t links = 0;
  options.hooks.see_link = [&](const FoundLink&) { ++links; };
  sim::World world(sim::calm_options());
  const async::Loop::Running running(world.loop());
  async::Scope root(world.loop(), async::OnFailure::keep_going);
  auto task = root.spawn(web.run(std::move(options)));
  std::size_t most = 0;
  while (!task.done()) {
    const std::size_t before = links;
    CHECK(world.loop().step());
    most = std::max(most, links - before);
  }
  static_cast<void>(task.take());
  EXPECT_EQ(links, 40'000u);
  EXPECT_LE(most, LinkIntake::kStepWork / LinkIntake::kLinkWork);
}

TEST(PageSteps, EndInTheMiddleOfAPageWhenTheCrawlIsAborted) {
  TestWeb web;
  web.page(kRoot, {"/first", "/many"}).at("http://a.example/many", page_of_links(40'000));
  web.page("http://a.example/first", {});
  Engine* engine = nullptr;
  web.on_page = [&](Engine& running) { engine = &running; };
  Options options = from_root();
  std::size_t links = 0;
  options.hooks.see_link = [&](const FoundLink&) {
    if (++links == 100) engine->abort();
  };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::aborted);
  EXPECT_LE(links, LinkIntake::kStepWork / LinkIntake::kLinkWork);
}

}  // namespace
}  // namespace gossamer::crawl
