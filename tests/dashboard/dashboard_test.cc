// Tests the pages of `gossamer serve` in a browser, with the real server and an archive of a site
// that attacks its readers.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/dashboard/browsing.h"
#include "tests/support/node_modules.h"
#include "tests/support/places.h"

namespace gossamer::dashboard {
namespace {

using support::CommandRun;
using support::Program;

// A port of its own that nobody may connect to. The crawl cannot: nothing listens until it is over.
class Canary {
 public:
  Canary() : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address_;
    EXPECT_EQ(bind(descriptor_, reinterpret_cast<sockaddr*>(&address_), length), 0);
    EXPECT_EQ(getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address_), &length), 0);
  }
  ~Canary() { close(descriptor_); }
  Canary(const Canary&) = delete;
  Canary& operator=(const Canary&) = delete;

  int port() const { return ntohs(address_.sin_port); }
  void listen() const { EXPECT_EQ(::listen(descriptor_, 8), 0); }
  void reach() const {
    const int caller = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(connect(caller, reinterpret_cast<const sockaddr*>(&address_), sizeof address_), 0);
    close(caller);
  }
  bool was_reached() const {
    pollfd knock = {.fd = descriptor_, .events = POLLIN, .revents = 0};
    return poll(&knock, 1, 300) != 0;
  }

 private:
  int descriptor_;
  sockaddr_in address_ = {};
};

// Everything that a test needs, started once: a site, an archive of it, a crawl of it that hangs at
// a slow page, a server and a browser.
struct Stage {
  Stage();

  void crawl(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"crawl", "--no-proxy", "-q", site + "/", "-o", "/dev/null"};
    words.insert(words.end(), more.begin(), more.end());
    CommandRun run(words);
    run.wait();
  }

  support::TestFolder folder;
  Canary canary;
  Program site_program{
      {support::kPython, source("hostile_site.py"), std::to_string(canary.port()), "3600"},
      folder.file("site.log")};
  std::string site;
  std::unique_ptr<CommandRun> running;
  std::unique_ptr<CommandRun> server;
  std::string address;
  Browser browser;
};

Stage::Stage() {
  site = "http://127.0.0.1:" + first_line(folder.file("site.log"));
  const std::string job = folder.file("museum");
  crawl({"-j", job, "--assets", "--exclude", "/slow"});
  canary.listen();
  CommandRun index({"index", job});
  EXPECT_EQ(index.wait(), 0) << index.err();
  const std::string socket = folder.file("control");
  running = std::make_unique<CommandRun>(
      std::vector<std::string>{"crawl", "--no-proxy", "-q", site + "/", "-o", "/dev/null",
                               "--control", socket, "--read-timeout", "1h"});
  support::wait_until([&] { return std::filesystem::exists(socket); });
  std::filesystem::create_directory(folder.file("crawls"));
  server = std::make_unique<CommandRun>(
      std::vector<std::string>{"serve", job, "--control", socket, "--new", folder.file("crawls")});
  support::wait_until([&] { return !server->out_lines().empty(); });
  address = server->out_lines().front();
}

class DashboardTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (Browser::is_available()) stage_ = std::make_unique<Stage>();
  }
  static void TearDownTestSuite() { stage_.reset(); }

  void SetUp() override {
    if (stage_ == nullptr) GTEST_SKIP() << "chromium is not installed";
    browser().set_view({});
    ASSERT_TRUE(browser().open("about:blank"));
    ASSERT_TRUE(browser().open(stage_->address));
    ASSERT_TRUE(wait_for_text(browser(), "museum"));
  }

  static Browser& browser() { return stage_->browser; }
  std::string replay(const std::string& path, const std::string& at = "latest") const {
    return "#/replay/" + at + "/" + stage_->site + path;
  }
  void show(const std::string& hash, const std::string& text) const {
    go(browser(), hash);
    wait_for_text(browser(), text);
  }

  static inline std::unique_ptr<Stage> stage_;
};

