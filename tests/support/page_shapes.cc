#include <fmt/format.h>
#include <tests/support/page_shapes.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace gossamer::crawler {
namespace {

std::string repeated(std::string_view unit, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += unit;
  return text;
}

// `unit` has a place for a number.
std::string numbered(std::string_view unit, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; text.size() < bytes; ++i) text += fmt::format(fmt::runtime(unit), i);
  return text;
}

PageShape many(std::string_view unit, std::string_view before = "", std::string_view after = "",
               std::string_view type = "text/html") {
  return {.name = std::string(before) + std::string(unit),
          .type = std::string(type),
          .before = before,
          .unit = unit,
          .after = after};
}

PageShape numbers(std::string_view unit, std::string_view before = "", std::string_view after = "",
                  std::string_view type = "text/html") {
  PageShape shape = many(unit, before, after, type);
  shape.is_numbered = true;
  return shape;
}

PageShape based(std::string_view base, std::string_view link) {
  PageShape shape = numbers(link);
  shape.name = fmt::format("base {} and {}", base, link);
  shape.base = base;
  return shape;
}

std::vector<PageShape> shapes_of_links() {
  return {
      based("x", "<a href={}>"),
      based("x/", "<a href=../../{}>"),
      based("x/", "<a href=?{}>"),
      based("%41", "<a href=#{}>"),
      based("x", "<img src={}>"),
      numbers("<base href=/{}/>"),
      numbers("<a href=/{}>"),
      numbers("<a href=/{}>text</a>"),
      many("<a href=/x>"),
      many("<a href=>"),
      numbers("<a href='/list?a={0}&b=1&c=2&a={0}&d=3'>"),
      numbers("<a rel=nofollow href=/{}>"),
      numbers("<a href=//u:p@a.example/{}>"),
      numbers("<a href=http://h{}.example/>"),
      numbers("<a href=mailto:{}@a.example>"),
      numbers("<a href=/{}#part>"),
      numbers("<a href='http://[{}'>"),
      numbers("<a href=/a/b/a/b/{}/c>"),
      numbers("<a href=/2026/11/{}/>"),
      numbers("<a href=/?sid=0123456789abcdef{}>"),
      many("x", "<a href='/", "'>"),
      many("../", "<a href='/", "'>"),
      many("%41", "<a href='/?", "'>"),
      many("a=1&", "<a href='/?", "'>"),
      many("\xC3\xBC", "<a href='/?", "'>"),
      many("AAAA", "<img src='data:image/png;base64,", "'>"),
      many("a ", "<a href=/x rel='", "'>"),
  };
}

std::vector<PageShape> shapes_of_markup() {
  return {
      many("<div>"),
      many("<svg>"),
      many("<math><annotation-xml encoding=text/html>"),
      many("<svg><foreignObject>"),
      many("</p>", "<svg>"),
      many("<template>"),
      many("<table><b><p>"),
      many("<a href=/x", "", ""),
      many("<!--"),
      many("-", "<!--"),
      many("--!", "<!--"),
      many("<!"),
      many("<?"),
      many("]]", "<svg><![CDATA["),
      many("&amp"),
      many("&"),
      many("1", "&#x"),
      many("notit;", "&"),
      numbers("a{}=1 ", "<a "),
      many("a=a=a=", "<a "),
      many("/", "<a "),
      many("x", "<"),
      many("<"),
      many("</"),
      many("t", "<title>"),
      many("<title>t</title>"),
      many("<h1>t "),
      many(" \r\n"),
      many(std::string_view("\0", 1)),
      many("\xFF\xC3"),
      many("<!--<script>", "<script>"),
      many("</scrip", "<script>"),
      many("[{\"@id\":", "<script type=application/ld+json>"),
      numbers("<meta name=robots content='a{}, nofollow'>"),
      numbers("<meta http-equiv=refresh content='{};url=/x'>"),
      many("none,", "<meta name=robots content='", "'>"),
      many("&lt;", "<textarea>"),
      many("x", "<plaintext>"),
  };
}

std::vector<PageShape> shapes_of_style() {
  return {
      many("a{b:url(x)}", "<style>"),
      many("url(", "<style>"),
      many("/*", "<style>url("),
      many("\\75", "<style>"),
      many("--a:{", "<style>@i"),
      many("'", "<style>@import "),
      many("url(x)\\", "<p style='", "'>"),
      many(",", "<img srcset='", "'>"),
      many("a 1x,", "<img srcset='", "'>"),
      many("a (", "<img srcset='", "'>"),
      many("a 1w 1x ", "<img srcset='", "'>"),
      numbers("@import 'a{}';", "", "", "text/css"),
      many("\\75rl(", "", "", "text/css"),
      many("a", "url(", "", "text/css"),
      many("a{}", "@i", "", "text/css"),
      many("{", "--a:url(", "", "text/css"),
  };
}

std::vector<PageShape> shapes_of_other_types() {
  const std::string sitemap = std::string(kShapesRoot) + "sitemap.xml";
  const std::string robots = std::string(kShapesRoot) + "robots.txt";
  std::vector<PageShape> shapes = {
      numbers("<a href='/{}'>", "<html xmlns='http://www.w3.org/1999/xhtml'>", "", "text/xml"),
      many("<!ENTITY a '&a;&a;'>", "<!DOCTYPE x [", "", "text/xml"),
      many("a='1' ", "<x ", "", "text/xml"),
      numbers("<x:a xmlns:x='{}'>", "", "", "text/xml"),
      many("&#60;", "<x>", "", "text/xml"),
      many("\x1B$B", "", "", "text/html; charset=iso-2022-jp"),
      many("\x81\x30\x81", "", "", "text/html; charset=gb18030"),
      many(std::string_view("<\0a\0 \0", 6), "", "", "text/html; charset=utf-16le"),
      many(" ", "", "", ""),
  };
  PageShape listed =
      numbers("<url><loc>http://a.example/{}</loc></url>", "<urlset>", "", "text/xml");
  PageShape nested = many("<sitemapindex>", "", "", "text/xml");
  PageShape entities = many("&amp;", "<urlset><url><loc>http://a.example/", "", "text/xml");
  for (PageShape* const shape : {&listed, &nested, &entities}) shape->url = sitemap;
  PageShape rules = numbers("Disallow: /*{}*a*$\n", "User-agent: *\n", "", "text/plain");
  PageShape agents = numbers("User-agent: a{}\n", "", "", "text/plain");
  PageShape line = many("*", "User-agent: *\nDisallow: /x", "", "text/plain");
  for (PageShape* const shape : {&rules, &agents, &line}) shape->url = robots;
  for (PageShape& shape : std::vector<PageShape>{listed, nested, entities, rules, agents, line}) {
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace

std::string PageShape::body(std::size_t bytes) const {
  std::string page;
  if (!base.empty()) {
    bytes /= 2;
    page = "<base href='/" + repeated(base, bytes) + "/'>";
  }
  page.append(before);
  page += is_numbered ? numbered(unit, bytes) : repeated(unit, bytes);
  return page.append(after);
}

std::vector<PageShape> page_shapes() {
  std::vector<PageShape> all;
  for (auto* const some :
       {&shapes_of_links, &shapes_of_markup, &shapes_of_style, &shapes_of_other_types}) {
    std::ranges::move((*some)(), std::back_inserter(all));
  }
  return all;
}

}  // namespace gossamer::crawler
