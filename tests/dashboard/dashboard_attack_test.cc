// Tests the pages of `gossamer serve` with a made-up API, whose every text is an attack, and with
// answers that are hard to get from a real server.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/dashboard/browsing.h"
#include "tests/support/places.h"

namespace gossamer::dashboard {
namespace {

constexpr const char* kAttack =
    "\"'></title></style></script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>"
    "<svg onload=window.pwned=1><a href=\"javascript:window.pwned=1\">";

class DashboardAttackTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (Browser::is_available()) browser_ = std::make_unique<Browser>();
  }
  static void TearDownTestSuite() { browser_.reset(); }

  void SetUp() override {
    if (browser_ == nullptr) GTEST_SKIP() << "chromium is not installed";
    browser_->set_view({});
  }
  std::vector<std::string> words(std::vector<std::string> more) {
    more.insert(more.begin(), {support::kPython, source("made_up_api.py"),
                               support::source_path("src/faces/serve/pages")});
    return more;
  }
  std::string address() { return first_line(folder_.file("api.log")); }

  static inline std::unique_ptr<Browser> browser_;
  support::TestFolder folder_;
};

TEST_F(DashboardAttackTest, RunsNothingOfAnyText) {
  support::Program api(words({"--hostile", kAttack}), folder_.file("api.log"));
  Browser& browser = *browser_;
  ASSERT_TRUE(browser.open(address()));
  const std::vector<std::string> views = {
      "#/search",       "#/search?q=stone", "#/pages", "#/map?path=museum.example/&archive=0",
      "#/map?as=table", "#/report",         "#/live",  "#/live?crawl=1"};
  for (const std::string& view : views) {
    go(browser, view);
    EXPECT_TRUE(wait_for_text(browser, "onerror=window.pwned=1")) << view;
    browser.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
    EXPECT_EQ(
        browser.evaluate("document.querySelectorAll('main img, main script, main svg[onload]')"
                         ".length"),
        0)
        << view;
    EXPECT_EQ(browser.evaluate("Array.from(document.links).filter(({protocol}) =>"
                               " !/^https?:$/.test(protocol)).length"),
              0)
        << view;
  }
  EXPECT_TRUE(wait_for_text(browser, "301 ms ago")) << "a shared crawl";
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('main img, main script').length"), 0);
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('tbody tr').length"), 2);
  go(browser, "#/replay/latest/javascript:window.pwned=1");
  EXPECT_TRUE(wait_for_text(browser, "This is not the URL of a web page"));
  go(browser, "#/replay/latest/https://museum.example/");
  EXPECT_TRUE(browser.wait_until("/replay\\/\\d{14}/.test(location.hash)"));
  browser.evaluate("Array.from(document.querySelectorAll('.bar button')).at(-1).click()");
  EXPECT_TRUE(wait_for_text(browser, "onerror=window.pwned=1"));
  EXPECT_EQ(browser.evaluate("'pwned' in window"), false);
}

TEST_F(DashboardAttackTest, ListsPagesWithoutAnIndexAndSaysThatNoCrawlRuns) {
  support::Program api(words({"--no-index", "--no-crawl"}), folder_.file("api.log"));
  Browser& browser = *browser_;
  ASSERT_TRUE(browser.open(address()));
  go(browser, "#/search?q=page");
  EXPECT_TRUE(wait_for_text(browser, "This archive has no search index"));
  EXPECT_TRUE(browser.wait_until("document.querySelectorAll('.pages tbody tr').length > 50"));
  go(browser, "#/live");
  EXPECT_TRUE(wait_for_text(browser, "No crawl to watch"));
}

TEST_F(DashboardAttackTest, RefinesSortsAndContinuesASearch) {
  support::Program api(words({}), folder_.file("api.log"));
  Browser& browser = *browser_;
  ASSERT_TRUE(browser.open(address()));
  go(browser, "#/search?q=stoen");
  ASSERT_TRUE(wait_for_text(browser, "Did you mean stone?"));
  EXPECT_TRUE(wait_for_text(browser, "3 more pages with the same text"));
  press_button(browser, "More results");
  EXPECT_TRUE(browser.wait_until("document.querySelectorAll('.hit').length === 40"));
  const std::string facet =
      "Array.from(document.querySelectorAll('.facet')).find((one) => "
      "one.innerText.includes('2025'))";
  ASSERT_TRUE(browser.wait_until(facet));
  browser.evaluate(facet + ".click()");
  EXPECT_TRUE(
      browser.wait_until("document.getElementById('query').value ==="
                         " 'stoen after:2025 before:2026'"));
  EXPECT_TRUE(browser.wait_until(facet + ".getAttribute('aria-pressed') === 'true'"));
  browser.evaluate(facet + ".click()");
  EXPECT_TRUE(browser.wait_until("document.getElementById('query').value === 'stoen'"));
}

