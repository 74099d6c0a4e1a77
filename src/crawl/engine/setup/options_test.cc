#include "engine/setup/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gossamer::crawler {
namespace {

using testing::HasSubstr;

struct RootRow {
  std::string text;
  std::string_view url;  // empty: it is rejected
};

TEST(Options, AcceptRootsAsTheyAreTyped) {
  for (const RootRow& row : {
           RootRow{"example.com", "http://example.com/"},
           RootRow{"example.com/a/b?c#d", "http://example.com/a/b?c#d"},
           RootRow{"example.com:80", "http://example.com/"},
           RootRow{"example.com:8080/x", "http://example.com:8080/x"},
           RootRow{"localhost:8080/x", "http://localhost:8080/x"},
           RootRow{"localhost", "http://localhost/"},
           RootRow{"127.0.0.1:8080", "http://127.0.0.1:8080/"},
           RootRow{"http://[::1]:80", "http://[::1]/"},
           RootRow{"[::1]:8080/x", "http://[::1]:8080/x"},
           RootRow{"HTTP://A.EXAMPLE", "http://a.example/"},
           RootRow{"https://a.example", "https://a.example/"},
           RootRow{"  a.example  ", "http://a.example/"},
           RootRow{"//a.example/x", "http://a.example/x"},
           RootRow{"a.example/x:y", "http://a.example/x:y"},
           RootRow{"a.example?u=http://b.example", "http://a.example/?u=http://b.example"},
           RootRow{"b\xC3\xBC"
                   "cher.example",
                   "http://xn--bcher-kva.example/"},
           RootRow{"", ""},
           RootRow{" ", ""},
           RootRow{"/", ""},
           RootRow{"mailto:x", ""},
           RootRow{"mailto:x@example.com", ""},
           RootRow{"ftp://x", ""},
           RootRow{"ftp://example.com:21/x", ""},
           RootRow{"file:///etc/passwd", ""},
           RootRow{"javascript:alert(1)", ""},
           RootRow{"data:text/html,x", ""},
           RootRow{"about:blank", ""},
           RootRow{"http://", ""},
           RootRow{"http://a b.example/", ""},
           RootRow{"http://a.example:99999/", ""},
           RootRow{"a.example:99999", ""},
           RootRow{"http://[::1", ""},
           RootRow{"ht!tp://a.example", ""},
           RootRow{"://a.example", ""},
           RootRow{"c:/site/index.html", ""},
           RootRow{"c:site.html", ""},
           RootRow{"./site.py", ""},
           RootRow{"../list", ""},
           RootRow{".", ""},
           RootRow{"a..example", ""},
           RootRow{"s", ""},
           RootRow{"10", ""},
           RootRow{"site/index.html", ""},
           RootRow{"http://intranet", "http://intranet/"},
           RootRow{"intranet:8080", "http://intranet:8080/"},
           RootRow{"//intranet/x", ""},
           RootRow{"a.example/x?u=a://b", "http://a.example/x?u=a://b"},
       }) {
    const auto url = parse_root(row.text);
    EXPECT_EQ(url ? url->href() : "", row.url) << "'" << row.text << "'";
    if (!url) {
      EXPECT_EQ(url.error(), Errc::invalid_argument) << row.text;
    }
  }
}

TEST(Options, SayWhichRootIsWrong) {
  const auto url = parse_root("ftp://x");
  ASSERT_FALSE(url);
  EXPECT_THAT(url.error().to_string(), HasSubstr("'ftp://x' is neither http nor https"));
  EXPECT_EQ(parse_root("s").error().detail(), "'s' is not a URL: if s is a host, write http://s/");
  EXPECT_EQ(parse_root("ht!tp://a.example").error().detail(),
            "'ht!tp://a.example' is not a URL: 'ht!tp' is not a scheme");
}

TEST(Options, KeepPasswordsOutOfMessages) {
  for (const char* root : {"http://me:word@a b/", "htp://me:word@a.example/",
                           "h!tp://me:word@a.example/", "me:word@a..example"}) {
    const auto url = parse_root(root);
    ASSERT_FALSE(url.has_value()) << root;
    EXPECT_EQ(url.error().to_string().find("word"), std::string::npos) << root;
  }
}

Options good() {
  Options options;
  options.roots = {"a.example"};
  return options;
}

TEST(Options, AreValidByDefaultWithARoot) {
  EXPECT_TRUE(validate(good()));
  EXPECT_EQ(validate(Options()).error(), Errc::invalid_argument);
}

// `change` makes valid options invalid, and the message contains these words.
template <class Change>
void expect_refused(Change change, std::string_view words) {
  Options options = good();
  change(options);
  const auto verdict = validate(options);
  ASSERT_FALSE(verdict) << words;
  EXPECT_EQ(verdict.error(), Errc::invalid_argument);
  EXPECT_THAT(verdict.error().to_string(), HasSubstr(std::string(words)));
}

TEST(Options, AreRejectedIfInvalid) {
  expect_refused([](Options& o) { o.roots.push_back("mailto:x"); }, "mailto:x");
  expect_refused([](Options& o) { o.scope.exclude = {"("}; }, "(");
  expect_refused([](Options& o) { o.concurrency = 0; }, "concurrency");
  expect_refused([](Options& o) { o.politeness.host_concurrency = 0; }, "concurrency per host");
  expect_refused([](Options& o) { o.politeness.concurrency_first = 0; }, "concurrency per host");
  expect_refused([](Options& o) { o.logins = {{.url = "http://a.example/login"}}; }, "login");
  expect_refused([](Options& o) { o.hosts = {{.name = "a b"}}; }, "a b");
  expect_refused([](Options& o) { o.traps.path_segments_max = 0; }, "trap");
  expect_refused([](Options& o) { o.extract = {"="}; }, "=");
  expect_refused([](Options& o) { o.items = ".card"; }, "items require fields");
  expect_refused([](Options& o) { o.tries_max = 0; }, "tries");
  expect_refused([](Options& o) { o.tries_max = 251; }, "tries");
  expect_refused([](Options& o) { o.redirects_max = 251; }, "redirects");
  expect_refused([](Options& o) { o.pages_max = 0; }, "pages");
}

TEST(Options, MayBeAtTheirLimits) {
  Options options = good();
  options.redirects_max = 0;
  options.pages_max = 1;
  options.tries_max = 1;
  options.concurrency = 1;
  options.politeness.concurrency_first = 1;
  options.politeness.host_concurrency = 1;
  EXPECT_TRUE(validate(options));
  options.redirects_max = 250;
  options.tries_max = 250;
  EXPECT_TRUE(validate(options));
}

TEST(Options, ALocalHostMayUseTheConcurrencyOfTheCrawl) {
  Options options = good();
  options.concurrency = 200;
  EXPECT_EQ(frontier_politeness(options).own_concurrency, 200u);
  options.concurrency = 2;
  EXPECT_EQ(frontier_politeness(options).own_concurrency, PolitenessOptions().own_concurrency);
}

}  // namespace
}  // namespace gossamer::crawler
