// Main texts of documentation, forums and shops. The public sets of marked pages are all news and
// blogs, so these pages were written for this test: texts of each kind in the frames that programs
// for such sites make.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "content/content_text.h"
#include "content/main_content.h"
#include "dom/parse.h"

namespace gossamer::content {
namespace {

// A text as paragraphs; the first word of each tells what it is.
struct KindText {
  std::string_view title;
  std::vector<std::string_view> parts;
};

// "h:" a heading, "p:" a paragraph, "c:" code, "l:" an item of a list, "t:" a row of a table.
const std::vector<KindText> kDocuments = {
    {"Reading configuration files",
     {"p:The server reads its configuration once, when it starts. It looks for the file in three "
      "places, and stops at the first one that exists.",
      "l:the path of the option --config", "l:the variable SERVER_CONFIG, if it is set",
      "l:the file server.toml in the current folder", "h:Syntax",
      "p:A configuration is a text in TOML. Keys without a table belong to the server, "
      "tables belong to its modules.",
      "c:port = 8080\nworkers = 4\n\n[log]\nlevel = \"info\"", "h:Errors",
      "p:An unknown key is an error, so a misspelled name cannot go unnoticed. The "
      "message names the line, and the key that was probably meant."}},
    {"sort_by",
     {"p:Sorts the elements of a list by a key, and returns a new list. The order of elements with "
      "equal keys does not change.",
      "h:Parameters", "t:list|the elements, in any order",
      "t:key|a function that returns the key of an element",
      "t:reverse|true for descending order, false by default", "h:Example",
      "c:names = sort_by(people, fn p -> p.name)",
      "p:The function calls key once for each element, "
      "so an expensive key is fine. It needs memory for one more list."}},
    {"Upgrading to version 5",
     {"p:Version 5 removes what version 4 deprecated. Most programs need three changes, which a "
      "tool "
      "makes for you.",
      "h:Before you begin",
      "p:Make a backup of the database. The new format "
      "cannot be read by older versions, and there is no way back.",
      "h:Renamed functions", "t:open_db|Database.open", "t:close_db|Database.close",
      "t:run_sql|Database.query", "h:Run the tool", "c:upgrade --from 4 --to 5 src/",
      "p:The tool prints each change, and leaves "
      "a comment where it is not sure. Search for UPGRADE to find them."}}};

// Each part is a post.
const std::vector<KindText> kThreads = {
    {"Kettle switches off too early",
     {"p:My kettle switches off before the water boils. It is two years old, I use it every day, "
      "and "
      "the water here is very hard. Has anybody seen this?",
      "p:That is almost certainly lime on the sensor. Fill it with water and a little vinegar, "
      "boil "
      "it, wait an hour, and rinse it twice.",
      "p:I had the same problem last winter. Vinegar helped for a month, then I had to replace the "
      "sensor, which costs four euros and takes ten minutes.",
      "p:Thank you both. Vinegar did it, and the kettle boils again as it should. I will order the "
      "sensor as well, just in case."}},
    {"Build fails with undefined reference",
     {"p:After the update my build fails with an undefined reference to inflate. The library is "
      "installed, the headers are found, and yesterday it still worked.",
      "p:The order of libraries matters to the linker. Put the library after the files that use "
      "it, "
      "or use a group if two of them need each other.",
      "p:Also check which of the two versions is found first. On my machine there was an old one "
      "in "
      "another folder, which shadowed the package."}},
    {"Which tent for rain?",
     {"p:We want to walk for ten days in Norway in September, and expect rain. Which tent do you "
      "recommend for two people who carry everything themselves?",
      "p:Look for a high hydrostatic head, at least 3,000 mm for the floor, and for a fly sheet "
      "that "
      "reaches the ground. Weight is secondary when you are wet.",
      "p:Ours has two entrances, which we would not want to miss, because one of them is always "
      "sheltered from the wind. It weighs 2.1 kg.",
      "p:Whatever you buy, pitch it in the garden first, in the rain if you can, and seal the "
      "seams."}}};

const std::vector<KindText> kProducts = {
    {"Steel kettle 1.7 l",
     {"p:A kettle of brushed steel that boils 1.7 litres in four minutes. The handle stays cool, "
      "the "
      "lid opens wide, and the filter can be taken out for cleaning.",
      "p:It switches itself off when the water boils, when it is lifted, and when it is empty. The "
      "base turns in every direction, so it suits both hands.",
      "t:Capacity|1.7 litres", "t:Power|2,200 watts", "t:Weight|1.1 kilograms",
      "t:Guarantee|three years"}},
    {"Walking boots, leather",
     {"p:These boots are sewn, not glued, so they can be resoled. The leather is tanned without "
      "chrome, and the tongue is closed up to the ankle to keep water out.",
      "p:They fit narrow feet. If you are between two sizes, take the larger one, and wear them at "
      "home for a week before the first long walk.",
      "t:Upper|full grain leather, 2.4 mm", "t:Sole|rubber, replaceable", "t:Height|18 cm"}},
    {"Desk lamp with dimmer",
     {"p:The lamp has a long arm with two joints, which hold in every position. Its light is warm, "
      "does not flicker, and can be dimmed in ten steps by a touch of the head.",
      "p:The light source can be replaced without tools. In standby, the lamp uses less than a "
      "tenth "
      "of a watt.",
      "t:Colour|black, white or green", "t:Light|800 lumens", "t:Reach|74 cm"}}};

std::string part_as_html(std::string_view part) {
  const std::string_view text = part.substr(2);
  switch (part[0]) {
    case 'h': return fmt::format("<h2>{}</h2>\n", text);
    case 'c': return fmt::format("<pre><code>{}</code></pre>\n", text);
    case 'l': return fmt::format("<ul><li>{}</li></ul>\n", text);
    case 't': {
      const std::size_t bar = text.find('|');
      return fmt::format("<table><tr><th>{}</th><td>{}</td></tr></table>\n", text.substr(0, bar),
                         text.substr(bar + 1));
    }
    default: return fmt::format("<p>{}</p>\n", text);
  }
}

// Joins the items of one list or table.
std::string joined(std::string html) {
  for (const std::string_view gap : {"</ul>\n<ul>", "</table>\n<table>"}) {
    for (std::size_t at = html.find(gap); at != std::string::npos; at = html.find(gap, at)) {
      html.erase(at, gap.size());
    }
  }
  return html;
}

std::string all_parts(const KindText& text) {
  std::string html;
  for (const std::string_view part : text.parts) html += part_as_html(part);
  return joined(std::move(html));
}

std::string menu(std::string_view words) {
  std::string items;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    items += fmt::format("<li><a href=\"/{0}\">{0}</a></li>", words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return "<ul>" + items + "</ul>";
}

constexpr std::string_view kContents =
    "Introduction Installation Tutorial Configuration Modules Functions Types Errors Deployment "
    "Upgrading Glossary Index";

// --- frames of documentation

std::string generated_manual(const KindText& text) {
  return fmt::format(
      "<div class=related role=navigation><h3>Navigation</h3>{0}</div><div class=document>"
      "<div class=documentwrapper><div class=bodywrapper><div class=body role=main><section>"
      "<h1>{1}<a class=headerlink href=#x title=Permalink>#</a></h1>{2}</section></div></div></div>"
      "<div class=sphinxsidebar role=navigation><h4>Previous topic</h4><p><a "
      "href=p>Installation</a>"
      "</p><h4>This page</h4><ul><li><a href=s>Show source</a></li></ul></div></div>"
      "<div class=footer role=contentinfo>Copyright 2020, the authors. Last updated in May.</div>",
      menu("index modules next previous"), text.title, all_parts(text));
}

std::string modern_manual(const KindText& text) {
  return fmt::format(
      "<header class=navbar><a href=/>Project</a>{0}<button>Search</button></header>"
      "<div class=layout><aside class=sidebar><nav>{1}</nav></aside><main><article>"
      "<nav aria-label=breadcrumbs><a href=/>Home</a> / <a href=/g>Guides</a></nav><header><h1>{2}"
      "</h1></header><div class=\"theme-doc-markdown markdown\">{3}</div><footer>"
      "<a href=e>Edit this page</a> Last updated by an editor</footer></article>"
      "<nav class=pagination><a href=p>Previous: Types</a><a href=n>Next: Errors</a></nav></main>"
      "<div class=toc><p>On this page</p><ul><li><a href=#a>Syntax</a></li></ul></div></div>"
      "<footer class=site-footer>Made with care. {0}</footer>",
      menu("Docs Blog Community GitHub"), menu(kContents), text.title, all_parts(text));
}

std::string wiki(const KindText& text) {
  return fmt::format(
      "<div id=mw-page-base></div><div id=content class=mw-body role=main><h1 id=firstHeading>{0}"
      "</h1><div id=bodyContent><div id=siteSub>From the project wiki</div><div id=jump-to-nav>"
      "</div><div class=mw-parser-output><div id=toc class=toc><h2>Contents</h2>{1}</div>{2}</div>"
      "<div class=printfooter>Retrieved from the wiki</div><div id=catlinks class=catlinks>"
      "<a href=c>Categories</a>: <a href=m>Manual</a></div></div></div><div id=mw-navigation>"
      "<h2>Navigation menu</h2>{1}</div><div id=footer role=contentinfo>This page was edited last "
      "week. <a href=p>Privacy</a></div>",
      text.title, menu("Overview Details Notes"), all_parts(text));
}

// --- frames of forums

std::string posts_in(const KindText& text, std::string_view before, std::string_view after) {
  constexpr std::array<std::string_view, 4> kNames = {"anna", "bert", "carla", "dieter"};
  std::string html;
  for (std::size_t i = 0; i < text.parts.size(); ++i) {
    std::string open(before);
    for (std::size_t at = open.find('@'); at != std::string::npos; at = open.find('@', at)) {
      open.replace(at, 1, kNames[i % kNames.size()]);
    }
    html += open + part_as_html(text.parts[i]) + std::string(after);
  }
  return html;
}

std::string classic_forum(const KindText& text) {
  return fmt::format(
      "<div id=page-header><a href=/>Board index</a> <form><input name=q><button>Search</button>"
      "</form></div><div id=page-body><h2 class=topic-title><a href=t>{0}</a></h2>"
      "<div class=action-bar><a href=r>Post reply</a></div>{1}<div class=action-bar>"
      "<a href=r>Post reply</a> 4 posts, page 1 of 1</div></div>"
      "<div id=page-footer>Powered by a forum program. <a href=c>Delete cookies</a></div>",
      text.title,
      posts_in(text,
               "<div class=\"post bg2\"><div class=inner><dl class=postprofile><dt><a href=u>@</a>"
               "</dt><dd>Posts: 12</dd></dl><div class=postbody><div class=content>",
               "</div></div></div></div>"));
}

std::string modern_forum(const KindText& text) {
  return fmt::format(
      "<header class=d-header><a href=/>Forum</a>{1}</header><div id=main-outlet><h1><a href=t>{0}"
      "</a></h1>{2}<div class=more-topics><h3>Suggested topics</h3>{1}</div></div>"
      "<footer>Powered by a forum program</footer>",
      text.title, menu("Latest Top Categories"),
      posts_in(text,
               "<div class=topic-post><article class=boxed><div class=topic-avatar><a href=u>"
               "<img src=a.png></a></div><div class=topic-body><div class=names><a href=u>@</a>"
               "</div><div class=cooked>",
               "</div><nav class=post-controls><button>Like</button><button>Reply</button></nav>"
               "</div></article></div>"));
}

std::string questions_and_answers(const KindText& text) {
  return fmt::format(
      "<header><a href=/>Answers</a>{1}</header><div class=container><div id=left-sidebar>{1}</div>"
      "<div id=content><h1><a href=q>{0}</a></h1><div id=mainbar>{2}</div><div id=sidebar><h4>Hot "
      "questions</h4>{1}</div></div></div><footer>{1}</footer>",
      text.title, menu("Questions Tags Users Unanswered"),
      posts_in(
          text,
          "<div class=answer><div class=votecell><button>Up</button><span>7</span></div>"
          "<div class=answercell><div class=s-prose itemprop=text>",
          "</div><div class=user-info><a href=u>an author</a> <span>answered in May</span></div>"
          "</div></div>"));
}

// --- frames of shops

std::string classic_shop(const KindText& text) {
  return fmt::format(
      "<div id=header><a href=/>Shop</a>{1}<a href=/cart>Cart: 0 items</a></div><div id=columns>"
      "<div id=left_column><p class=title_block>Categories</p>{1}</div><div id=center_column>"
      "<h1>{0}</h1><div id=buy_block><span class=price>39.90 EUR</span><button>Add to cart</button>"
      "</div><div id=more_info_block><ul id=more_info_tabs><li><a href=#1>More info</a></li></ul>"
      "<div id=more_info_sheets><div id=idTab1 class=rte>{2}</div></div></div>"
      "<div class=accessories><h3>Customers also bought</h3>{1}</div></div></div>"
      "<div id=footer>{1}<p>All prices include taxes, plus delivery.</p></div>",
      text.title, menu("Kitchen Outdoor Light Sale Help"), all_parts(text));
}

std::string modern_shop(const KindText& text) {
  return fmt::format(
      "<header>{1}</header><main id=MainContent><section class=product itemscope "
      "itemtype=https://schema.org/Product><div class=gallery><img src=1.jpg><img src=2.jpg></div>"
      "<div class=product__info><h1 itemprop=name>{0}</h1><div class=price>39.90</div>"
      "<form action=/cart/add><select><option>S</option><option>M</option></select>"
      "<button>Buy now</button></form><div class=\"product__description rte\" "
      "itemprop=description>{2}</div></div></section><section class=recommendations>"
      "<h2>You may also like</h2>{1}</section></main><footer>{1}<p>Newsletter</p></footer>",
      text.title, menu("New Bestsellers Gifts About Contact"), all_parts(text));
}

std::string plugin_shop(const KindText& text) {
  return fmt::format(
      "<div id=page><header id=masthead>{1}</header><div id=primary class=content-area>"
      "<nav class=woocommerce-breadcrumb><a href=/>Home</a> / {0}</nav><main id=main><div "
      "class=\"product type-product\"><div class=\"summary entry-summary\"><h1 "
      "class=product_title>{0}</h1><p class=price>39.90</p><form class=cart><button>Add to cart"
      "</button></form><div class=product_meta>Category: <a href=k>Kitchen</a></div></div>"
      "<div class=woocommerce-tabs><ul class=tabs><li><a href=#d>Description</a></li></ul>"
      "<div class=\"panel entry-content\" id=tab-description>{2}</div></div>"
      "<section class=\"related products\"><h2>Related products</h2>{1}</section></div></main>"
      "</div><footer id=colophon>{1}</footer></div>",
      text.title, menu("Shop Cart Checkout Account"), all_parts(text));
}

// --- comparison

using Words = std::map<std::string, int>;

Words words_of(std::string_view text) {
  Words words;
  std::string word;
  for (const char c : std::string(text) + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += c;
    } else if (!word.empty()) {
      ++words[word];
      word.clear();
    }
  }
  return words;
}

std::string expected_text(const KindText& text) {
  std::string all;
  for (const std::string_view part : text.parts) all.append(part.substr(2)).append(" ");
  return all;
}

// The share of words that both have.
double f1_of(const Words& expected, const Words& found) {
  int both = 0;
  int all = 0;
  for (const auto& [word, count] : expected) {
    all += count;
    if (const auto same = found.find(word); same != found.end()) {
      both += std::min(count, same->second);
    }
  }
  for (const auto& [word, count] : found) all += count;
  return all == 0 ? 0 : 2.0 * both / all;
}

struct Frame {
  std::string_view name;
  std::string (*make)(const KindText& text);
};

void expect_f1(std::string_view kind, const std::vector<KindText>& texts,
               const std::vector<Frame>& frames, double least) {
  double sum = 0;
  for (const Frame& frame : frames) {
    for (const KindText& text : texts) {
      const std::string page = fmt::format(
          "<!doctype html><html><head><title>{} - Example</title></head><body>{}</body></html>",
          text.title, frame.make(text));
      const dom::Document document = dom::parse(page);
      const std::string found = to_text(find_main_content(document), 100'000);
      const double f1 = f1_of(words_of(expected_text(text)), words_of(found));
      EXPECT_GE(f1, 0.7) << frame.name << ", " << text.title << ":\n" << found;
      sum += f1;
    }
  }
  const double mean = sum / static_cast<double>(frames.size() * texts.size());
  fmt::print("{}: F1 {:.3f}, {} pages\n", kind, mean, frames.size() * texts.size());
  EXPECT_GE(mean, least) << kind;
}

TEST(PageKinds, DocumentationHasItsText) {
  expect_f1(
      "documentation", kDocuments,
      {{"generated manual", generated_manual}, {"modern manual", modern_manual}, {"wiki", wiki}},
      0.95);
}

TEST(PageKinds, ThreadsHaveTheirPosts) {
  expect_f1("forums", kThreads,
            {{"classic forum", classic_forum},
             {"modern forum", modern_forum},
             {"questions and answers", questions_and_answers}},
            0.9);
}

TEST(PageKinds, ProductsHaveTheirDescriptions) {
  expect_f1(
      "shops", kProducts,
      {{"classic shop", classic_shop}, {"modern shop", modern_shop}, {"plugin shop", plugin_shop}},
      0.9);
}

}  // namespace
}  // namespace gossamer::content
