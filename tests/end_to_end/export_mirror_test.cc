// Tests the copies of `gossamer job export --mirror`: every link leads to a file, also in a browser
// without a network.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "check/document.h"
#include "crawl_run.h"
#include "site/site_options.h"
#include "tests/support/browser.h"
#include "url/crawl_identity.h"
#include "url/percent.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

using support::TestFolder;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class ExportMirrorTest : public testing::Test {
 protected:
  std::string job() const { return folder_.file("job"); }
  std::string out() const { return folder_.file("out"); }

  void crawl_into_job(const std::string& root) {
    const Outcome crawled = crawl({"-j", job(), "-q", "--no-progress", "--assets", "--warc-dedup",
                                   "-o", folder_.file("records.jsonl"), root});
    constexpr int kSomeMissing = 8;
    ASSERT_THAT(crawled.exit_code, testing::AnyOf(0, kSomeMissing)) << crawled.err;
  }
  // Gives what it prints.
  std::vector<std::string> mirror(int exit_code = 0) {
    CommandRun run({"job", "export", job(), "--mirror", out()});
    EXPECT_EQ(run.wait(), exit_code) << run.err();
    err_ = run.err();
    return run.out_lines();
  }
  std::vector<std::string> files() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(out())) {
      EXPECT_FALSE(entry.is_symlink());
      if (entry.is_regular_file()) found.push_back(entry.path());
    }
    return found;
  }

  TestFolder folder_;
  std::string err_;
};

struct LinkCounts {
  std::size_t local = 0;
  std::size_t web = 0;
};

std::string normal(const url::Url& url) {
  static url::CrawlIdentity identity;
  return std::string(identity.normal_form(url));
}

// What was fetched, and what redirects there: a link to any of them leads to a copy.
std::set<std::string> urls_with_copies(const std::vector<Json>& records) {
  std::set<std::string> urls;
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (const Json& record : records) {
      const int status = record["status"].is_number() ? record["status"].get<int>() : 0;
      const bool is_redirect = record["next_url"].is_string();
      if (!is_redirect && (status < 200 || status >= 300)) continue;
      if (is_redirect &&
          !urls.contains(normal(*url::Url::parse(std::string(record["next_url"]))))) {
        continue;
      }
      has_grown |= urls.insert(normal(*url::Url::parse(std::string(record["url"])))).second;
    }
  }
  return urls;
}

// Every link to a file leads to one that is there, and none to the web that could lead to a file.
LinkCounts expect_no_dead_ends(const std::vector<std::string>& files, const std::string& own,
                               const std::set<std::string>& copied) {
  const std::set<std::string> known(files.begin(), files.end());
  LinkCounts counts;
  for (const std::string& file : files) {
    const bool is_html = file.ends_with(".html");
    if (!is_html && !file.ends_with(".css")) continue;
    const std::string text = support::file_content(file);
    const check::Document document = is_html ? check::read_html(text) : check::read_css(text);
    const auto base = url::Url::parse("file://" + file);
    // The names have escapes in them, which the URL of the file escapes once more.
    for (const check::LinkPlace& link : document.links) {
      const auto url = base->resolve(link.url);
      if (!url || link.kind == html::LinkKind::canonical) continue;
      if (url->scheme_kind() != url::SchemeKind::file) {
        EXPECT_FALSE(copied.contains(normal(*url))) << file << " has " << link.url;
        ++counts.web;
        continue;
      }
      std::string path(url->pathname());
      path = url::percent_decoded(path);
      ++counts.local;
      EXPECT_TRUE(known.contains(path)) << file << " has " << link.url;
      EXPECT_TRUE(path.starts_with(own)) << file << " has " << link.url;
    }
  }
  return counts;
}

TEST_F(ExportMirrorTest, EveryPageIsThereAndEveryLinkLeadsSomewhere) {
  site::SiteOptions options = plain_site(60);
  options.images = 0.3;
  options.redirects = 0.1;
  options.moved = 0.2;
  options.duplicates = 0.1;
  options.missing = 0.05;
  options.offsite_links = 0.1;
  options.odd_links = 0.1;
  options.odd_spellings = 0.1;
  options.other_encodings = 0.2;
  options.gzipped = 0.5;
  SiteThread server(options);
  crawl_into_job(server.url("/"));
  server.stop();
  const std::vector<std::string> printed = mirror();
  ASSERT_EQ(printed.size(), 1U);
  EXPECT_TRUE(fs::is_regular_file(printed.front())) << printed.front();

  const std::vector<Json> records = records_in(folder_.file("records.jsonl"));
  const auto fetched = std::ranges::count_if(records, [](const Json& record) {
    return record["status"].is_number() && record["status"] >= 200 && record["status"] < 300;
  });
  const std::vector<std::string> copies = files();
  EXPECT_GT(fetched, 60);
  EXPECT_EQ(std::ssize(copies), fetched);
  for (const std::string& copy : copies) EXPECT_GT(fs::file_size(copy), 0U) << copy;
  const LinkCounts counts = expect_no_dead_ends(copies, out(), urls_with_copies(records));
  EXPECT_GT(counts.local, copies.size());
  EXPECT_GT(counts.web, 0U);

  // Nothing is written over.
  mirror(2);
  EXPECT_THAT(err_, HasSubstr("is not empty"));
}

// What a process left that was killed in the middle of it does not block the next one.
TEST_F(ExportMirrorTest, RemovesAnUnfinishedExport) {
  SiteThread server(plain_site(3));
  crawl_into_job(server.url("/"));
  server.stop();
  fs::create_directories(out() + ".gossamer-part/half");
  EXPECT_EQ(mirror().size(), 1U);
  EXPECT_FALSE(fs::exists(out() + ".gossamer-part"));
  EXPECT_FALSE(fs::exists(out() + "/half"));
}

