// Renders pages in browsers of a simulated world.

#include "render/renderer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "async/gather.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/world.h"
#include "tests/support/browser_model.h"
#include "tests/support/suite.h"

namespace gossamer::render {
namespace {

using async::Task;
using support::BrowserHabits;
using support::BrowserModel;
using testing::ElementsAre;
using testing::HasSubstr;

// The rest of the web.
class FakeParts final : public Parts {
 public:
  Task<Result<PartAnswer>> fetch(http::Request request) override {
    const std::string url(request.url.href());
    requested.push_back(url);
    if (auto slept = co_await async::sleep(delay); !slept) co_return fail(std::move(slept).error());
    const auto found = bodies.find(url);
    if (found == bodies.end()) co_return fail(Errc::not_found);
    co_return PartAnswer{.status = 200, .fields = {}, .body = found->second};
  }

  std::map<std::string, std::string> bodies;
  Duration delay = 100ms;
  std::vector<std::string> requested;
};

Document document(std::string body) {
  return {.url = "https://a.example/page",
          .answer = {.status = 200, .fields = {{"Content-Type", "text/html"}}, .body = body}};
}

// Renders one page after the other.
Task<std::vector<Result<Rendered>>> render_all(BrowserModel& model, std::vector<std::string> bodies,
                                               FakeParts& parts, RenderOptions options = {}) {
  std::vector<Result<Rendered>> results;
  async::Scope scope(async::OnFailure::keep_going);
  {
    Renderer renderer(model, scope, {});
    for (std::string& body : bodies) {
      results.push_back(co_await renderer.render(document(std::move(body)), parts, options));
    }
    renderer.close();
  }
  static_cast<void>(co_await scope.join());
  co_return results;
}

TEST(Renderer, ReturnsTheLinksThatScriptsMake) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  FakeParts parts;
  parts.bodies["https://a.example/app.js"] =
      "link https://a.example/2\npart https://a.example/3.js";
  parts.bodies["https://a.example/3.js"] = "link https://a.example/3";
  const auto results = world.run(
      render_all(model, {"link https://a.example/1\npart https://a.example/app.js"}, parts));
  ASSERT_TRUE(results[0].has_value()) << results[0].error().to_string();
  EXPECT_THAT(results[0]->content.links,
              ElementsAre("https://a.example/1", "https://a.example/2", "https://a.example/3"));
  EXPECT_THAT(results[0]->content.html, HasSubstr("https://a.example/3"));
  EXPECT_EQ(results[0]->parts, 2U);
  EXPECT_FALSE(results[0]->is_unready);
  EXPECT_EQ(model.running, 0U);
  EXPECT_EQ(model.tabs, 0U);
}

TEST(Renderer, UsesOneBrowserForManyPages) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  FakeParts parts;
  const auto results =
      world.run(render_all(model, {"link https://a/1", "link https://a/2"}, parts));
  EXPECT_TRUE(results[0].has_value());
  EXPECT_TRUE(results[1].has_value());
  EXPECT_EQ(model.launched, 1U);
}

Document document_at(std::string url) {
  Document made = document("link https://a.example/1");
  made.url = std::move(url);
  return made;
}

// A new tab costs a browser as much as a page; and pages must not see what other origins stored.
TEST(Renderer, UsesOneTabForThePagesOfOneOrigin) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  const auto scene = [](BrowserModel& browsers) -> Task<void> {  // BORROWS: the model
    async::Scope scope(async::OnFailure::keep_going);
    FakeParts parts;
    {
      Renderer renderer(browsers, scope, {.pages_max = 2});
      for (const char* url : {"https://a.example/1", "https://a.example/2", "https://b.example/1",
                              "https://a.example/3", "https://c.example/1", "http://c.example/1"}) {
        EXPECT_TRUE((co_await renderer.render(document_at(url), parts, {})).has_value());
        EXPECT_LE(browsers.tabs, 2U);
      }
      renderer.close();
    }
    static_cast<void>(co_await scope.join());
  };
  world.run(scene(model));
  EXPECT_EQ(std::ranges::count(model.commands, "Target.createTarget"), 4);
  EXPECT_GE(std::ranges::count(model.commands, "Network.clearBrowserCookies"), 4);  // not the last
  EXPECT_EQ(model.tabs, 0U);
}

