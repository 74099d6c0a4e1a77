// Tests that other programs can read the archives of `gossamer crawl`: every record with warcio.js,
// and a page with wabac.js in a browser without the site.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/end_to_end/crawl_run.h"
#include "tests/support/archive_contents.h"
#include "tests/support/browser.h"
#include "tests/support/node_modules.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"

namespace gossamer::cli {
namespace {

using support::Browser;
using support::kNode;
using support::Program;
using support::ScriptedServerThread;
using support::TestFolder;
namespace fs = std::filesystem;

const std::string kModules = support::build_path("tests/replay/node");

std::string source(const std::string& name) { return support::source_path("tests/replay/") + name; }

class ReplayTest : public testing::Test {
 protected:
  // Called once: without access to npm it may take long.
  static void SetUpTestSuite() {
    missing_ = support::install_node_modules(source("package.json"), kModules);
  }
  void SetUp() override {
    if (!missing_.empty()) GTEST_SKIP() << missing_;
  }

  // What warcio.js finds in the archive.
  std::vector<Json> records() const {
    const std::string out = folder_.file("records.jsonl");
    Program node({kNode, source("read_archive.mjs"), kModules, folder_.file("a-00001.warc.gz")},
                 out);
    EXPECT_EQ(node.wait_for_end(), 0) << support::file_content(out);
    return records_in(out);
  }

