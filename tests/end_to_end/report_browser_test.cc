// Tests the HTML report in a browser.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "report/html_report.h"
#include "tests/support/browser.h"
#include "tests/support/command_run.h"
#include "tests/support/report_test_crawl.h"

namespace gossamer::report {
namespace {

using support::Browser;
using Json = Browser::Json;

class ReportInBrowserTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Browser::is_available()) GTEST_SKIP() << "chromium is not installed";
  }

  // The report of a crawl of the synthetic site.
  std::string demo_report() {
    const std::string path = folder_.file("report.html");
    support::CommandRun run({"demo", "--seed", "3", "--pages", "200", "-q", "--report", path});
    EXPECT_EQ(run.wait(), 0) << run.err();
    return path;
  }
  std::string hostile_report(const std::string& evil) {
    TestCrawl crawl;
    tell_all(crawl, evil);
    return folder_.write("hostile.html", to_html(crawl.finish()));
  }
  // Where the test's pictures go, if anybody wants to see them.
  void save_picture(Browser& browser, const std::string& name) {
    const char* const folder = std::getenv("GOSSAMER_SCREENSHOTS");
    if (folder != nullptr) browser.save_screenshot(std::string(folder) + "/" + name + ".png");
  }

  support::TestFolder folder_;
};

// The cells of a column of a table, from top to bottom.
std::string column(const std::string& section, int at) {
  return "Array.from(document.querySelectorAll('#" + section + " tbody tr'), (row) => row.cells[" +
         std::to_string(at) + "].dataset.value ?? row.cells[" + std::to_string(at) +
         "].textContent)";
}

std::string click(const std::string& section, int at) {
  return "document.querySelectorAll('#" + section + " th button')[" + std::to_string(at) +
         "].click()";
}

TEST_F(ReportInBrowserTest, DrawsItsChartsAndBreaksNoneOfItsOwnRules) {
  Browser browser;
  ASSERT_TRUE(browser.open_file(demo_report()));
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('.card svg.chart').length"), 6);
  // Each has something to see: in its place, and in a colour.
  EXPECT_EQ(browser.evaluate(
                "Array.from(document.querySelectorAll('.card svg.chart')).filter((chart) => {"
                "  const box = chart.getBoundingClientRect();"
                "  const shapes = Array.from(chart.querySelectorAll('rect, polygon, circle'));"
                "  return box.width > 100 && box.height > 30 && shapes.some((shape) =>"
                "    shape.getBoundingClientRect().width > 5);"
                "}).length"),
            6);
  EXPECT_NE(browser.evaluate("getComputedStyle(document.querySelector('.card .s-main')).fill"),
            "rgb(0, 0, 0)")
      << "the style is not applied";
  save_picture(browser, "report-light");
}

TEST_F(ReportInBrowserTest, SortsByEveryColumnBothWays) {
  Browser browser;
  ASSERT_TRUE(browser.open_file(demo_report()));
  browser.evaluate(click("slowest", 3));
  const auto sizes = browser.evaluate(column("slowest", 3)).get<std::vector<std::string>>();
  ASSERT_GT(sizes.size(), 10u);
  EXPECT_TRUE(std::ranges::is_sorted(sizes, std::ranges::greater(),
                                     [](const std::string& size) { return std::stod(size); }));
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('#slowest th')[3].ariaSort"), "descending");
  browser.evaluate(click("slowest", 3));
  const auto again = browser.evaluate(column("slowest", 3)).get<std::vector<std::string>>();
  EXPECT_TRUE(std::ranges::is_sorted(again, std::ranges::less(),
                                     [](const std::string& size) { return std::stod(size); }));
  browser.evaluate(click("slowest", 0));
  const auto names = browser.evaluate(column("slowest", 0)).get<std::vector<std::string>>();
  EXPECT_EQ(names.size(), sizes.size()) << "no row is lost";
  EXPECT_TRUE(std::ranges::is_sorted(names));
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('#slowest th[aria-sort]').length"), 1);
}