TEST_F(DashboardTest, TakesTheTokenOutOfTheAddress) {
  EXPECT_EQ(browser().evaluate("location.hash"), "#/search");
  EXPECT_EQ(browser().evaluate("document.body.innerHTML.includes(sessionStorage.getItem("
                               "'gossamer-token'))"),
            false);
  browser().evaluate("sessionStorage.clear()");
  go(browser(), "#/pages");
  EXPECT_TRUE(wait_for_text(browser(), "Gossamer needs its token"));
}

TEST_F(DashboardTest, FindsPagesWhileTheUserTypes) {
  browser().evaluate("document.activeElement.blur()");
  browser().press("/");
  EXPECT_EQ(browser().evaluate("document.activeElement.id"), "query");
  for (const char* key : {"f", "l", "i", "n", "t"}) browser().press(key);
  ASSERT_TRUE(browser().wait_until("document.querySelectorAll('.hit').length === 2"));
  EXPECT_EQ(browser().evaluate("location.hash"), "#/search?q=flint");
  EXPECT_EQ(text_of(browser(), ".hit-text mark"), "flint");
  save_picture(browser(), "search");
  browser().press("ArrowDown");
  EXPECT_EQ(browser().evaluate("document.activeElement.className"), "hit-title");
  browser().press("Escape");
  EXPECT_EQ(browser().evaluate("document.activeElement.id"), "query");
}

TEST_F(DashboardTest, SaysThatNothingMatches) {
  show("#/search?q=xylophone", "Nothing matches xylophone");
  show("#/search?q=flint site:other.example", "Without site:other.example (2 pages)");
  EXPECT_EQ(browser().evaluate("document.body.innerText.includes('Without the quotes')"), false);
  show("#/search?q=before:someday", "This query cannot be read");
}

TEST_F(DashboardTest, ReplaysAPageAndFollowsItsLinks) {
  show(replay("/stone"), "UTC");
  ASSERT_TRUE(browser().wait_until("!document.querySelector('.frame').ariaBusy"));
  save_picture(browser(), "replay");
  // The page is one large link to a page that was not archived.
  ASSERT_TRUE(browser().wait_until("/\\/replay\\/\\d{14}/.test(location.hash)"));
  const Json page = browser().evaluate("location.hash");
  // A browser ignores clicks on a frame until it has drawn it.
  support::wait_until([&] {
    browser().click(600, 500);
    return browser().evaluate(
               "new Promise((done) => setTimeout(() => done(location.hash), 200))") != page;
  });
  EXPECT_TRUE(
      browser().wait_until("document.querySelector('.bar input').value.endsWith("
                           "'/forgotten')"));
}

TEST_F(DashboardTest, SaysThatAPageIsNotArchived) {
  show(replay("/never/linked"), "Not in the archive");
  EXPECT_TRUE(wait_for_text(browser(), "No capture"));
  save_picture(browser(), "not-archived");
}

TEST_F(DashboardTest, ShowsCapturesMissingPartsAndHowFarOffTheTimeIs) {
  show(replay("/", "20200101000000"), "after the time you chose");
  browser().evaluate("document.querySelector('.time').click()");
  EXPECT_TRUE(wait_for_text(browser(), "1 capture"));
  EXPECT_EQ(browser().evaluate("document.querySelectorAll('.days button').length"), 1);
  save_picture(browser(), "calendar");
  browser().press("Escape");
  EXPECT_EQ(browser().evaluate("document.querySelector('.panel').hidden"), true);
  browser().evaluate("Array.from(document.querySelectorAll('.bar button')).at(-1).click()");
  EXPECT_TRUE(wait_for_text(browser(), "/lost.png"));
}

TEST_F(DashboardTest, DrawsTheSiteMapAndItsTable) {
  show("#/map", "127.0.0.1");
  browser().evaluate("document.querySelector('.tile').focus()");
  browser().press("Enter");
  ASSERT_TRUE(browser().wait_until("document.querySelectorAll('.tile').length > 2"));
  save_picture(browser(), "map");
  browser().evaluate("document.querySelector('.tile[href*=stone]').click()");
  EXPECT_TRUE(browser().wait_until("/\\/replay\\/\\d{14}\\/http:.*stone/.test(location.hash)"));
  browser().evaluate("history.back()");
  EXPECT_TRUE(browser().wait_until("document.querySelectorAll('.tile').length > 2"));
  press_button(browser(), "Errors");
  EXPECT_TRUE(wait_for_text(browser(), "1 error"));
  press_button(browser(), "Table");
  EXPECT_TRUE(browser().wait_until("document.querySelectorAll('.treemap tbody tr').length > 2"));
}

