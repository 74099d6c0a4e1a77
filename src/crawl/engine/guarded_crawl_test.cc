// Tests where a crawl must not connect to, and what it must not send.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/browser_model.h>
#include <tests/support/test_web.h>

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::crawler {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kInner = "10.0.0.5";

// A public site, and a listener on an address that it must not reach.
class GuardedCrawl : public testing::Test {
 protected:
  GuardedCrawl() {
    web.guard = {};
    web.address("a.example", kStrangerAddress).address("inner.example", kInner);
    web.otherwise("inner.example", Reply{.body = "secret"});
  }

  static Options from_root() {
    Options options;
    options.roots = {std::string(kRoot)};
    options.scope.kind = ScopeKind::any;
    options.reads_sitemaps = true;
    options.scope.assets = true;
    options.tries_max = 2;
    options.politeness.delay = Duration::zero();
    return options;
  }
  void expect_untouched(const Crawled& crawled, std::string_view what) const {
    EXPECT_THAT(crawled.connections, Not(Contains(testing::Key(kInner)))) << what;
    EXPECT_THAT(crawled.problems, IsEmpty()) << what;
  }
  // Expects this result for all URLs that contain `what`, and at least one.
  static void expect_denied(const Crawled& crawled, std::string_view part, std::string_view what) {
    std::size_t count = 0;
    for (const FetchRecord& record : crawled.records) {
      if (!record.url.contains(part)) continue;
      ++count;
      EXPECT_EQ(record.error, "denied") << what << ": " << record.url;
      EXPECT_EQ(record.status, std::nullopt);
      EXPECT_EQ(record.tries, 1u) << what << ": a retry would change nothing";
    }
    EXPECT_GT(count, 0u) << what;
  }

  TestWeb web;
};

struct Way {
  std::string_view name;
  std::string_view url;  // a URL of that place
  Reply (*reply)(std::string_view place);
};

Reply html(std::string body) {
  return {.type = "text/html; charset=utf-8", .body = std::move(body)};
}

// All the ways in which a site can refer to a URL.
const std::vector<Way>& ways() {
  static const std::vector<Way> all = {
      {"a link", kRoot, [](std::string_view p) { return html(fmt::format("<a href='{}'>", p)); }},
      {"a frame", kRoot,
       [](std::string_view p) { return html(fmt::format("<iframe src='{}'>", p)); }},
      {"an image", kRoot,
       [](std::string_view p) { return html(fmt::format("<img src='{}'>", p)); }},
      {"a refresh", kRoot,
       [](std::string_view p) {
         return html(fmt::format("<meta http-equiv=refresh content='0; url={}'>", p));
       }},
      {"a base", kRoot,
       [](std::string_view p) { return html(fmt::format("<base href='{}'><a href=x>", p)); }},
      {"a canonical link", kRoot,
       [](std::string_view p) { return html(fmt::format("<link rel=canonical href='{}'>", p)); }},
      {"a redirect", kRoot, [](std::string_view p) { return redirect_to(p); }},
      {"a sitemap", "http://a.example/sitemap.xml",
       [](std::string_view p) {
         return Reply{.type = "text/xml",
                      .body = fmt::format("<urlset><url><loc>{}</loc></url></urlset>", p)};
       }},
      {"a line of robots.txt", "http://a.example/robots.txt",
       [](std::string_view p) {
         return Reply{.type = "text/plain", .body = fmt::format("Sitemap: {}\n", p)};
       }},
  };
  return all;
}

TEST_F(GuardedCrawl, NeverConnectsToAPrivateAddress) {
  for (const Way& way : ways()) {
    for (const std::string_view place : {"http://10.0.0.5/s", "http://inner.example/s"}) {
      web.page(kRoot, {}).at("http://a.example/sitemap.xml", Reply{.status = 404});
      web.at("http://a.example/robots.txt", Reply{.status = 404});
      web.at(way.url, way.reply(place));
      const Crawled crawled = web.crawl(from_root());
      expect_untouched(crawled, way.name);
      expect_denied(crawled, place.substr(7, 8), way.name);
    }
  }
}

TEST_F(GuardedCrawl, NeverFollowsARedirectOfRobotsTxtToAPrivateAddress) {
  web.page(kRoot, {"/x"});
  web.at("http://a.example/robots.txt", redirect_to("http://10.0.0.5/robots.txt"));
  const Crawled crawled = web.crawl(from_root());
  expect_untouched(crawled, "robots.txt");
  EXPECT_EQ(crawled.times_asked(kRoot), 0u) << "unreachable rules forbid everything";
  expect_denied(crawled, "a.example", "the root");
}

TEST_F(GuardedCrawl, RecognisesAddressesInEverySpelling) {
  const std::vector<std::string> spellings = {
      "http://167772165/",
      "http://0x0a000005/",
      "http://0xA000005/",
      "http://01200000005/",
      "http://012.0.0.5/",
      "http://0xa.0.0.5/",
      "http://10.5/",
      "http://10.0.5/",
      "http://10.0.0.5./",
      "http://10%2e0%2E0.5/",
      "http://%31%30.0.0.5/",
      "http://\xEF\xBC\x91\xEF\xBC\x90.0.0.5/",  // fullwidth digits
      "http://10\xE3\x80\x82"
      "0.0.5/",  // ideographic full stop
      "http://user:pass@10.0.0.5/",
      "http://a.example@10.0.0.5/",
      "http://a.example:80@10.0.0.5/",
      "http://10.0.0.5#@a.example/",
      "http://10.0.0.5?@a.example/",
      "http:\\\\10.0.0.5\\",
      "http:////10.0.0.5/",
      "http://[::ffff:10.0.0.5]/",
      "http://[::ffff:a00:5]/",
      "http://[0:0:0:0:0:FFFF:0a00:0005]/",
      "http://[64:ff9b::10.0.0.5]/",
      "http://[2002:a00:5::]/",
      "http://INNER.example/",
      "http://inner.example./",
      "http://\xEF\xBD\x89nner.example/",
  };
  for (const std::string& spelling : spellings) {
    for (const bool redirects : {false, true}) {
      web.at(kRoot, redirects ? redirect_to(spelling)
                              : html(fmt::format("<a href=\"{}\">x</a>", spelling)));
      const Crawled crawled = web.crawl(from_root());
      expect_untouched(crawled, spelling);
      EXPECT_THAT(crawled.heard, Not(Contains(testing::Field(&Heard::url, HasSubstr("10.0")))));
      std::size_t denied = 0;
      for (const FetchRecord& record : crawled.records) {
        const bool is_elsewhere = !record.url.starts_with(kRoot);
        if (is_elsewhere && (record.error == "denied" || record.error == "dns_failed")) ++denied;
      }
      EXPECT_EQ(denied, 1u) << spelling << (redirects ? " by a redirect" : " by a link");
    }
  }
}

TEST_F(GuardedCrawl, RecognisesEveryPrivateRange) {
  const std::vector<std::string> hosts = {
      "0.0.0.0",
      "0.1.2.3",
      "10.0.0.0",
      "10.255.255.255",
      "100.64.0.0",
      "100.127.255.255",
      "127.0.0.1",
      "127.1.2.3",
      "169.254.169.254",
      "172.16.0.0",
      "172.31.255.255",
      "192.168.0.0",
      "192.168.255.255",
      "192.0.0.8",
      "198.18.0.1",
      "224.0.0.1",
      "240.0.0.1",
      "255.255.255.255",
      "[::]",
      "[::1]",
      "[fe80::1]",
      "[fc00::1]",
      "[fdff::1]",
      "[ff02::1]",
      "[fec0::1]",
      "[::127.0.0.1]",
      "[::ffff:127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "[2002:7f00:1::]",
  };
  Reply root;
  for (const std::string& host : hosts) root.body += fmt::format("<a href=http://{}/>x</a>", host);
  web.at(kRoot, root);
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.connections.size(), 1u);
  std::size_t denied = 0;
  for (const FetchRecord& record : crawled.records) denied += record.error == "denied" ? 1 : 0;
  EXPECT_EQ(denied, hosts.size());
}

