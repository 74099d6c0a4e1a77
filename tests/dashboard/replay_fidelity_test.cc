// Compares replayed pages with the live ones: both are shown in a browser, and at most one pixel in
// a hundred may differ. The site is gone when its archive is replayed.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/dashboard/browsing.h"

namespace gossamer::dashboard {
namespace {

using support::CommandRun;
using support::Program;

// A page whose look depends on all that a style sheet can load.
constexpr const char* kStyledPage = R"html(<!doctype html><html><head><meta charset=utf-8>
<title>Styled</title><link rel=stylesheet href="css/main.css"><link rel=icon href="icon.svg">
<style>@import "css/inline.css"; h1 { background: url("img/stripe.svg") }</style></head>
<body><header class=banner><h1>The Museum of Styles</h1></header>
<main class=grid><article class="card one"><h2>Stone</h2><p>Text that flows in columns, far
enough to be broken into lines by the width of its box.</p></article>
<article class="card two"><h2>Bronze</h2><img src="img/disc.svg" alt="" width=120 height=120>
</article><article class="card three"><h2>Iron</h2>
<picture><source srcset="img/wide.svg" media="(min-width: 800px)">
<img src="img/narrow.svg" alt="" width=200 height=80></picture></article></main>
<div style="background-image: url(img/stripe.svg); height: 60px"></div>
<table><tr><th>a<th>b<tr><td>1<td>2</table></body></html>)html";

// A page that shows nothing without its script, and something else where scripts are off.
constexpr const char* kScriptedPage = R"html(<!doctype html><html><head><meta charset=utf-8>
<title>Scripted</title><noscript><meta http-equiv=refresh content="0;url=/none"></noscript></head>
<body><noscript><h1>You need to enable JavaScript to see this.</h1></noscript><div id=app></div>
<script src=app.js></script></body></html>)html";
constexpr const char* kScript = R"js(
const app = document.getElementById('app');
app.innerHTML = '<h1>Made by a script</h1><img src=disc.svg alt="" width=200 height=80>' +
    '<div class=bar></div><x-card></x-card>';
const style = document.createElement('style');
document.head.append(style);
style.sheet.insertRule('h1 { background: url(stripe.svg); padding: 2rem }');
const adopted = new CSSStyleSheet();
adopted.replaceSync('.bar { height: 150px; background: #c63 }');
document.adoptedStyleSheets = [adopted];
class Card extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({mode: 'open'});
    root.innerHTML = '<p>In a shadow</p><img src=wide.svg alt="" width=400 height=160>';
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('p { font-size: 60px; background: #36c }');
    root.adoptedStyleSheets = [sheet];
  }
}
customElements.define('x-card', Card);
)js";

std::string shape(const std::string& colour, const std::string& inner) {
  return R"(<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80">)" +
         (R"(<rect width="200" height="80" fill=")" + colour) + "\"/>" + inner + "</svg>";
}