TEST_F(ExportMirrorTest, NamesAPageWithoutAContentType) {
  if (!support::is_installed("/usr/bin/python3")) GTEST_SKIP() << "python3 is not installed";
  const std::string script = folder_.write("server.py",
                                           "import http.server, sys\n"
                                           "class Handler(http.server.BaseHTTPRequestHandler):\n"
                                           "  def do_GET(self):\n"
                                           "    body = b'<title>t</title><a href=/b>b</a>'\n"
                                           "    found = self.path != '/robots.txt'\n"
                                           "    self.send_response(200 if found else 404)\n"
                                           "    self.send_header('Content-Length', len(body))\n"
                                           "    self.end_headers()\n"
                                           "    self.wfile.write(body)\n"
                                           "http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])),"
                                           " Handler).serve_forever()\n");
  const std::uint16_t port = support::free_port();
  support::Program server({"/usr/bin/python3", script, std::to_string(port)},
                          folder_.file("server.log"));
  ASSERT_TRUE(server.wait_until_listening(port));
  crawl_into_job("http://127.0.0.1:" + std::to_string(port) + "/a");
  mirror();
  std::vector<std::string> names;
  for (const std::string& file : files()) names.push_back(fs::path(file).filename());
  EXPECT_THAT(names, testing::UnorderedElementsAre("a.html", "b.html"));
  EXPECT_THAT(support::file_content(files().front()), HasSubstr("href=\"b.html\""));
}

TEST_F(ExportMirrorTest, HasTheIconsOfAManifest) {
  if (!support::is_installed("/usr/bin/python3")) GTEST_SKIP() << "python3 is not installed";
  const std::string manifest =
      R"({"name": "x", "start_url": "/", "icons": [{"src": "/img/a.png"}, {"src": "b.png"}]})";
  fs::create_directories(folder_.file("site/app"));
  fs::create_directories(folder_.file("site/img"));
  folder_.write("site/index.html",
                "<link rel=manifest href=app/manifest.json><a href=data.json>data</a>");
  folder_.write("site/app/manifest.json", manifest);
  folder_.write("site/app/b.png", "b");
  folder_.write("site/img/a.png", "a");
  folder_.write("site/data.json", R"({"start_url": "/"})");
  const std::string port = std::to_string(support::free_port());
  support::Program server({"/usr/bin/python3", "-m", "http.server", port, "--bind", "127.0.0.1",
                           "--directory", folder_.file("site")},
                          folder_.file("server.log"));
  ASSERT_TRUE(server.wait_until_listening(static_cast<std::uint16_t>(std::stoi(port))));
  crawl_into_job("http://127.0.0.1:" + port + "/");
  mirror();
  const std::string copy = out() + "/127.0.0.1+" + port + "/";
  EXPECT_TRUE(fs::is_regular_file(copy + "app/b.png"));
  EXPECT_TRUE(fs::is_regular_file(copy + "img/a.png"));
  EXPECT_EQ(support::file_content(copy + "app/manifest.json"),
            R"({"name": "x", "start_url": "../index.html", "icons": [{"src": "../img/a.png"}, )"
            R"({"src": "b.png"}]})");
  EXPECT_EQ(support::file_content(copy + "data.json"), R"({"start_url": "/"})");
}

TEST_F(ExportMirrorTest, SaysSoWhereThereIsNothingToCopy) {
  SiteThread server(plain_site(3));
  crawl({"-j", job(), "-q", "--no-progress", "--archive", "none", "-o", "/dev/null",
         server.url("/")});
  EXPECT_TRUE(mirror(1).empty());
  EXPECT_THAT(err_, HasSubstr("its archive has no pages"));
}

TEST_F(ExportMirrorTest, CanBeBrowsedWithoutANetwork) {
  if (!support::Browser::is_available()) GTEST_SKIP() << "chromium is not installed";
  site::SiteOptions options = plain_site(20);
  options.images = 1;
  SiteThread server(options);
  crawl_into_job(server.url("/"));
  server.stop();  // this was the network
  const std::vector<std::string> printed = mirror();
  ASSERT_EQ(printed.size(), 1U);
  support::Browser browser;
  ASSERT_TRUE(browser.open_file(printed.front()));
  // Images are drawn, styles apply, and the links lead to pages that open.
  EXPECT_EQ(browser.evaluate("Array.from(document.images).filter((i) => !i.naturalWidth).length"),
            0);
  EXPECT_GT(browser.evaluate("document.images.length + document.styleSheets.length").get<int>(), 0);
  EXPECT_EQ(browser.evaluate("Array.from(document.styleSheets).filter("
                             "(s) => s.ownerNode.href && s.ownerNode.sheet === null).length"),
            0);
  const std::string title = browser.evaluate("document.title");
  const std::string next = browser.evaluate(
      "Array.from(document.querySelectorAll('a[href]'), (a) => a.href).find("
      "(href) => href.startsWith('file:') && href !== location.href)");
  ASSERT_THAT(next, testing::StartsWith("file:///"));
  ASSERT_TRUE(browser.open_file(next.substr(7)));
  EXPECT_GT(browser.evaluate("document.querySelectorAll('a[href]').length").get<int>(), 0);
  EXPECT_NE(browser.evaluate("document.title"), title);
}

}  // namespace
}  // namespace gossamer::cli