TEST_F(GuardedCrawl, RejectsPortsOfOtherProtocols) {
  web.page(kRoot, {"http://a.example:22/", "http://a.example:25/", "http://a.example:6667/",
                   "https://a.example:23/", "http://a.example:0/"});
  const Crawled crawled = web.crawl(from_root());
  for (const char* const port : {":22/", ":25/", ":6667/", ":23/"}) {
    expect_denied(crawled, port, port);
  }
}

TEST_F(GuardedCrawl, FollowsNoRedirectToAnotherScheme) {
  for (const std::string_view place :
       {"file:///etc/passwd", "ftp://a.example/x", "data:text/html,<a href=/x>",
        "javascript:alert(1)", "gopher://a.example/", "about:blank", "blob:x", "mailto:x@y",
        "view-source:http://10.0.0.5/", "dict://10.0.0.5:11211/"}) {
    web.at(kRoot, redirect_to(place));
    const Crawled crawled = web.crawl(from_root());
    expect_untouched(crawled, place);
    const FetchRecord* const root = crawled.find(kRoot);
    ASSERT_NE(root, nullptr);
    EXPECT_EQ(root->status, 302);
    EXPECT_EQ(root->next_url.substr(0, 4), place.substr(0, 4));
    EXPECT_THAT(crawled.skipped, Contains(testing::Pair(root->next_url, SkipReason::not_http)));
    for (const FetchRecord& record : crawled.records) EXPECT_THAT(record.url, HasSubstr(kRoot));
  }
}