TEST_F(ReportInBrowserTest, HidesRowsThatDoNotMatch) {
  Browser browser;
  ASSERT_TRUE(browser.open_file(demo_report()));
  const std::string visible =
      "Array.from(document.querySelectorAll('#slowest tbody tr')).filter((row) =>"
      " row.getClientRects().length > 0).length";
  const int before = browser.evaluate(visible).get<int>();
  browser.evaluate(
      "{ const field = document.querySelector('#slowest .filter');"
      " field.value = 'no such page'; field.dispatchEvent(new Event('input')); }");
  EXPECT_EQ(browser.evaluate(visible), 0);
  browser.evaluate(
      "{ const field = document.querySelector('#slowest .filter');"
      " field.value = ''; field.dispatchEvent(new Event('input')); }");
  EXPECT_EQ(browser.evaluate(visible), before);
}

TEST_F(ReportInBrowserTest, RunsNothingOfHostileTexts) {
  const std::string evil =
      "\"'></title></style></textarea></script><script>document.title='pwned'</script>"
      "<img src=x onerror=\"document.title='pwned'\"><svg onload=\"document.title='pwned'\">"
      "<a href=\"javascript:document.title='pwned'\" autofocus onfocus=\"document.title='pwned'\">";
  Browser browser;
  ASSERT_TRUE(browser.open_file(hostile_report(evil)));
  EXPECT_EQ(browser.evaluate("document.title"), "Crawl of a.example");
  EXPECT_EQ(browser.evaluate("document.scripts.length"), 1);
  EXPECT_EQ(browser.evaluate("document.images.length"), 0);
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('[onerror], [onload], [onfocus]').length"),
            0);
  EXPECT_EQ(browser.evaluate("Array.from(document.links).filter((link) =>"
                             " !/^(https?:|file:)/.test(link.protocol)).length"),
            0);
  // The policy had nothing to refuse: the text was only text.
  EXPECT_TRUE(browser.complaints().empty()) << browser.complaints().front();
  EXPECT_NE(browser.evaluate("document.body.innerText").get<std::string>().find("<script>"),
            std::string::npos)
      << "it is shown as it is";
}

// Should some text ever get through, the policy still refuses to run it.
TEST_F(ReportInBrowserTest, ForbidsScriptsThatAreNotItsOwn) {
  Browser browser;
  ASSERT_TRUE(browser.open_file(demo_report()));
  browser.evaluate(
      "{ const script = document.createElement('script');"
      " script.textContent = \"document.title = 'pwned'\"; document.body.append(script);"
      " const image = document.createElement('img'); image.src = 'http://127.0.0.1:9/x';"
      " document.body.append(image); }");
  EXPECT_NE(browser.evaluate("document.title"), "pwned");
  EXPECT_FALSE(browser.complaints().empty()) << "the policy is not in force";
}

TEST_F(ReportInBrowserTest, IsReadableOnAPhoneAndInTheDark) {
  Browser browser;
  const std::string path = demo_report();
  browser.set_view({.width = 390, .height = 844, .is_dark = true, .is_phone = true});
  ASSERT_TRUE(browser.open_file(path));
  EXPECT_LE(browser.evaluate("document.documentElement.scrollWidth").get<int>(), 390)
      << "the page itself must not scroll sideways";
  const std::string brightness =
      "(getComputedStyle(document.body).%.match(/\\d+/g).slice(0, 3).map(Number)"
      ".reduce((sum, part) => sum + part) / 3)";
  const auto of = [&](const std::string& property) {
    std::string expression = brightness;
    expression.replace(expression.find('%'), 1, property);
    return browser.evaluate(expression).get<double>();
  };
  EXPECT_LT(of("backgroundColor"), 60);
  EXPECT_GT(of("color"), 180);
  save_picture(browser, "report-phone-dark");
  browser.set_view({.width = 1280, .height = 1400, .is_dark = true});
  save_picture(browser, "report-dark");
  browser.set_view({.width = 1280, .height = 1400});
  EXPECT_GT(of("backgroundColor"), 200);
  save_picture(browser, "report-wide");
}

}  // namespace
}  // namespace gossamer::report