  static inline std::string missing_;
  TestFolder folder_;
};

// A body, a field and a URL that look like the separators of records.
TEST_F(ReplayTest, EveryRecordIsReadAndItsDigestsAreRight) {
  const std::string fake = "\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\nContent-Length: 2\r\n\r\nhi";
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  ScriptedServerThread server(
      {{.bytes = answer("<a href='/body'><a href='/field'><a href='/%0D%0AWARC/1.1%0d%0a'>"
                        "<a href='/chunks'><a href='/copy'><a href='/gone'>")},
       {.bytes = answer(fake + fake)},
       {.bytes = answer("x", "X-Field: a\rWARC/1.1\r\n")},
       {.bytes = answer("an address")},
       {.bytes = chunked + "3\r\n<p>\r\n5;x=y\r\nhello\r\n0\r\nT: 1\r\n\r\n"},
       {.bytes = answer(fake + fake)},
       {.bytes = "HTTP/1.1 404 Gone\r\nContent-Length: 4\r\n\r\ngone"}});
  const Outcome crawled =
      crawl({server.url("/"), "--no-robots", "--concurrency", "1", "-t", "1", "--warc-dedup",
             "--warc-metadata", "--warc-file", folder_.file("a")});
  const auto ours =
      support::read_archive(support::file_content(folder_.file("a-00001.warc.gz"))).records;
  const std::vector<Json> theirs = records();
  ASSERT_EQ(theirs.size(), ours.size());
  std::map<std::string, int> types;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(theirs[i]["type"], std::string(warc::name(ours[i].head.type)));
    EXPECT_EQ(theirs[i]["offset"], ours[i].extent.member_offset);
    EXPECT_EQ(theirs[i]["length"], ours[i].extent.member_bytes);
    EXPECT_EQ(theirs[i]["block_bytes"], ours[i].block.size());
    EXPECT_EQ(theirs[i]["block"], true) << theirs[i];
    if (theirs[i]["type"] == "response") EXPECT_EQ(theirs[i]["payload"], true) << theirs[i];
    ++types[theirs[i]["type"]];
  }
  // A field with a bare CR is no answer at all.
  EXPECT_EQ(types["response"] + types["revisit"], static_cast<int>(crawled.records.size()) - 1);
  EXPECT_EQ(types["revisit"], 1);
  EXPECT_EQ(types["metadata"], 1);
}

TEST_F(ReplayTest, EveryRecordOfASiteIsReadAndItsDigestsAreRight) {
  site::SiteOptions options = site::SiteOptions::demo(5);
  options.pages = 60;
  SiteThread server(options);
  crawl({server.url("/"), "--assets", "--warc-file", folder_.file("a")});
  std::size_t responses = 0;
  for (const Json& record : records()) {
    EXPECT_EQ(record["block"], true) << record;
    if (record["type"] != "response") continue;
    EXPECT_EQ(record["payload"], true) << record;
    ++responses;
  }
  EXPECT_GT(responses, 60U);
}

enum class Served : bool { plainly, over_http2 };

// Files over HTTP, with ranges.
class ReplayServer {
 public:
  explicit ReplayServer(const std::string& root, Served how = Served::plainly)
      : scheme_(how == Served::over_http2 ? "https" : "http") {
    std::string more;
    if (how == Served::over_http2) {
      support::make_certificate(folder_);
      more = " ssl http2; ssl_certificate certificate.pem; ssl_certificate_key key.pem";
    }
    const std::string file =
        folder_.write("nginx.conf",
                      "daemon off; master_process off; pid nginx.pid; error_log error.log;\n"
                      "events { worker_connections 256; }\n"
                      "http { access_log off; client_body_temp_path t1; proxy_temp_path t2;\n"
                      "  fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;\n"
                      "  types { text/html html; text/javascript js; text/css css;\n"
                      "    image/svg+xml svg; }\n"
                      "  server { listen 127.0.0.1:" +
                          std::to_string(port_) + more + "; root " + root + "; } }\n");
    program_ = std::make_unique<Program>(
        std::vector<std::string>{support::kNginx, "-p", folder_.path(), "-e",
                                 folder_.file("error.log"), "-c", file},
        folder_.file("error.log"));
    program_->wait_until_listening(port_);
  }
  std::string url(const std::string& path) const {
    return scheme_ + "://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::string certificate() const { return folder_.file("certificate.pem"); }

 private:
  TestFolder folder_;
  std::string scheme_;
  std::uint16_t port_ = support::free_port();
  std::unique_ptr<Program> program_;
};

// What the page that replays says of the replayed one.
Json replayed(Browser& browser) {
  Json page = Json::object();
  support::wait_until([&] {
    page = Json::parse(browser.evaluate("replayed").dump());
    return page.is_object();
  });
  return page;
}

// Opens a page of the archive in the folder, and one to which it links. `titles` are by URL.
void replay(const TestFolder& folder, const std::string& root,
            const std::map<std::string, std::string>& titles) {
  fs::copy_file(source("replay.html"), folder.file("replay.html"));
  fs::copy_file(kModules + "/node_modules/@webrecorder/wabac/dist/sw.js", folder.file("sw.js"));
  const ReplayServer nginx(folder.path());
  Browser browser;
  ASSERT_TRUE(browser.open(nginx.url("/replay.html#" + root)));
  const Json first = replayed(browser);
  EXPECT_EQ(first["title"], titles.at(root));
  EXPECT_GE(first["styles"], 1);
  ASSERT_FALSE(first["pictures"].empty());
  for (const Json& width : first["pictures"]) EXPECT_GT(width, 0);

  // From page to page, as people do.
  std::size_t seen = 0;
  for (const Json& link : first["links"]) {
    const std::string url = link;
    const auto title = titles.find(url);
    if (title == titles.end() || url == root) continue;
    browser.evaluate(
        "replayed = null; for (const link of page.contentDocument.links) "
        "if (link.href === '" +
        url + "') { link.click(); break; }");
    EXPECT_EQ(replayed(browser)["title"], title->second) << url;
    ++seen;
    break;
  }
  EXPECT_EQ(seen, 1U);
}

TEST_F(ReplayTest, APageIsReplayedInABrowserWithItsSiteGone) {
  if (!Browser::is_available()) GTEST_SKIP() << "chromium is not installed";
  if (!support::is_installed(support::kNginx)) GTEST_SKIP() << "nginx is not installed";
  site::SiteOptions options = plain_site(12);
  options.images = 1;
  options.gzipped = 0.5;
  std::string root;
  std::map<std::string, std::string> titles;
  {
    SiteThread server(options);
    root = server.url("/");
    const Outcome crawled =
        crawl({root, "--assets", "--warc-file", folder_.file("archive"), "--wacz"});
    EXPECT_EQ(crawled.exit_code, 0) << crawled.err;
    for (const Json& record : crawled.records) {
      if (record["title"].is_string()) titles[record["url"]] = record["title"];
    }
  }
  ASSERT_FALSE(titles[root].empty());
  replay(folder_, root, titles);
}

// A small site over HTTP/2, and its archive.
class Http2ReplayTest : public ReplayTest {
 protected:
  void SetUp() override {
    ReplayTest::SetUp();
    if (IsSkipped()) return;
    if (!support::is_installed(support::kNginx) || !support::is_installed(support::kOpenssl)) {
      GTEST_SKIP() << "nginx or openssl is not installed";
    }
    site_.write("index.html",
                "<title>First</title><link rel=stylesheet href=s.css><img src=i.svg>"
                "<a href=second.html>more</a>");
    site_.write("second.html", "<title>Second</title>");
    site_.write("s.css", "body { margin: 0 }");
    site_.write("i.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>");
    const ReplayServer nginx(site_.path(), Served::over_http2);
    root_ = nginx.url("/index.html");
    second_ = nginx.url("/second.html");
    for (const std::string& how :
         {"--warc-file=" + folder_.file("a"), "--warc-file=" + folder_.file("archive")}) {
      std::vector<std::string> words = {root_, "--assets", "--cacert", nginx.certificate(), how};
      if (how.ends_with("archive")) words.emplace_back("--wacz");
      const Outcome crawled = crawl(words);
      EXPECT_EQ(crawled.exit_code, 0) << crawled.err;
      EXPECT_EQ(crawled.records.size(), 4U);
      for (const Json& record : crawled.records) EXPECT_EQ(record["proto"], "HTTP/2");
    }
  }

  TestFolder site_;
  std::string root_;
  std::string second_;
};

TEST_F(Http2ReplayTest, EveryRecordIsReadAndItsDigestsAreRight) {
  std::size_t responses = 0;
  for (const Json& record : records()) {
    EXPECT_EQ(record["block"], true) << record;
    if (record["type"] != "response") continue;
    EXPECT_EQ(record["payload"], true) << record;
    const std::string protocols = record["protocols"];
    EXPECT_NE(protocols.find("h2"), std::string::npos) << record;
    EXPECT_NE(protocols.find("tls/1."), std::string::npos) << record;
    EXPECT_TRUE(record["cipher"].get<std::string>().starts_with("TLS_")) << record;
    responses += record["status"] == 200;
  }
  EXPECT_EQ(responses, 4U);
}

TEST_F(Http2ReplayTest, APageIsReplayedInABrowserWithItsSiteGone) {
  if (!Browser::is_available()) GTEST_SKIP() << "chromium is not installed";
  replay(folder_, root_, {{root_, "First"}, {second_, "Second"}});
}

}  // namespace
}  // namespace gossamer::cli