TEST_F(GuardedCrawl, RecordsARedirectToNowhere) {
  for (const std::string_view place :
       {"http://[", "http://a b/", "//", "http://a.example:99999/"}) {
    web.at(kRoot, redirect_to(place));
    const Crawled crawled = web.crawl(from_root());
    EXPECT_EQ(crawled.find(kRoot)->error, kBadRedirect) << place;
  }
  web.at(kRoot, Reply{.status = 302});
  EXPECT_EQ(web.crawl(from_root()).find(kRoot)->error, kBadRedirect);
}

// A name server that returns another address each time.
class FickleNames final : public net::Resolver {
 public:
  FickleNames(std::vector<std::vector<std::string>> answers) : answers_(std::move(answers)) {}

  async::Task<Result<net::Addresses>> look_up(std::string host) override {
    net::Addresses found;
    const std::size_t times = asked_++;
    if (host == "fickle.example") {
      for (const std::string& ip : answers_[std::min(times, answers_.size() - 1)]) {
        found.v4.push_back(*async::Endpoint::parse_address(ip));
      }
    } else {
      found.v4.push_back(*async::Endpoint::parse_address(kStrangerAddress));
    }
    co_return found;
  }
  std::size_t asked() const { return asked_; }

 private:
  std::vector<std::vector<std::string>> answers_;
  std::size_t asked_ = 0;
};

TEST_F(GuardedCrawl, ResistsDnsRebinding) {
  const std::string inner(kInner);
  const std::string outer(kStrangerAddress);
  const std::vector<std::vector<std::vector<std::string>>> cases = {
      {{outer}, {inner}},
      {{outer}, {outer}, {inner}},
      {{outer}, {outer}, {outer}, {inner}},
      {{inner}, {outer}, {inner}},
      {{outer, inner}},
      {{inner, outer}},
      {{inner}},
  };
  for (const auto& answers : cases) {
    FickleNames names(answers);
    web.names = &names;
    // Each page has its own connection, so that the name is resolved often.
    Reply page = links_to({"/1", "/2", "/3", "/4"});
    page.fields = "Connection: close\r\n";
    web.otherwise("fickle.example", page);
    Options options = from_root();
    options.roots = {"http://fickle.example/"};
    options.concurrency = 1;
    const Crawled crawled = web.crawl(std::move(options));
    expect_untouched(crawled, "fickle");
    EXPECT_FALSE(crawled.records.empty());
  }
}

// What pages request in a browser is guarded as pages are.
TEST_F(GuardedCrawl, PartsOfRenderedPagesReachNoPrivateHost) {
  support::BrowserModel browsers;
  web.browsers = &browsers;
  const std::string shell = "<div id=app></div><script src=/app.js></script>\n";
  web.at(kRoot, Reply{.body = shell + "part http://inner.example/\npart http://10.0.0.5/\n"
                                      "part http://a.example/away\n"});
  // A browser follows redirects by another request, which the model does not; so this is the next.
  web.at("http://a.example/away", Reply{.body = "part http://inner.example/admin"});
  Options options = from_root();
  options.renders = RenderMode::always;
  const Crawled crawled = web.crawl(std::move(options));
  expect_untouched(crawled, "parts");
  EXPECT_EQ(crawled.times_asked("http://a.example/away"), 1U);
  EXPECT_EQ(crawled.find(kRoot)->rendering->requests, 4U);
}

