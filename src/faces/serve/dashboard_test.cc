#include "serve/dashboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "serve/socket_crawl.h"
#include "serve/static_files.h"
#include "server/host_check.h"
#include "tests/simulated/world.h"
#include "tests/support/served_archive.h"
#include "tests/support/temporary_folder.h"

namespace gossamer::serve {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class DashboardTest : public testing::Test {
 protected:
  DashboardTest() {
    facts_.addresses = {
        .names = server::loopback_names(), .dashboard_port = 8080, .replay_port = 8081};
    facts_.token = std::string(32, 'a');
    facts_.replay_token = std::string(32, 'b');
    facts_.now = [] { return WallTime(); };
    std::string text = tests::warc_record(
        {.url = "https://a.example/", .body = "<title></script><script>alert(1)</script></title>"});
    text += tests::warc_record({.url = "https://a.example/x/y?q=</script>", .body = "y"});
    text += tests::warc_record({.url = "https://a.example/v",
                                .head = "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n",
                                .body = "0123456789"});
    auto opened = captures::Collection::open({tests::write_file(folder_.path() + "/a.warc", text)});
    EXPECT_TRUE(opened);
    collection_ = std::move(*opened);
    collection_->update(true);
    crawls_.push_back(std::make_unique<SocketCrawl>(folder_.path() + "/no-socket"));
  }