TEST_F(DashboardTest, ShowsTheReportAndTheListOfPages) {
  show("#/report", "Finished: every URL in scope was fetched.");
  EXPECT_GT(browser().evaluate("document.querySelectorAll('.bars .length').length"), 3);
  save_picture(browser(), "report");
  show("#/pages?contains=stone", "The Stone Age");
  EXPECT_EQ(browser().evaluate("document.querySelectorAll('.pages tbody tr').length"), 1);
}

TEST_F(DashboardTest, ShowsAndControlsARunningCrawl) {
  show("#/live", "/slow");
  EXPECT_TRUE(wait_for_text(browser(), "Running"));
  browser().evaluate("document.querySelector('.fetches summary').click()");
  EXPECT_TRUE(browser().wait_until("document.querySelector('.stack').innerText.includes('.cc:')"));
  save_picture(browser(), "live");
  press_button(browser(), "Pause");
  EXPECT_TRUE(wait_for_text(browser(), "Paused"));
  EXPECT_TRUE(wait_for_text(browser(), "Resume"));
  EXPECT_EQ(browser().evaluate("document.querySelector('.fetches details').open"), true)
      << "an update keeps what is open";
  press_button(browser(), "Resume");
  EXPECT_TRUE(wait_for_text(browser(), "Running"));
  EXPECT_TRUE(browser().wait_until("document.querySelectorAll('.log strong').length >= 2"));
}

TEST_F(DashboardTest, ShowsErrorsWithTheirUrlsAndExcludesUrls) {
  show("#/live", "Running");
  EXPECT_TRUE(browser().wait_until(
      "/404.*http:/s.test(document.querySelector('.failures')?.textContent ?? '')"));
  browser().evaluate(
      "document.querySelector('.controls details').open = true;"
      "const form = Array.from(document.querySelectorAll('.act')).find((one) =>"
      " one.textContent.includes('match a pattern'));"
      "form.querySelector('input').value = '/never/'; form.requestSubmit()");
  EXPECT_TRUE(wait_for_text(browser(), "Done: excluded /never/."));
  EXPECT_TRUE(wait_for_text(browser(), "exclude /never/"));
  save_picture(browser(), "live-errors");
}

TEST_F(DashboardTest, StartsACrawl) {
  show("#/live", "New crawl");
  browser().evaluate(
      "document.querySelector('.new-crawl').open = true;"
      "const set = (name, value) => { const input = document.querySelector(`[name=${name}]`);"
      " input.value = value; input.dispatchEvent(new Event('input')); };"
      "set('url', " +
      js_string(stage_->site + "/forgotten") +
      "); set('limit', '3'); document.querySelector('.new-crawl form').requestSubmit()");
  EXPECT_TRUE(browser().wait_until("location.hash === '#/live?crawl=1'"));
  EXPECT_TRUE(wait_for_text(browser(), "127.0.0.1/control"));
  save_picture(browser(), "live-new");
  EXPECT_TRUE(std::filesystem::exists(stage_->folder.file("crawls/127.0.0.1/job.toml")));
  // Its directory has the end, and the view leads on to what it has.
  EXPECT_TRUE(
      browser().wait_until("/The crawl (is finished|has ended)/.test(document.body.innerText)"));
  EXPECT_TRUE(browser().wait_until(
      "Array.from(document.querySelectorAll('.live a.primary')).map((a) => a.textContent).join(' ')"
      " === 'Search Pages Report'"));
  // The crawl without a limit is still there.
  show("#/live?crawl=0", "/slow");
}

