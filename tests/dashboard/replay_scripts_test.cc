// Tests what the scripts of replayed pages can do with `gossamer serve --allow-scripts`, in a
// browser.

#include <gtest/gtest.h>

#include <string>

#include "tests/dashboard/browsing.h"
#include "tests/end_to_end/serve_run.h"
#include "tests/support/served_archive.h"

namespace gossamer::dashboard {
namespace {

constexpr const char* kPage =
    "<title>a</title><p>still</p><script>document.querySelector('p').textContent = 'ran'</script>";

// The status of another page, as a script of the replayed page sees it.
Json status_of(Browser& browser, const std::string& url) {
  return browser.evaluate("fetch(location.href.replace('https://a.example/', " + js_string(url) +
                          ")).then((answer) => answer.status)");
}

TEST(ReplayScriptsTest, AScriptReadsOnlyTheArchiveOfItsPage) {
  if (!Browser::is_available()) GTEST_SKIP() << "chromium is not installed";
  const support::TestFolder folder;
  const support::TestFolder other;
  const std::string own = tests::warc_record({.url = "https://a.example/", .body = kPage}) +
                          tests::warc_record({.url = "https://a.example/other", .body = "other"});
  const std::string secret =
      tests::warc_record({.url = "https://b.example/secret", .body = "secret"});
  const cli::ServeRun server({tests::write_file(folder.file("own.warc"), own),
                              tests::write_file(other.file("secret.warc"), secret),
                              "--allow-scripts"});
  Browser browser;
  ASSERT_TRUE(browser.open(server.address() + "#token=" + server.token()));
  go(browser, "#/replay/latest/https://a.example/");
  EXPECT_TRUE(wait_for_text(browser, "UTC")) << "the dashboard knows what its frame shows";

  const std::string archives = server.api("archives");
  const Json facts = Json::parse(archives.substr(archives.find("\r\n\r\n") + 4));
  const std::string replay = facts["replay"].get<std::string>() + "/latest/";
  ASSERT_TRUE(browser.open(replay + "https://b.example/secret"));
  EXPECT_EQ(browser.evaluate("document.body.textContent"), "secret");
  ASSERT_TRUE(browser.open(replay + "https://a.example/"));
  EXPECT_TRUE(wait_for_text(browser, "ran"));
  EXPECT_EQ(browser.evaluate("location.href.startsWith(" + js_string(replay) + ")"), false)
      << "the page knows the token for all archives";
  EXPECT_EQ(status_of(browser, "https://a.example/other"), 200);
  EXPECT_EQ(status_of(browser, "https://b.example/secret"), 404);
}

}  // namespace
}  // namespace gossamer::dashboard