TEST(Renderer, OpensAnotherTabIfThePageBeforeLedItElsewhere) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  FakeParts parts;
  const auto results = world.run(render_all(model, {"leave", "link https://a/1"}, parts));
  EXPECT_TRUE(results[0].has_value());
  ASSERT_TRUE(results[1].has_value()) << results[1].error().to_string();
  EXPECT_THAT(results[1]->content.links, ElementsAre("https://a/1"));
  EXPECT_EQ(model.launched, 1U);
  EXPECT_EQ(model.tabs, 0U);
}

TEST(Renderer, SaysThatNoBrowserIsInstalled) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  model.is_installed = false;
  FakeParts parts;
  const auto results = world.run(render_all(model, {""}, parts));
  EXPECT_EQ(results[0].error(), Errc::not_found);
}

TEST(Renderer, ReadsAPageWhoseScriptNeverEnds) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  FakeParts parts;
  const auto results = world.run(render_all(model, {"link https://a/1\nhang"}, parts));
  ASSERT_TRUE(results[0].has_value()) << results[0].error().to_string();
  EXPECT_TRUE(results[0]->is_unready);
  EXPECT_THAT(results[0]->content.links, ElementsAre("https://a/1"));
  EXPECT_THAT(model.commands, testing::Contains("Runtime.terminateExecution"));
}

TEST(Renderer, TriesAPageThatCrashesOnceMore) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  FakeParts parts;
  const auto results = world.run(render_all(model, {"crash", "link https://a/1"}, parts));
  EXPECT_EQ(results[0].error(), Errc::peer_closed);
  EXPECT_TRUE(results[1].has_value());
  EXPECT_EQ(model.launched, 3U);
}

TEST(Renderer, ReadsAPageWhoseScriptNeverLetsItBeParsed) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  FakeParts parts;
  const auto results =
      world.run(render_all(model, {"link https://a/1\nloop\nlink https://a/2"}, parts));
  ASSERT_TRUE(results[0].has_value()) << results[0].error().to_string();
  EXPECT_THAT(results[0]->content.links, ElementsAre("https://a/1", "https://a/2"));
  EXPECT_LT(results[0]->took, 10s);
  EXPECT_EQ(model.launched, 1U);
}

TEST(Renderer, WaitsOnlyForTheFirstBrowsersThatDoNotStart) {
  sim::World world = sim::World::calm();
  BrowserModel model(1, {.falls_silent = 1.0});
  FakeParts parts;
  const auto results = world.run(render_all(model, {"", "", "", ""}, parts));
  for (const Result<Rendered>& result : results) EXPECT_EQ(result.error(), Errc::timed_out);
  EXPECT_EQ(model.launched, RendererOptions().failed_starts_max);
}

TEST(Renderer, TriesToStartABrowserAgainAfterAPause) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  const auto scene = [](BrowserModel& browsers) -> Task<void> {  // BORROWS: the model
    async::Scope scope(async::OnFailure::keep_going);
    FakeParts parts;
    {
      Renderer renderer(browsers, scope, {.pause_after_failed_starts = 60s});
      browsers.is_installed = false;
      for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE((co_await renderer.render(document(""), parts, {})).has_value());
      }
      browsers.is_installed = true;
      EXPECT_FALSE((co_await renderer.render(document(""), parts, {})).has_value());
      static_cast<void>(co_await async::sleep(60s));
      EXPECT_TRUE((co_await renderer.render(document(""), parts, {})).has_value());
      renderer.close();
    }
    static_cast<void>(co_await scope.join());
  };
  world.run(scene(model));
}

TEST(Renderer, ScrollsPagesIfThatIsWanted) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  FakeParts parts;
  const std::string page = "link https://a/1\nbelow https://a/2";
  const auto unmoved = world.run(render_all(model, {page}, parts));
  EXPECT_THAT(unmoved[0]->content.links, ElementsAre("https://a/1"));
  const auto scrolled = world.run(render_all(model, {page}, parts, {.scrolls = 2}));
  EXPECT_THAT(scrolled[0]->content.links, ElementsAre("https://a/1", "https://a/2"));
}