// Saved files cannot run formulas in a spreadsheet.
TEST_F(DashboardAttackTest, SavesResultsAsCsvAndJson) {
  support::Program api(words({"--hostile", "=1+1,\"x\""}), folder_.file("api.log"));
  Browser& browser = *browser_;
  ASSERT_TRUE(browser.open(address()));
  browser.evaluate(
      "window.saved = []; const create = URL.createObjectURL;"
      " URL.createObjectURL = (blob) => {"
      " blob.text().then((text) => saved.push(text)); return create.call(URL, blob); }; 0");
  go(browser, "#/search?q=stone");
  ASSERT_TRUE(wait_for_text(browser, "53 pages"));
  press_button(browser, "CSV");
  ASSERT_TRUE(browser.wait_until("saved.length === 1"));
  EXPECT_EQ(browser.evaluate("saved[0].split('\\r\\n').length"), 55);
  EXPECT_EQ(browser.evaluate("saved[0].includes(',\"\\'=1+1,\"\"x\"\"')"), true)
      << browser.evaluate("saved[0].slice(0, 400)");
  press_button(browser, "JSON");
  ASSERT_TRUE(browser.wait_until("saved.length === 2"));
  EXPECT_EQ(browser.evaluate("JSON.parse(saved[1]).length"), 53);
}

TEST_F(DashboardAttackTest, StopsACrawlOnlyAfterAConfirmation) {
  support::Program api(words({}), folder_.file("api.log"));
  Browser& browser = *browser_;
  ASSERT_TRUE(browser.open(address()));
  go(browser, "#/live");
  ASSERT_TRUE(wait_for_text(browser, "slow.example does not answer"));
  press_button(browser, "Stop\u2026");
  EXPECT_EQ(browser.evaluate("document.querySelector('dialog').open"), true);
  press_button(browser, "Cancel");
  EXPECT_EQ(browser.evaluate("document.querySelector('dialog').open"), false);
  EXPECT_EQ(text_of(browser, ".lead .tag"), "Running");
  press_button(browser, "Stop\u2026");
  press_button(browser, "Stop");
  EXPECT_TRUE(wait_for_text(browser, "Done: stop."));
  EXPECT_TRUE(wait_for_text(browser, "Stopping"));
}

TEST_F(DashboardAttackTest, KeepsTheLastStateWhileItConnectsAgain) {
  support::Program api(words({"--short-streams"}), folder_.file("api.log"));
  Browser& browser = *browser_;
  ASSERT_TRUE(browser.open(address()));
  go(browser, "#/live");
  for (int interruptions = 0; interruptions < 2; ++interruptions) {
    ASSERT_TRUE(wait_for_text(browser, "You see the last state. Connecting again"));
    EXPECT_NE(text_of(browser, ".figure dd"), "\u2013");
    EXPECT_EQ(browser.evaluate("document.querySelectorAll('.fetches li').length > 0"), true);
    ASSERT_TRUE(browser.wait_until("!document.body.innerText.includes('Connecting again')"));
  }
}

TEST_F(DashboardAttackTest, LaysOutTilesWithAreasInProportionAndWithoutOverlap) {
  support::Program api(words({}), folder_.file("api.log"));
  Browser& browser = *browser_;
  ASSERT_TRUE(browser.open(address()));
  const Json faults = browser.evaluate(
      "import('/treemap.js').then(({squarify}) => { const values = [900, 300, 90, 40, 40, 9, 1, 0];"
      " const boxes = squarify(values, (value) => value, 640, 360); const faults = [];"
      " if (boxes.length !== 7) faults.push(boxes.length + ' boxes');"
      " for (const a of boxes) { const area = a.item / 1380 * 640 * 360;"
      "   if (Math.abs(a.width * a.height - area) > 0.01) faults.push('area of ' + a.item);"
      "   if (a.x < 0 || a.y < 0 || a.x + a.width > 640.01 || a.y + a.height > 360.01)"
      "     faults.push('outside: ' + a.item);"
      "   for (const b of boxes) if (a !== b && a.x + 0.01 < b.x + b.width && b.x + 0.01 < a.x +"
      "     a.width && a.y + 0.01 < b.y + b.height && b.y + 0.01 < a.y + a.height)"
      "     faults.push('overlap: ' + a.item + ' ' + b.item); } return faults; })");
  EXPECT_EQ(faults, Json::array());
}

}  // namespace
}  // namespace gossamer::dashboard
