// Renders pages in a real browser: what is shown, what is kept from the network, what is left.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "render/browser_process.h"
#include "render/renderer.h"
#include "tests/support/command_run.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"
#include "tests/support/processes.h"
#include "tests/support/server_program.h"

namespace gossamer::render {
namespace {

using support::CommandRun;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class RenderTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_browser()) GTEST_SKIP() << "chromium-headless-shell is not installed";
    if (!support::is_installed(support::kPython)) GTEST_SKIP() << "python3 is not installed";
    port_ = support::free_port();
    canary_ = support::free_port();
    site_ = std::make_unique<support::Program>(std::vector<std::string>{
        support::kPython, support::source_path("tests/end_to_end/scripted_site.py"),
        folder_.file("log"), std::to_string(port_), std::to_string(canary_)});
    ASSERT_TRUE(site_->wait_until_listening(port_));
  }

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::vector<std::string> log() const {
    return support::lines_of(support::file_content(folder_.file("log")));
  }
  std::vector<std::string> fetch_words(std::vector<std::string> words) const {
    words.insert(words.begin(), {"fetch", "--no-proxy"});
    return words;
  }

  support::TestFolder folder_;
  std::uint16_t port_ = 0;
  std::uint16_t canary_ = 0;
  std::unique_ptr<support::Program> site_;
};

TEST_F(RenderTest, PrintsLinksThatOnlyAScriptMakes) {
  CommandRun plain(fetch_words({url("/app")}));
  EXPECT_EQ(plain.wait(), 0);
  EXPECT_THAT(plain.out(), Not(HasSubstr("/one")));
  CommandRun run(fetch_words({"--render", url("/app")}));
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_THAT(run.out(), HasSubstr("<a href=\"/one\">to /one</a>"));
  EXPECT_THAT(run.out(), HasSubstr("<template shadowrootmode=\"open\"><a href=\"/shadow\">"));
  EXPECT_THAT(run.out(), HasSubstr("cookies: seen=yes"));
  // The page itself is fetched once for each run, and parts have its cookies.
  const std::vector<std::string> heard = log();
  EXPECT_EQ(std::ranges::count(heard, "GET /app -"), 2);
  EXPECT_THAT(heard, Contains("GET /list.json seen=yes"));
}

TEST_F(RenderTest, ACrawlFollowsLinksThatOnlyAScriptMakes) {
  const std::string records = folder_.file("records.jsonl");
  CommandRun run({"crawl", "--no-proxy", "--render", "auto", "-o", records, url("/app")});
  EXPECT_EQ(run.wait(), 8) << run.err();  // these pages do not exist
  const std::string found = support::file_content(records);
  for (const char* path : {"/one", "/two", "/shadow"}) {
    EXPECT_THAT(found, HasSubstr("\"" + url(path) + "\"")) << path;
  }
  EXPECT_THAT(found, HasSubstr("\"rendered\": {\"why\": \"empty\", \"error\": null"));
  EXPECT_THAT(run.err(), HasSubstr("rendered 1 of 4 URLs; 1 gained links or text"));
  EXPECT_EQ(std::ranges::count(log(), "GET /app -"), 1);
}

TEST_F(RenderTest, ACrawlStoresWhatPagesReceivedAndWhatWasDone) {
  const std::string job = folder_.file("job");
  CommandRun run({"crawl", "--no-proxy", "--render", "auto", "-j", job, url("/app")});
  EXPECT_EQ(run.wait(), 8) << run.err();
  CommandRun list({"warc", "ls", job + "/archive/crawl-00001.warc.gz"});
  EXPECT_EQ(list.wait(), 0) << list.err();
  for (const char* part : {"/app", "/list.json"}) EXPECT_THAT(list.out(), HasSubstr(url(part)));
  CommandRun exported({"job", "export", job, "--jsonl", folder_.file("rows.jsonl")});
  EXPECT_EQ(exported.wait(), 0) << exported.err();
  const std::string rows = support::file_content(folder_.file("rows.jsonl"));
  EXPECT_THAT(rows, HasSubstr("\"needs_scripts\": true"));
  EXPECT_THAT(rows, HasSubstr("\"rendered\": {\"why\": \"empty\", \"error\": null"));
  CommandRun plain({"crawl", "--no-proxy", url("/app")});
  EXPECT_EQ(plain.wait(), 0) << plain.err();
  EXPECT_THAT(plain.err(), HasSubstr("1 page shows little or nothing without scripts"));
}