TEST_F(GuardedCrawl, PartsOfRenderedPagesResistDnsRebinding) {
  const std::string inner(kInner);
  const std::string outer(kStrangerAddress);
  const std::vector<std::vector<std::vector<std::string>>> cases = {{{outer}, {inner}},
                                                                    {{outer}, {outer}, {inner}},
                                                                    {{outer, inner}},
                                                                    {{inner, outer}},
                                                                    {{inner}}};
  for (const auto& answers : cases) {
    FickleNames names(answers);
    support::BrowserModel browsers;
    web.names = &names;
    web.browsers = &browsers;
    std::string page = "<script src=/app.js></script>\n";
    for (int i = 0; i < 8; ++i) page += fmt::format("part http://fickle.example/{}\n", i);
    web.otherwise("fickle.example", Reply{.body = page, .fields = "Connection: close\r\n"});
    Options options = from_root();
    options.roots = {"http://fickle.example/"};
    options.renders = RenderMode::always;
    const Crawled crawled = web.crawl(std::move(options));
    expect_untouched(crawled, "fickle");
  }
}

// The user typed the name, but it had a public address.
TEST_F(GuardedCrawl, TrustsATypedNameOnlyForItsFirstAddress) {
  const std::string inner(kInner);
  const std::string outer(kStrangerAddress);
  web.guard = {.allowed_hosts = {"fickle.example"}};
  Reply page = links_to({"/1", "/2", "/3", "/4"});
  page.fields = "Connection: close\r\n";
  web.otherwise("fickle.example", page);
  const auto crawl_with = [this](std::vector<std::vector<std::string>> answers) {
    FickleNames names(std::move(answers));
    web.names = &names;
    Options options = from_root();
    options.roots = {"http://fickle.example/"};
    options.concurrency = 1;
    options.politeness.delay = 6s;  // longer than the DNS cache
    return web.crawl(std::move(options));
  };
  const Crawled rebound = crawl_with({{outer}, {inner}});
  expect_untouched(rebound, "rebound");
  EXPECT_THAT(rebound.records, Contains(testing::Field(&FetchRecord::error, "denied")));
  EXPECT_THAT(crawl_with({{inner}}).connections, Contains(testing::Key(kInner)))
      << "typed, and local from the start";
}

TEST_F(GuardedCrawl, KeepsPasswordsOfRedirectsOutOfRecords) {
  web.at(kRoot, redirect_to("http://me:word@a.example/next#there"));
  web.page("http://a.example/next", {});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.find(kRoot)->next_url, "http://a.example/next");
  EXPECT_EQ(crawled.find("http://a.example/next")->status, 200);
}

TEST_F(GuardedCrawl, AllowsOnlyTheLocalHostsThatTheUserNames) {
  web.guard = {.allowed_hosts = {"inner.example"}};
  web.address("other.example", "10.0.0.6");
  web.page("http://inner.example/", {"/x", "http://other.example/", "http://10.0.0.5/"});
  Options options = from_root();
  options.roots = {"http://inner.example/"};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked("http://inner.example/x"), 1u);
  EXPECT_FALSE(crawled.connections.contains("10.0.0.6"));
  EXPECT_EQ(crawled.find("http://other.example/")->error, "denied");
  EXPECT_EQ(crawled.find("http://10.0.0.5/")->error, "denied");
}

// --- secrets in requests