void write_scripted_site(const support::TestFolder& folder) {
  std::filesystem::create_directories(folder.file("scripted"));
  folder.write("scripted/index.html", kScriptedPage);
  folder.write("scripted/app.js", kScript);
  folder.write("scripted/stripe.svg", shape("#8cf", R"(<path d="M0 0L200 80" stroke="#036"/>)"));
  folder.write("scripted/disc.svg", shape("#3a3", ""));
  folder.write("scripted/wide.svg", shape("#a3a", ""));
}

void write_styled_site(const support::TestFolder& folder) {
  std::filesystem::create_directories(folder.file("styled/css"));
  std::filesystem::create_directories(folder.file("styled/img"));
  folder.write("styled/index.html", kStyledPage);
  folder.write(
      "styled/css/main.css",
      "@import url(theme.css);\n"
      "body { margin: 0; font: 16px/1.5 sans-serif; color: var(--ink) }\n"
      ".banner { padding: 2rem; background: linear-gradient(45deg, var(--a), var(--b)) }\n"
      ".grid { display: grid; grid-template-columns: 2fr 1fr 1fr; gap: 1rem; padding: 1rem }\n"
      ".card { border-radius: 12px; padding: 1rem; box-shadow: 0 2px 8px #0004 }\n"
      ".one p { columns: 2 }\n.two { background: url('../img/stripe.svg') }\n"
      ".three::after { content: url(../img/narrow.svg) }\n"
      "@media (max-width: 700px) { .grid { display: block } }\n");
  folder.write("styled/css/theme.css", ":root { --ink: #123; --a: #fc3; --b: #36c }\n");
  folder.write("styled/css/inline.css",
               "table { border-collapse: collapse; margin: 2rem }\n"
               "td, th { border: 3px solid #a33; padding: .5rem 2rem }\n");
  folder.write("styled/img/stripe.svg", shape("#8cf", R"(<path d="M0 0L200 80" stroke="#036"/>)"));
  folder.write("styled/img/disc.svg",
               shape("#fff", R"(<circle cx="100" cy="40" r="38" fill="#c63"/>)"));
  folder.write("styled/img/wide.svg", shape("#3a3", ""));
  folder.write("styled/img/narrow.svg", shape("#a3a", ""));
  folder.write("styled/icon.svg", shape("#000", ""));
}

class ReplayFidelityTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Browser::is_available()) GTEST_SKIP() << "chromium is not installed";
    browser_ = std::make_unique<Browser>();
    browser_->set_view({.width = 1000, .height = 1400});
  }

  // Shows pages of a folder live, archives them, and shows the archive without the server.
  void compare(const std::string& folder, const std::vector<std::string>& pages,
               const std::vector<std::string>& more) {
    const auto port = std::to_string(support::free_port());
    const std::string site = "http://127.0.0.1:" + port;
    std::vector<std::string> live;
    {
      Program server({support::kPython, "-m", "http.server", port, "--bind", "127.0.0.1",
                      "--directory", folder},
                     folder_.file("site.log"));
      ASSERT_TRUE(server.wait_until_listening(static_cast<std::uint16_t>(std::stoi(port))));
      for (const std::string& page : pages) live.push_back(picture_of(site + page));
      std::vector<std::string> words = {"crawl", "--no-proxy",        "-q",      "-o", "/dev/null",
                                        "-j",    folder_.file("job"), "--assets"};
      for (const std::string& page : pages) words.push_back(site + page);
      words.insert(words.end(), more.begin(), more.end());
      CommandRun crawl(words);
      crawl.wait();
    }
    CommandRun server({"serve", folder_.file("job")});
    support::wait_until([&] { return !server.out_lines().empty(); });
    ASSERT_FALSE(server.out_lines().empty()) << server.err();
    ASSERT_TRUE(browser_->open(server.out_lines().front()));
    const std::string archives =
        "fetch('/api/v1/archives', {headers: {Authorization: 'Bearer ' +"
        " sessionStorage.getItem('gossamer-token')}}).then((answer) => answer.json())";
    ASSERT_TRUE(
        browser_->wait_until(archives + ".then((all) => all.archives[0].reading === false)"));
    const Json replay = browser_->evaluate(archives + ".then((all) => all.replay)");
    ASSERT_TRUE(replay.is_string()) << replay.dump();
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const std::string again =
          picture_of(replay.get<std::string>() + "/latest/" + site + pages[i]);
      const double share = difference(live[i], again);
      EXPECT_EQ(requests_elsewhere(), 0) << pages[i];
      RecordProperty("difference of " + std::to_string(i), std::to_string(share));
      EXPECT_LE(share, 0.01) << pages[i];
    }
    // The comparison distinguishes pages.
    if (live.size() > 1) EXPECT_GT(difference(live[0], live[1]), 0.01);
  }

  // What the page that is shown requested from other servers than that of the page.
  int requests_elsewhere() {
    const Json count = browser_->evaluate(
        "performance.getEntriesByType('resource')"
        ".filter((entry) => !entry.name.startsWith(location.origin) &&"
        " !entry.name.startsWith('data:')).length");
    return count.is_number() ? count.get<int>() : -1;
  }

  std::string picture_of(const std::string& url) {
    EXPECT_TRUE(browser_->open(url)) << url;
    save_picture(*browser_, "fidelity-" + std::to_string(pictures_++));
    return browser_->screenshot();
  }

  // The share of pixels that differ, by more than what cannot be seen.
  double difference(const std::string& a, const std::string& b) {
    EXPECT_TRUE(browser_->open("about:blank"));
    const Json share = browser_->evaluate(
        "(async () => { const pixels = async (text) => { const image = new Image();"
        " image.src = 'data:image/png;base64,' + text; await image.decode();"
        " const canvas = new OffscreenCanvas(image.width, image.height);"
        " const context = canvas.getContext('2d'); context.drawImage(image, 0, 0);"
        " return context.getImageData(0, 0, image.width, image.height); };"
        " const a = await pixels(" +
        js_string(a) + "); const b = await pixels(" + js_string(b) +
        "); if (a.width !== b.width || a.height !== b.height) return 1; let count = 0;"
        " for (let i = 0; i < a.data.length; i += 4) {"
        " if (Math.abs(a.data[i] - b.data[i]) + Math.abs(a.data[i + 1] - b.data[i + 1]) +"
        " Math.abs(a.data[i + 2] - b.data[i + 2]) > 24) ++count; }"
        " return count * 4 / a.data.length; })()");
    EXPECT_TRUE(share.is_number()) << share.dump();
    return share.is_number() ? share.get<double>() : 1;
  }

  support::TestFolder folder_;
  std::unique_ptr<Browser> browser_;
  int pictures_ = 0;
};

TEST_F(ReplayFidelityTest, AStyledPageLooksAsItDid) {
  write_styled_site(folder_);
  folder_.write("styled/plain.html", "<!doctype html><title>Plain</title><p>No style at all.");
  compare(folder_.file("styled"), {"/index.html", "/plain.html"}, {});
}

TEST_F(ReplayFidelityTest, APageThatOnlyAScriptMakesLooksAsItDidWithoutIt) {
  write_scripted_site(folder_);
  compare(folder_.file("scripted"), {"/index.html"}, {"--render", "always"});
}

TEST_F(ReplayFidelityTest, APageOfDocumentationLooksAsItDid) {
  const std::string manual = "/usr/share/doc/postgresql-doc-15/html";
  if (!std::filesystem::exists(manual + "/index.html")) {
    GTEST_SKIP() << "postgresql-doc-15 is not installed";
  }
  compare(manual, {"/index.html", "/sql-select.html", "/datatype.html"}, {"--depth", "0"});
}

}  // namespace
}  // namespace gossamer::dashboard