TEST_F(RenderTest, WritesPictures) {
  const std::string png = folder_.file("page.png");
  const std::string pdf = folder_.file("page.pdf");
  CommandRun run(fetch_words({"--screenshot", png, "--pdf", pdf, url("/app")}));
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(run.out(), "");
  EXPECT_THAT(support::file_content(png), StartsWith("\x89PNG"));
  EXPECT_THAT(support::file_content(pdf), StartsWith("%PDF-"));
}

TEST_F(RenderTest, RejectsWhatIsNotHtml) {
  CommandRun run(fetch_words({"--render", url("/text")}));
  EXPECT_EQ(run.wait(), 7);
  EXPECT_THAT(run.err(), HasSubstr("only HTML can be rendered"));
}

TEST_F(RenderTest, ReadsPagesThatNeverEndOrWaitForAUser) {
  CommandRun run(
      fetch_words({"--render", "--json", "-o", folder_.file("late"), url("/late-loop")}));
  CommandRun loop(fetch_words({"--render", url("/loop")}));
  CommandRun dialogs(fetch_words({"--render", url("/dialogs")}));
  CommandRun leaving(fetch_words({"--render", url("/leave")}));
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_THAT(support::file_content(folder_.file("late")), HasSubstr("/before"));
  EXPECT_THAT(run.out(), HasSubstr("\"ready\": false"));
  EXPECT_EQ(loop.wait(), 0) << loop.err();
  EXPECT_THAT(loop.out(), HasSubstr("/behind"));
  EXPECT_EQ(dialogs.wait(), 0) << dialogs.err();
  EXPECT_THAT(dialogs.out(), HasSubstr("/after-dialogs"));
  EXPECT_EQ(leaving.wait(), 0) << leaving.err();
  EXPECT_THAT(leaving.out(), HasSubstr("/here"));
  EXPECT_THAT(log(), Not(Contains(StartsWith("GET /there"))));
}

TEST_F(RenderTest, ACrawlReadsAPageThatLoopsWhileItIsParsed) {
  const std::string records = folder_.file("records.jsonl");
  CommandRun run({"crawl", "--no-proxy", "--render", "always", "-o", records, url("/loop")});
  EXPECT_EQ(run.wait(), 8) << run.err();  // these pages do not exist
  EXPECT_THAT(support::file_content(records), HasSubstr("\"" + url("/behind") + "\""));
  EXPECT_THAT(run.err(), HasSubstr("rendered 1 of 3 URLs"));
}

TEST_F(RenderTest, WaitsForElementsAndScrolls) {
  CommandRun wait(fetch_words({"--render", "--wait-for", "#late", url("/later")}));
  CommandRun scroll(fetch_words({"--render", "--scroll", "1", url("/scroll")}));
  CommandRun wrong(fetch_words({"--render", "--wait-for", "a[", url("/later")}));
  EXPECT_EQ(wait.wait(), 0) << wait.err();
  EXPECT_THAT(wait.out(), HasSubstr("/came-late"));
  EXPECT_EQ(scroll.wait(), 0) << scroll.err();
  EXPECT_THAT(scroll.out(), HasSubstr("/came-by-scroll"));
  EXPECT_NE(wrong.wait(), 0);
  EXPECT_THAT(wrong.err(), HasSubstr("is not a CSS selector"));
}

TEST_F(RenderTest, EndsAtTheLimitsOfTheFetch) {
  CommandRun slow(fetch_words({"--render", "--wait-for", "#none", "-m", "2", url("/later")}));
  CommandRun large(fetch_words({"--render", "--max-size", "10", url("/later")}));
  EXPECT_EQ(slow.wait(), 4) << slow.out();
  EXPECT_EQ(large.wait(), 7) << large.out();
}