TEST_F(GuardedCrawl, SendsCookiesOnlyToTheirHost) {
  Reply root = links_to({"/in", "http://b.example/", "http://sub.a.example/"});
  root.fields =
      "Set-Cookie: host=1\r\nSet-Cookie: wide=1; Domain=a.example\r\n"
      "Set-Cookie: suffix=1; Domain=example\r\nSet-Cookie: other=1; Domain=b.example\r\n"
      "Set-Cookie: safe=1; Secure\r\nSet-Cookie: deep=1; Path=/deep\r\n";
  web.at(kRoot, root).address("b.example", "93.184.216.35");
  web.address("sub.a.example", "93.184.216.36");
  const Crawled crawled = web.crawl(from_root());
  std::size_t checked = 0;
  for (const Heard& heard : crawled.heard) {
    EXPECT_THAT(heard.head, Not(HasSubstr("suffix=1"))) << heard.url;
    EXPECT_THAT(heard.head, Not(HasSubstr("other=1"))) << heard.url;
    EXPECT_THAT(heard.head, Not(HasSubstr("safe=1"))) << heard.url;
    EXPECT_THAT(heard.head, Not(HasSubstr("deep=1"))) << heard.url;
    if (heard.url.contains("b.example")) EXPECT_THAT(heard.head, Not(HasSubstr("Cookie")));
    if (heard.url.contains("sub.a")) EXPECT_THAT(heard.head, Not(HasSubstr("host=1")));
    if (heard.url != "http://a.example/in") continue;
    ++checked;
    EXPECT_THAT(heard.head, HasSubstr("host=1"));
    EXPECT_THAT(heard.head, HasSubstr("wide=1"));
  }
  EXPECT_EQ(checked, 1u);
}

TEST_F(GuardedCrawl, NeverSendsCredentialsOfUrls) {
  web.at(kRoot, html("<a href=http://user:secret@a.example/x>x</a>"));
  web.at("http://a.example/x", redirect_to("http://user:secret@a.example/y"));
  Reply check = redirect_to("http://user:secret@a.example/y");
  check.fields += "Set-Cookie: seen=yes\r\n";
  web.at("http://a.example/y", check);
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.times_asked("http://a.example/x"), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/y"), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/robots.txt"), 1u) << "it is one origin";
  for (const Heard& heard : crawled.heard) {
    EXPECT_THAT(heard.head, Not(HasSubstr("Authorization"))) << heard.url;
    EXPECT_THAT(heard.head, Not(HasSubstr("secret"))) << heard.url;
    EXPECT_THAT(heard.head, Not(HasSubstr("Referer"))) << heard.url;
  }
  for (const FetchRecord& record : crawled.records) {
    EXPECT_THAT(record.url, Not(HasSubstr("secret")));
    EXPECT_THAT(record.via, Not(HasSubstr("secret")));
  }
}

TEST_F(GuardedCrawl, SendsNoInjectedLineBreaks) {
  const std::vector<std::string> hostile = {
      std::string("/a\r\nInjected: 1"),
      "/b%0d%0aInjected: 2",
      std::string("/c\0d", 4),
      "/e\tf",
      "/g Injected: 3",
      "?h\r\nInjected: 4",
      "http://a.example\r\nInjected: 5/",
      "/i&#13;&#10;Injected: 6",
      "//a.example/\x7f\x1b[0m",
      "/j%00k",
      "/\xC0\xAF..",
  };
  Reply root;
  for (const std::string& link : hostile) root.body += "<a href=\"" + link + "\">x</a>";
  web.at(kRoot, root);
  const Crawled crawled = web.crawl(from_root());
  EXPECT_GT(crawled.heard.size(), 8u);
  for (const Heard& heard : crawled.heard) {
    EXPECT_THAT(heard.head, Not(HasSubstr("\nInjected"))) << heard.head;
    EXPECT_EQ(heard.head.find('\0'), std::string::npos);
    const std::string line = heard.head.substr(0, heard.head.find("\r\n"));
    EXPECT_EQ(std::ranges::count(line, ' '), 2) << line;
    for (const char c : line) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << line;
  }
}

TEST_F(GuardedCrawl, SendsNoLineBreaksFromRedirectsAndCookies) {
  Reply root = redirect_to("/x%0d%0aInjected: 1");
  root.fields +=
      "Set-Cookie: a=b%0d%0aInjected: 2\r\nSet-Cookie: c=d\x01"
      "e\r\n";
  web.at(kRoot, root);
  const Crawled crawled = web.crawl(from_root());
  for (const Heard& heard : crawled.heard) {
    EXPECT_THAT(heard.head, Not(HasSubstr("\nInjected"))) << heard.head;
    EXPECT_THAT(heard.head, Not(HasSubstr("\x01")));
  }
}

}  // namespace
}  // namespace gossamer::crawler