  static server::Request request(std::string method, std::string target,
                                 std::vector<server::Request::Field> fields = {}) {
    server::Request request;
    request.method = std::move(method);
    request.target = std::move(target);
    request.fields = std::move(fields);
    return request;
  }
  server::Response run(server::Responder& responder, const server::Request& request) {
    auto world = sim::World::calm();
    server::Response response = world.run(responder.answer(request));
    responder.seal(response);
    return response;
  }
  server::Response page(const server::Request& sent) {
    Search search(*collection_, {});
    NewCrawls new_crawls("", nullptr, *collection_, crawls_, threads_);
    Dashboard dashboard(facts_, *collection_, search, views_, crawls_, new_crawls, threads_);
    return run(dashboard, sent);
  }
  server::Response get(std::string target) {
    return page(request("GET", std::move(target), {{"Host", "127.0.0.1:8080"}}));
  }
  server::Response api(std::string target, std::vector<server::Request::Field> more = {}) {
    std::vector<server::Request::Field> fields = {{"Host", "127.0.0.1:8080"},
                                                  {"Authorization", "Bearer " + facts_.token}};
    fields.insert(fields.end(), more.begin(), more.end());
    return page(request("GET", "/api/v1/" + std::move(target), std::move(fields)));
  }
  server::Response replayed(const server::Request& sent) {
    ReplayResponder responder(facts_, *collection_, views_, threads_);
    return run(responder, sent);
  }
  server::Response replay_at(std::string rest, std::vector<server::Request::Field> more = {}) {
    std::vector<server::Request::Field> fields = {{"Host", "127.0.0.1:8081"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return replayed(request("GET", "/r/" + facts_.replay_token + std::move(rest), fields));
  }

  tests::TemporaryFolder folder_;
  ServerFacts facts_;
  std::unique_ptr<captures::Collection> collection_;
  Views views_;
  std::vector<std::unique_ptr<LiveCrawl>> crawls_;
  async::ThreadPool threads_{0};
};

TEST_F(DashboardTest, ChecksTheHostBeforeAnythingElse) {
  for (const std::string path :
       {"/", "/api/v1/archives", "/api/v1/live/events", "/metrics", "/none"}) {
    const server::Response response = page(
        request("GET", path,
                {{"Host", "rebound.example:8080"}, {"Authorization", "Bearer " + facts_.token}}));
    EXPECT_EQ(response.status, 421) << path;
    EXPECT_THAT(response.body, Not(HasSubstr("a.example")));
  }
  EXPECT_EQ(replayed(request("GET", "/r/" + facts_.replay_token + "/2026/https://a.example/",
                             {{"Host", "rebound.example:8081"}}))
                .status,
            421);
}

TEST_F(DashboardTest, ApiRequiresTheTokenAndPagesDoNot) {
  EXPECT_EQ(get("/").status, 200);
  for (const std::string path :
       {"/api/v1/archives", "/api/v1/search?q=x", "/api/v1/pages", "/metrics", "/api/v1/none"}) {
    EXPECT_EQ(get(path).status, 401) << path;
    EXPECT_EQ(get(path + "?token=" + facts_.token).status, 401) << path;
  }
  EXPECT_EQ(api("archives").status, 200);
  EXPECT_EQ(api("none").status, 404);
}

TEST_F(DashboardTest, ChangesRequirePostJsonAndTheTokenInAField) {
  const auto act = [this](std::string method, std::vector<server::Request::Field> fields) {
    fields.push_back({"Host", "127.0.0.1:8080"});
    server::Request sent = request(std::move(method), "/api/v1/live/act", std::move(fields));
    sent.body = R"({"crawl": 0, "do": "pause"})";
    return page(sent).status;
  };
  const server::Request::Field token = {"Authorization", "Bearer " + facts_.token};
  const server::Request::Field json = {"Content-Type", "application/json"};
  EXPECT_EQ(act("POST", {json}), 401);
  EXPECT_EQ(act("GET", {token, json}), 405);
  EXPECT_EQ(act("PUT", {token, json}), 405);
  EXPECT_EQ(act("POST", {token}), 415);
  EXPECT_EQ(act("POST", {token, {"Content-Type", "text/plain"}}), 415);
  EXPECT_EQ(act("POST", {token, {"Content-Type", "application/x-www-form-urlencoded"}}), 415);
  EXPECT_EQ(act("POST", {token, json, {"Origin", "null"}}), 403);
  EXPECT_EQ(act("POST", {token, json, {"Sec-Fetch-Site", "cross-site"}}), 403);
  // All checks passed; no crawl listens there.
  EXPECT_EQ(act("POST", {token, json}), 409);
}

TEST_F(DashboardTest, HasNoCorsHeaderAndRejectsOptions) {
  const server::Response response =
      page(request("OPTIONS", "/api/v1/archives",
                   {{"Host", "127.0.0.1:8080"}, {"Origin", "https://evil.example"}}));
  EXPECT_EQ(response.status, 405);
  EXPECT_THAT(response.find("Allow"), HasSubstr("GET"));
  for (const server::Response* one : {&response}) {
    for (const auto& [name, value] : one->fields) {
      EXPECT_THAT(name, Not(StartsWith("Access-Control"))) << name;
    }
  }
  EXPECT_EQ(page(request("OPTIONS", "/", {{"Host", "127.0.0.1:8080"}})).status, 405);
}

TEST_F(DashboardTest, EveryAnswerHasTheSecurityFields) {
  for (const std::string path : {"/", "/none", "/api/v1/archives", "/api/v1/none"}) {
    const server::Response response = get(path);
    EXPECT_THAT(response.find("Content-Security-Policy"), StartsWith("default-src 'none'"));
    EXPECT_EQ(response.find("Referrer-Policy"), "no-referrer");
    EXPECT_EQ(response.find("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(response.find("Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_EQ(response.find("Cross-Origin-Opener-Policy"), "same-origin");
    EXPECT_THAT(response.type, HasSubstr("charset=utf-8"));
    EXPECT_THAT(response.find("Set-Cookie"), IsEmpty());
  }
  EXPECT_THAT(get("/").find("Content-Security-Policy"),
              HasSubstr("frame-src http://127.0.0.1:8081;"));
  EXPECT_EQ(api("archives").find("Cache-Control"), "no-store");
}

TEST_F(DashboardTest, TextsOfPagesCannotEndAScript) {
  const server::Response pages = api("pages");
  EXPECT_EQ(pages.status, 200);
  EXPECT_THAT(pages.body, Not(HasSubstr("<")));
  EXPECT_THAT(pages.body, HasSubstr("\\u003c/script>"));
}

TEST_F(DashboardTest, StaticFilesAreLookedUpInATable) {
  for (const std::string path :
       {"/../src", "/..%2f..%2fetc/passwd", "/%00", "/index.html%00.js", "//etc/passwd",
        "/./index.html", "/INDEX.HTML", "/pages/index.html"}) {
    EXPECT_EQ(get(path).status, 404) << path;
  }
  const server::Response page_of_dashboard = get("/");
  EXPECT_EQ(page_of_dashboard.body, find_static_file("/index.html")->bytes);
  const server::Response same =
      page(request("GET", "/",
                   {{"Host", "127.0.0.1:8080"},
                    {"If-None-Match", std::string(page_of_dashboard.find("ETag"))}}));
  EXPECT_EQ(same.status, 304);
}

TEST_F(DashboardTest, TheTwoServersShareNoPages) {
  EXPECT_EQ(get("/r/" + facts_.replay_token + "/2026/https://a.example/").status, 404);
  for (const std::string path : {"/", "/index.html", "/api/v1/archives", "/metrics"}) {
    const server::Response response = replayed(request(
        "GET", path, {{"Host", "127.0.0.1:8081"}, {"Authorization", "Bearer " + facts_.token}}));
    EXPECT_EQ(response.status, 404) << path;
  }
  // Nor do they share names: each answers for its own port.
  EXPECT_EQ(replayed(request("GET", "/", {{"Host", "127.0.0.1:8080"}})).status, 421);
}

TEST_F(DashboardTest, SvgIsAnImageAndNoPage) {
  const std::string text =
      tests::warc_record({.url = "https://a.example/i.svg",
                          .head = "HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\n\r\n",
                          .body = "<svg/>"});
  auto opened = captures::Collection::open({tests::write_file(folder_.path() + "/svg.warc", text)});
  ASSERT_TRUE(opened);
  collection_ = std::move(*opened);
  collection_->update(true);
  const auto type = [this](std::string use) {
    return replay_at("/2026/https://a.example/i.svg", {{"Sec-Fetch-Dest", std::move(use)}}).type;
  };
  EXPECT_THAT(type("image"), StartsWith("image/svg+xml"));
  EXPECT_THAT(type("document"), StartsWith("text/plain"));
  EXPECT_THAT(type("iframe"), StartsWith("text/plain"));
  EXPECT_THAT(type("object"), StartsWith("text/plain"));
}

TEST_F(DashboardTest, AReportWithoutArchivesIsNotFound) {
  collection_ = std::move(*captures::Collection::open({}));
  EXPECT_EQ(api("report").status, 404);
}

TEST_F(DashboardTest, EveryReplayedAnswerHasThePolicy) {
  const std::string policy =
      "sandbox; default-src http://127.0.0.1:8081 data: blob:; style-src http://127.0.0.1:8081 "
      "'unsafe-inline' data:; script-src 'none'; connect-src 'none'; base-uri 'none'; form-action "
      "'none'; "
      "frame-ancestors http://127.0.0.1:8080";
  const std::vector<server::Request::Field> host = {{"Host", "127.0.0.1:8081"}};
  EXPECT_EQ(replay_at("/2026/https://a.example/").find("Content-Security-Policy"), policy);
  EXPECT_EQ(replay_at("/2026/https://none.example/").find("Content-Security-Policy"), policy);
  EXPECT_EQ(replay_at("/x").find("Content-Security-Policy"), policy);
  EXPECT_EQ(replayed(request("POST", "/", host)).find("Content-Security-Policy"), policy);
  EXPECT_EQ(replayed(request("GET", "/", {})).find("Content-Security-Policy"), policy);
  const server::Response wrong =
      replayed(request("GET", "/r/" + std::string(32, 'c') + "/2026/https://a.example/", host));
  EXPECT_EQ(wrong.status, 403);
  EXPECT_EQ(wrong.find("Content-Security-Policy"), policy);
  EXPECT_EQ(wrong.find("X-DNS-Prefetch-Control"), "off");
}

TEST_F(DashboardTest, WithScriptsEachArchiveHasATokenOfItsOwn) {
  const tests::TemporaryFolder other;
  const std::string text = tests::warc_record({.url = "https://b.example/", .body = "secret"});
  const std::string more = tests::warc_record({.url = "https://a.example/more", .body = "more"});
  collection_ = *captures::Collection::open({folder_.path() + "/a.warc",
                                             tests::write_file(folder_.path() + "/a2.warc", more),
                                             tests::write_file(other.path() + "/b.warc", text)});
  collection_->update(true);
  facts_.allows_scripts = true;
  facts_.make_token = [] {
    static int made = 0;
    return std::string(31, 'c') + std::to_string(++made);
  };
  ReplayResponder responder(facts_, *collection_, views_, threads_);
  const auto get_from = [&](const std::string& target) {
    return run(responder, request("GET", target, {{"Host", "127.0.0.1:8081"}}));
  };
  const std::string all = "/r/" + facts_.replay_token;
  const server::Response to_b = get_from(all + ".v/2026id_/https://b.example/");
  EXPECT_EQ(to_b.status, 302);
  EXPECT_THAT(to_b.body, Not(HasSubstr("secret")));
  const std::string b(to_b.find("Location"));
  const std::string a(get_from(all + ".v/2026/https://a.example/v").find("Location"));
  EXPECT_THAT(b, testing::EndsWith(".v/2026id_/https://b.example/"));
  EXPECT_EQ(get_from(all + ".v/2026id_/https://b.example/").find("Location"), b);
  EXPECT_THAT(get_from(b).body, HasSubstr("secret"));
  // No token but that of its archive leads to a page.
  const std::string token_of_a = a.substr(0, a.find("/2026"));
  EXPECT_THAT(token_of_a, Not(HasSubstr(facts_.replay_token)));
  EXPECT_EQ(get_from(token_of_a + "/2026/https://a.example/v").status, 200);
  EXPECT_EQ(get_from(token_of_a + "/2026/https://a.example/more").status, 200) << "one folder";
  EXPECT_EQ(get_from(token_of_a + "/2026/https://b.example/").status, 404);
  EXPECT_EQ(get_from("/r/" + std::string(32, 'd') + "/2026/https://a.example/v").status, 403);
}

// A script in the frame could send what it reads elsewhere, and nobody would see it.
TEST_F(DashboardTest, ScriptsRunInATabOnlyNeverInTheFrameOfTheDashboard) {
  facts_.allows_scripts = true;
  facts_.make_token = [] { return std::string(32, 'c'); };
  ReplayResponder responder(facts_, *collection_, views_, threads_);
  const auto policy_of = [&](const std::string& target) {
    const auto from = [&](const std::string& place) {
      return run(responder, request("GET", place, {{"Host", "127.0.0.1:8081"}}));
    };
    const server::Response redirect = from("/r/" + facts_.replay_token + target);
    const server::Response page = from(std::string(redirect.find("Location")));
    EXPECT_EQ(page.status, 200) << target;
    return std::string(page.find("Content-Security-Policy"));
  };
  for (const char* const form : {"", "if_", "id_"}) {
    const std::string rest = std::string("/2026") + form + "/https://a.example/";
    const std::string in_frame = policy_of(".v" + rest);
    EXPECT_THAT(in_frame, testing::StartsWith("sandbox; ")) << form;
    EXPECT_THAT(in_frame, HasSubstr("script-src 'none'; connect-src 'none'")) << form;
    const std::string in_tab = policy_of(rest);
    EXPECT_THAT(in_tab, testing::StartsWith("sandbox allow-scripts; ")) << form;
  }
  EXPECT_THAT(policy_of("/2026/https://a.example/"), testing::EndsWith("frame-ancestors 'none'"));
}

TEST_F(DashboardTest, AViewKnowsWhatItsFrameShows) {
  EXPECT_EQ(api("view?id=v").status, 404);
  static_cast<void>(replay_at(".v/2026/https://a.example/"));
  static_cast<void>(replay_at(".v/2026/https://a.example/gone.png", {{"Sec-Fetch-Dest", "image"}}));
  static_cast<void>(replay_at(".v/2026if_/https://a.example/x/y?q=</script>"));
  const server::Response view = api("view?id=v");
  EXPECT_THAT(view.body, HasSubstr(R"("url": "https://a.example/", "captured": "20260131120000")"));
  EXPECT_THAT(view.body, HasSubstr(R"("misses": ["https://a.example/gone.png"])"));
}

TEST_F(DashboardTest, MediaCanBeReadInRanges) {
  const auto part = [this](std::string range, std::vector<server::Request::Field> more = {}) {
    more.push_back({"Range", std::move(range)});
    return replay_at("/2026/https://a.example/v", std::move(more));
  };
  const server::Response middle = part("bytes=2-4");
  EXPECT_EQ(middle.status, 206);
  EXPECT_EQ(middle.body, "234");
  EXPECT_EQ(middle.find("Content-Range"), "bytes 2-4/10");
  EXPECT_EQ(part("bytes=8-").body, "89");
  EXPECT_EQ(part("bytes=-3").body, "789");
  EXPECT_EQ(part("bytes=0-99").body, "0123456789");
  EXPECT_EQ(part("bytes=10-").status, 416);
  EXPECT_EQ(part("bytes=10-").find("Content-Range"), "bytes */10");
  EXPECT_EQ(part("bytes=-0").status, 416);
  for (const std::string whole :
       {"bytes=1-2,4-5", "lines=1-2", "bytes=4-2", "bytes=x-", "bytes=-"}) {
    EXPECT_EQ(part(whole).status, 200) << whole;
  }
  EXPECT_EQ(part("bytes=2-4", {{"If-Range", "\"other\""}}).status, 200);
  EXPECT_EQ(part("bytes=2-4", {{"If-Range", std::string(middle.find("ETag"))}}).status, 206);
}

TEST_F(DashboardTest, ParametersAreChecked) {
  for (const std::string bad :
       {"pages?limit=1001", "pages?limit=-1", "pages?limit=x", "pages?archive=1", "captures?url=x",
        "captures?url=https://a.example/&at=20261", "captures?url=%FF", "sitemap?levels=9",
        "search?q=x&sort=up", "search?q=x&limit=101", "missing"}) {
    EXPECT_EQ(api(bad).status, 400) << bad;
    EXPECT_THAT(api(bad).body, StartsWith("{\"error\"")) << bad;
  }
  EXPECT_EQ(api("search?q=x").status, 409);
}

TEST_F(DashboardTest, AnswersAboutArchives) {
  EXPECT_THAT(api("archives").body, HasSubstr(R"("captures": 3, "urls": 3, "pages": 2)"));
  EXPECT_THAT(api("captures?url=https://a.example/").body, HasSubstr(R"("total": 1)"));
  EXPECT_THAT(api("captures?url=https://none.example/").body, HasSubstr(R"("captures": [])"));
  EXPECT_THAT(api("pages?limit=1").body, HasSubstr(R"("next": "example,a)/")"));
  EXPECT_THAT(api("pages?limit=5&after=example,a)/").body, HasSubstr("a.example/v"));
  EXPECT_THAT(api("sitemap?levels=3").body, HasSubstr(R"("path": "a.example/x/")"));
  EXPECT_THAT(api("sitemap?path=a.example/x/").body, HasSubstr(R"("pages": 1)"));
  EXPECT_THAT(api("report").body, HasSubstr(R"("pages": 3)"));
}

TEST_F(DashboardTest, AtMostFourStreamsAreOpen) {
  Search search(*collection_, {});
  NewCrawls new_crawls("", nullptr, *collection_, crawls_, threads_);
  Dashboard dashboard(facts_, *collection_, search, views_, crawls_, new_crawls, threads_);
  const server::Request sent =
      request("GET", "/api/v1/live/events",
              {{"Host", "127.0.0.1:8080"}, {"Authorization", "Bearer " + facts_.token}});
  auto world = sim::World::calm();
  std::vector<server::Response> open;
  for (int i = 0; i < 4; ++i) {
    open.push_back(world.run(dashboard.answer(sent)));
    EXPECT_EQ(open.back().status, 200);
    EXPECT_EQ(open.back().find("Cache-Control"), "no-store");
    EXPECT_THAT(open.back().type, StartsWith("text/event-stream"));
  }
  EXPECT_EQ(world.run(dashboard.answer(sent)).status, 503);
  open.pop_back();
  EXPECT_EQ(world.run(dashboard.answer(sent)).status, 200);
}

}  // namespace
}  // namespace gossamer::serve