TEST_F(RenderTest, RejectsFilesThatItCannotWrite) {
  const std::string file = folder_.file("one");
  CommandRun same(fetch_words({"--screenshot", file, "--pdf", file, url("/app")}));
  CommandRun lost(fetch_words({"--pdf", folder_.file("none/x.pdf"), url("/app")}));
  EXPECT_EQ(same.wait(), 2);
  EXPECT_EQ(lost.wait(), 2);
  EXPECT_THAT(log(), testing::IsEmpty());
}

// A browser that the user started.
class OwnBrowser {
 public:
  explicit OwnBrowser(const std::string& folder)
      : port_(support::free_port()),
        program_({*find_browser(), "--headless", "--no-sandbox", "--disable-gpu",
                  "--remote-debugging-port=" + std::to_string(port_), "--user-data-dir=" + folder,
                  "about:blank"}) {}

  bool wait() { return program_.wait_until_listening(port_); }
  std::string url() const {
    CommandRun run(
        {"fetch", "--no-proxy", "http://127.0.0.1:" + std::to_string(port_) + "/json/version"});
    EXPECT_EQ(run.wait(), 0) << run.err();
    const std::string answer = run.out();
    const std::size_t begin = answer.find("ws://");
    return begin == std::string::npos ? "" : answer.substr(begin, answer.find('"', begin) - begin);
  }
  // How many pages it has.
  std::size_t pages() const {
    CommandRun run(
        {"fetch", "--no-proxy", "http://127.0.0.1:" + std::to_string(port_) + "/json/list"});
    EXPECT_EQ(run.wait(), 0) << run.err();
    std::size_t count = 0;
    for (std::size_t at = run.out().find("\"type\": \"page\""); at != std::string::npos;
         at = run.out().find("\"type\": \"page\"", at + 1)) {
      ++count;
    }
    return count;
  }

 private:
  const std::uint16_t port_;
  support::Program program_;
};

TEST_F(RenderTest, ACrawlUsesABrowserOfTheUser) {
  OwnBrowser browser(folder_.file("own"));
  ASSERT_TRUE(browser.wait());
  const std::string own = browser.url();
  const std::string records = folder_.file("records.jsonl");
  CommandRun run({"crawl", "--no-proxy", "--render", "auto", "--render-with", own, "-o", records,
                  url("/app")});
  EXPECT_EQ(run.wait(), 8) << run.err();  // these pages do not exist
  EXPECT_THAT(support::file_content(records), HasSubstr("\"" + url("/one") + "\""));
  EXPECT_THAT(run.err(), HasSubstr("this browser is not sealed"));
  EXPECT_THAT(run.err(), HasSubstr("rendered 1 of 4 URLs; 1 gained links or text"));
  EXPECT_TRUE(support::wait_until([&] { return browser.pages() == 1; }))
      << "its own page is still there, and none of ours";
  CommandRun wrong(
      {"crawl", "--no-proxy", "--render", "auto", "--render-with", "http://a/", url("/")});
  EXPECT_EQ(wrong.wait(), 2);
}

TEST_F(RenderTest, FetchAndDoctorUseABrowserOfTheUser) {
  OwnBrowser browser(folder_.file("own"));
  ASSERT_TRUE(browser.wait());
  const std::string own = browser.url();
  CommandRun run(fetch_words({"--render", "--render-with", own, url("/app")}));
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_THAT(run.out(), HasSubstr("<a href=\"/one\">to /one</a>"));
  EXPECT_THAT(run.err(), HasSubstr("this browser is not sealed"));
  CommandRun doctor({"doctor", "--render-with", own});
  EXPECT_EQ(doctor.wait(), 0) << doctor.err();
  EXPECT_THAT(doctor.out(), HasSubstr("rendering   yes, isolation: none"));
  EXPECT_TRUE(support::wait_until([&] { return browser.pages() == 1; }));
}