TEST(Renderer, BoundsWhatAPageRequests) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  FakeParts parts;
  parts.bodies["https://a/big"] = std::string(2000, 'x');
  std::string body;
  for (int i = 0; i < 9; ++i) body += "part https://a/" + std::to_string(i) + "\n";
  const auto results = world.run(render_all(model, {body, "part https://a/big"}, parts,
                                            {.parts_max = 5, .part_bytes_max = 1000}));
  EXPECT_EQ(parts.requested.size(), 5U + 1U);
  EXPECT_EQ(results[0]->parts, 9U);
  EXPECT_EQ(results[0]->parts_refused, 9U);  // four by the bound, five are not found
  EXPECT_EQ(results[1]->parts_refused, 1U);
  EXPECT_EQ(results[1]->bytes, 0U);
}

TEST(Renderer, EndsAnIdleBrowser) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  const auto scene = [](BrowserModel& browsers) -> Task<void> {  // BORROWS: the model
    async::Scope scope(async::OnFailure::keep_going);
    FakeParts parts;
    {
      Renderer renderer(browsers, scope, {.idle_max = 10s});
      EXPECT_EQ(browsers.launched, 0U);
      static_cast<void>(co_await renderer.render(document(""), parts, {}));
      static_cast<void>(co_await async::sleep(9s));
      EXPECT_EQ(browsers.running, 1U);
      static_cast<void>(co_await async::sleep(2s));
      EXPECT_EQ(browsers.running, 0U);
      EXPECT_TRUE((co_await renderer.render(document(""), parts, {})).has_value());
      EXPECT_EQ(browsers.launched, 2U);
      renderer.close();
    }
    static_cast<void>(co_await scope.join());
  };
  world.run(scene(model));
}

// Several pages concurrently. Returns how many were rendered.
Task<std::size_t> render_together(BrowserModel& model, std::size_t pages, FakeParts& parts) {
  async::Scope scope(async::OnFailure::keep_going);
  std::size_t rendered = 0;
  {
    Renderer renderer(model, scope, {.pages_max = 2, .pages_per_browser_max = 3});
    async::Scope work(async::OnFailure::keep_going);
    std::vector<async::JoinHandle<Result<Rendered>>> handles;
    for (std::size_t i = 0; i < pages; ++i) {
      handles.push_back(work.spawn(
          renderer.render(document("link https://a/1\npart https://a/app.js"), parts, {})));
    }
    static_cast<void>(co_await work.join());
    for (auto& handle : handles) {
      const Result<Rendered> result = handle.take();
      if (!result) continue;
      ++rendered;
      EXPECT_THAT(result->content.links, ElementsAre("https://a/1", "https://a/2"));
    }
    renderer.close();
  }
  static_cast<void>(co_await scope.join());
  co_return rendered;
}

TEST(Renderer, ReplacesABrowserThatHadManyPages) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  FakeParts parts;
  parts.bodies["https://a/app.js"] = "link https://a/2";
  EXPECT_EQ(world.run(render_together(model, 7, parts)), 7U);
  EXPECT_EQ(model.launched, 3U);
  EXPECT_EQ(model.running, 0U);
}

// Renders pages one after the other, each while another one takes its time. Returns how long each
// of the others took. BORROWS: the model.
Task<std::vector<Duration>> render_beside(BrowserModel& model, std::size_t pages,
                                          RendererOptions options) {
  std::vector<Duration> took;
  async::Scope scope(async::OnFailure::keep_going);
  FakeParts parts;
  {
    Renderer renderer(model, scope, options);
    for (std::size_t i = 0; i < pages; ++i) {
      async::Scope work(async::OnFailure::keep_going);
      work.spawn(renderer.render(document("hang"), parts, {}));
      static_cast<void>(co_await async::sleep(100ms));
      const Instant begun = async::Loop::current().now();
      EXPECT_TRUE(co_await renderer.render(document("link https://a/1"), parts, {}));
      took.push_back(async::Loop::current().now() - begun);
      static_cast<void>(co_await work.join());
    }
    renderer.close();
  }
  static_cast<void>(co_await scope.join());
  co_return took;
}