// The crawl of the directory had a socket there, and nobody watched it.
TEST_F(DashboardTest, ShowsTheEndOfACrawlThatEndedBefore) {
  CommandRun server({"serve", stage_->folder.file("museum"), "--control",
                     stage_->folder.file("control-of-the-past")});
  support::wait_until([&] { return !server.out_lines().empty(); });
  ASSERT_TRUE(browser().open(server.out_lines().front()));
  show("#/live", "The crawl is finished.");
  EXPECT_TRUE(browser().wait_until(
      "Array.from(document.querySelectorAll('.live a.primary')).map((a) => a.textContent).join(' ')"
      " === 'Search Pages Report'"));
  EXPECT_FALSE(browser().evaluate("document.body.innerText.includes('Not running')").get<bool>());
  save_picture(browser(), "live-past");
}

TEST_F(DashboardTest, IsReadableOnAPhoneAndInTheDark) {
  const std::vector<std::pair<std::string, std::string>> views = {
      {"#/search?q=flint", "2 pages"}, {"#/pages", "The Stone Age"}, {"#/map", "127.0.0.1"},
      {"#/report", "Finished"},        {"#/live", "Running"},        {replay("/stone"), "UTC"}};
  browser().set_view({.width = 390, .height = 844, .is_dark = true, .is_phone = true});
  for (const auto& [hash, text] : views) {
    show(hash, text);
    EXPECT_LE(browser().evaluate("document.documentElement.scrollWidth").get<int>(), 390) << hash;
    EXPECT_LT(browser()
                  .evaluate("Math.max(...getComputedStyle(document.body).backgroundColor"
                            ".match(/\\d+/g).slice(0, 3).map(Number))")
                  .get<int>(),
              60);
    save_picture(browser(), "phone-" + hash.substr(2, 4));
  }
}

// The archive has scripts in titles, texts and pages, and addresses of the canary.
TEST_F(DashboardTest, RunsNothingOfAHostileArchive) {
  show("#/search?q=flint", "<script>top.pwned=1</script>");
  EXPECT_TRUE(browser().complaints().empty()) << browser().complaints().front();
  show("#/pages?contains=attack", "onerror=top.pwned=1");
  show("#/map", "127.0.0.1");
  show("#/report", "Finished");
  EXPECT_TRUE(browser().complaints().empty()) << browser().complaints().front();
  go(browser(), replay("/attack"));
  ASSERT_TRUE(browser().wait_until("/\\/replay\\/\\d{14}.*attack/.test(location.hash)"));
  save_picture(browser(), "attack");
  press_button(browser(), "Raw");
  EXPECT_TRUE(browser().wait_until("!document.querySelector('.frame').ariaBusy"));
  EXPECT_EQ(browser().evaluate("'pwned' in window"), false);
  EXPECT_EQ(browser().evaluate("location.pathname"), "/");
  EXPECT_FALSE(stage_->canary.was_reached()) << "a replayed page reached the network";
  stage_->canary.reach();
  EXPECT_TRUE(stage_->canary.was_reached()) << "the canary is deaf";
}

TEST_F(DashboardTest, IsAccessible) {
  const std::string modules = support::build_path("tests/dashboard/node");
  const std::string missing = support::install_node_modules(source("package.json"), modules);
  if (!missing.empty()) GTEST_SKIP() << missing;
  browser().evaluate(support::file_content(modules + "/node_modules/axe-core/axe.min.js") + ";0");
  const std::vector<std::pair<std::string, std::string>> views = {
      {"#/search", "museum"},       {"#/search?q=flint", "2 pages"},
      {"#/pages", "The Stone Age"}, {"#/map", "127.0.0.1"},
      {"#/report", "Finished"},     {"#/live", "Running"},
      {replay("/stone"), "UTC"},    {replay("/never/linked"), "No capture"}};
  for (const bool is_dark : {false, true}) {
    browser().set_view({.is_dark = is_dark});
    for (const auto& [hash, text] : views) {
      show(hash, text);
      const Json found = browser().evaluate(
          "axe.run({iframes: false" + std::string(is_dark ? ", runOnly: ['color-contrast']" : "") +
          "}).then(({violations}) => violations"
          ".filter(({impact}) => impact === 'serious' || impact === 'critical')"
          ".map(({id, nodes}) => id + ': ' + nodes.map(({html}) => html).join(' ')))");
      EXPECT_EQ(found, Json::array()) << hash;
    }
  }
}

}  // namespace
}  // namespace gossamer::dashboard