// The user typed both names, but not for the pages of the other one.
TEST_F(RenderTest, LetsNoPageReachAnotherServerThatWasTyped) {
  CommandRun run(fetch_words(
      {"--render", url("/reach"), "http://localhost:" + std::to_string(port_) + "/poll"}));
  run.wait();
  EXPECT_THAT(log(), Contains(StartsWith("GET /poll")));
  EXPECT_THAT(log(), Not(Contains(StartsWith("canary"))));
}

TEST_F(RenderTest, LetsNoPageReachAnotherServer) {
  CommandRun run(fetch_words({"--render", "--json", url("/hostile")}));
  EXPECT_EQ(run.wait(), 0) << run.err();
  const std::vector<std::string> heard = log();
  EXPECT_THAT(heard, Contains(StartsWith("GET /poll")));  // its scripts did run
  EXPECT_THAT(heard, Contains(StartsWith("GET /away")));
  EXPECT_THAT(heard, Not(Contains(StartsWith("canary"))));
}

// Answers what the site has, and would tell if anything else was requested.
class SiteParts final : public Parts {
 public:
  async::Task<Result<PartAnswer>> fetch(http::Request request) override {
    const std::string path(request.url.pathname());
    if (path == "/worker.js") {
      co_return PartAnswer{
          .status = 200, .fields = {{"Content-Type", "text/javascript"}}, .body = worker};
    }
    if (path == "/poll") ++polls;
    co_return fail(Errc::denied);
  }

  std::string worker;
  std::size_t polls = 0;
};

struct IsolatedRun {
  Result<Rendered> rendered = fail(Errc::internal);
  std::optional<Isolation> isolation;
};

// BORROWS: the parts.
async::Task<IsolatedRun> render_isolated(Isolation strongest, Document document, Parts& parts) {
  IsolatedRun run;
  async::Scope scope(async::OnFailure::keep_going);
  {
    ProcessLauncher launcher(strongest);
    Renderer renderer(launcher, scope, {});
    run.rendered = co_await renderer.render(std::move(document), parts, {});
    run.isolation = renderer.isolation();
    renderer.close();
  }
  static_cast<void>(co_await scope.join());
  co_return run;
}

// Each guard alone keeps pages from the network; namespaces and options are used together.
TEST_F(RenderTest, EachIsolationKeepsPagesFromTheNetwork) {
  CommandRun page(fetch_words({url("/hostile")}));
  CommandRun worker(fetch_words({url("/worker.js")}));
  ASSERT_EQ(page.wait(), 0);
  ASSERT_EQ(worker.wait(), 0);
  for (const Isolation isolation : {Isolation::flags, Isolation::no_network, Isolation::sealed}) {
    SCOPED_TRACE(name(isolation));
    SiteParts parts;
    parts.worker = worker.out();
    async::Loop loop;
    // A public address: the browser's own rules for local ones do not help.
    const IsolatedRun run = loop.run(render_isolated(
        isolation,
        {.url = "http://page.example/hostile",
         .answer = {.status = 200, .fields = {{"Content-Type", "text/html"}}, .body = page.out()}},
        parts));
    ASSERT_TRUE(run.rendered.has_value()) << run.rendered.error().to_string();
    EXPECT_LE(run.isolation, isolation);
    EXPECT_GT(parts.polls, 0U);
    EXPECT_THAT(log(), Not(Contains(StartsWith("canary"))));
  }
}

TEST_F(RenderTest, LeavesNoProcessWhenItIsKilled) {
  CommandRun run(fetch_words({"--render", url("/busy")}));
  support::wait_until([&] {
    return std::ranges::any_of(
        log(), [](const std::string& line) { return line.starts_with("GET /poll"); });
  });
  const std::vector<pid_t> processes = support::descendants_of(run.pid());
  EXPECT_GT(processes.size(), 3U);
  run.send_signal(SIGKILL);
  EXPECT_EQ(run.wait(), -1);
  support::wait_until([&] { return std::ranges::none_of(processes, support::is_running); });
}

}  // namespace
}  // namespace gossamer::render