TEST(Renderer, ReplacesABrowserThatTakesTooMuchMemory) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  model.bytes_per_page = 400;
  world.run(render_beside(model, 6, {.pages_max = 2, .browser_bytes_max = 1000}));
  EXPECT_GE(model.launched, 3U);
  EXPECT_LE(model.launched, 5U);
  EXPECT_EQ(model.running, 0U);
}

// The first page waits for the new one. Meanwhile the old one serves the second.
TEST(Renderer, StartsANewBrowserBeforeTheOldOneGoes) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  model.start_time = 5s;
  const auto took =
      world.run(render_beside(model, 2, {.pages_max = 2, .pages_per_browser_max = 2}));
  EXPECT_GT(took[0], 4s);
  EXPECT_LT(took[1], 1s);
  EXPECT_EQ(model.launched, 2U);
  EXPECT_EQ(model.running_max, 2U);
}

TEST(Renderer, ForgetsAStartThatWasCancelled) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  model.start_time = 10s;
  const auto scene = [](BrowserModel& browsers) -> Task<void> {  // BORROWS: the model
    async::Scope scope(async::OnFailure::keep_going);
    FakeParts parts;
    {
      Renderer renderer(browsers, scope, {});
      for (int i = 0; i < 4; ++i) {
        auto cut = co_await async::with_timeout(1s, renderer.render(document(""), parts, {}));
        EXPECT_EQ(cut.error(), Errc::timed_out);
      }
      EXPECT_TRUE(co_await renderer.render(document(""), parts, {})) << "no start has failed";
      renderer.close();
    }
    static_cast<void>(co_await scope.join());
  };
  world.run(scene(model));
}

TEST(Renderer, BoundsHowOftenAPageIsScrolled) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  FakeParts parts;
  const auto results =
      world.run(render_all(model, {"link https://a/1"}, parts, {.scrolls = 4'000'000'000}));
  ASSERT_TRUE(results[0].has_value());
  EXPECT_LT(results[0]->took, 300s);
}

// A script that leads back to the page itself is no route, and no reason to request it.
TEST(Renderer, NamesTheRoutesThatScriptsPushed) {
  sim::World world = sim::World::calm();
  BrowserModel model;
  FakeParts parts;
  const auto results =
      world.run(render_all(model,
                           {"route https://a.example/page\nroute https://a.example/page#x\n"
                            "route https://a.example/two\nroute https://a.example/two"},
                           parts));
  ASSERT_TRUE(results[0].has_value());
  EXPECT_THAT(results[0]->routes, ElementsAre("https://a.example/two"));
}

TEST(Renderer, EndsEveryPageWhateverBrowsersDo) {
  const std::uint64_t worlds = support::cases_to_run(400);
  std::size_t rendered = 0;
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    const double trouble = random.unit() * 0.02;
    BrowserModel model(seed, {.delay_max = std::chrono::milliseconds(random.below(2000)),
                              .dies = random.unit() * trouble,
                              .falls_silent = random.unit() * trouble,
                              .says_nonsense = random.unit() * trouble,
                              .forgets = random.unit() * trouble});
    FakeParts parts;
    parts.bodies["https://a/app.js"] = "link https://a/2";
    sim::World world = sim::World::calm(seed);
    rendered += world.run(render_together(model, 5, parts));
    EXPECT_EQ(model.running, 0U);
    EXPECT_EQ(model.tabs, 0U);
  }
  EXPECT_GT(rendered, 5 * worlds / 2);
}

Task<Result<void>> render_one() {
  BrowserModel model;
  FakeParts parts;
  parts.bodies["https://a/app.js"] = "link https://a/2";
  auto results = co_await render_all(model, {"part https://a/app.js"}, parts);
  EXPECT_EQ(model.running, 0U);
  if (!results[0]) co_return fail(std::move(results[0]).error());
  co_return {};
}

TEST(Renderer, CanBeCancelledAnywhere) {
  sim::for_every_cancellation_point([] { return render_one(); });
}

}  // namespace
}  // namespace gossamer::render
