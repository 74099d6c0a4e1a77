// Rows: a match of the items' selector each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "content/extractor.h"

namespace gossamer::content {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

Extracted rows_in(std::string_view page, std::string_view items, const std::string& rules) {
  const auto extractor = Extractor::compile(std::vector<std::string>{rules}, items);
  EXPECT_TRUE(extractor) << extractor.error().to_string();
  const auto url = url::Url::parse("http://a.example/");
  return extractor->extract(page, {.url = &*url});
}

std::string json_of_rows(std::string_view page, std::string_view items, const std::string& rules) {
  return to_json(rows_in(page, items, rules).fields);
}

constexpr std::string_view kShop =
    "<h3>Shop</h3><ul><li class=card><a href=/k><h3>Kettle</h3></a><b class=price>19</b>"
    "<li class=card><h3>Pot</h3><i>new</i><i>red</i><li class=ad><h3>Buy!</h3></ul>";

TEST(ExtractorItems, AreRowsWithTheirOwnFields) {
  EXPECT_EQ(json_of_rows(kShop, ".card", "name=h3; price=.price; marks[]=i; link=a@href"),
            R"([{"name": "Kettle", "price": "19", "marks": [], "link": "http://a.example/k"}, )"
            R"({"name": "Pot", "price": null, "marks": ["new", "red"], "link": null}])");
}

TEST(ExtractorItems, HaveFieldsOfTheirOwnElement) {
  EXPECT_EQ(json_of_rows("<a class=x href=/1>one</a><a class=x href=/2>two</a>", "a.x",
                         "text=:scope; link=:scope@href; direct=:scope > b"),
            R"([{"text": "one", "link": "http://a.example/1", "direct": null}, )"
            R"({"text": "two", "link": "http://a.example/2", "direct": null}])");
}

TEST(ExtractorItems, AreFoundByXPath) {
  EXPECT_EQ(json_of_rows(kShop, "xpath://li[@class='card'][b]", "name=xpath:.//h3; all=xpath:."),
            R"([{"name": "Kettle", "all": "Kettle 19"}])");
  EXPECT_EQ(json_of_rows("<p>a<p>b", "xpath:(//p)[last()]", "n=xpath:string(.)"),
            R"([{"n": "b"}])");
}

TEST(ExtractorItems, MayBeNone) {
  EXPECT_THAT(rows_in(kShop, ".absent", "name=h3").fields, SizeIs(0));
}

TEST(ExtractorItems, MayBeInEachOther) {
  EXPECT_EQ(json_of_rows("<div>a<div>b</div></div>", "div", "n=:scope"),
            R"([{"n": "a b"}, {"n": "b"}])");
}

TEST(ExtractorItems, AreBounded) {
  std::string page;
  for (std::size_t i = 0; i < kExtractItemsMax + 10; ++i) page += "<p><i>x</i><i>y</i></p>";
  const Extracted many = rows_in(page, "p", "i=i");
  EXPECT_TRUE(many.is_truncated);
  EXPECT_THAT(many.fields, SizeIs(kExtractItemsMax));
  std::string rules;
  for (int i = 0; i < 100; ++i) rules += "f" + std::to_string(i) + "=i;";
  EXPECT_THAT(rows_in(page, "p", rules).fields, SizeIs(kExtractItemValuesMax / 100 * 100));
}

// Each item repeats a text or an attribute that is outside of it.
TEST(ExtractorItems, BoundTheWorkOfTextsOutside) {
  const std::string blank(256 * 1024, ' ');
  std::string page = "<pre>" + blank + "</pre><!--" + blank + "--><a href='" + blank + "'></a>";
  for (std::size_t i = 0; i < kExtractItemsMax; ++i) page += "<p>x</p>";
  for (const std::string_view path :
       {"//pre/text()", "//comment()", "//a/@href", "string(//pre)"}) {
    EXPECT_TRUE(rows_in(page, "p", "h=xpath:" + std::string(path)).is_truncated) << path;
  }
}

// Items in each other repeat their texts, their matches and the work to find them.
TEST(ExtractorItems, BoundTheWorkOfNestedItems) {
  std::string page;
  for (int i = 0; i < 400; ++i) page += "<div>";
  for (int i = 0; i < 20'000; ++i) page += "<b>x</b>";
  const Extracted found = rows_in(page, "div", "all[]=b; last=b:last-of-type; text=:scope");
  EXPECT_TRUE(found.is_truncated);
  std::size_t values = 0;
  for (const ExtractedField& field : found.fields) values += field.values.size();
  EXPECT_LE(values, kExtractItemValuesMax);
}

TEST(ExtractorItems, SayWhatIsWrong) {
  const auto wrong = Extractor::compile(std::vector<std::string>{"a=b"}, "p[");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(std::string(wrong.error().detail()), HasSubstr("items 'p['"));
  EXPECT_FALSE(Extractor::compile(std::vector<std::string>{"a=b"}, "xpath:count(//p)"));
}

TEST(Extracted, KnowsItsRows) {
  const Extracted found = rows_in("<p>a<p>b", "p", "x=:scope; y=i");
  const auto rows = rows_of(found.fields);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[1], SizeIs(2));
  EXPECT_EQ(rows[1][0].values[0], "b");
  EXPECT_EQ(rows[1][0].item, 2u);
}

TEST(ExtractorXPath, TakesTextsAttributesAndValues) {
  const auto extractor = Extractor::compile(std::vector<std::string>{
      "title=xpath://h1; link=xpath://a/@href; text=xpath://a/text(); n=xpath:count(//a); "
      "all[]=xpath://a/@*; none=xpath://i; cut=xpath:substring-after(normalize-space(//h1), ': '); "
      "is=xpath:boolean(//a[contains(@href, ';')])"});
  ASSERT_TRUE(extractor) << extractor.error().to_string();
  const auto url = url::Url::parse("http://a.example/");
  const Extracted found = extractor->extract(
      "<h1>A:\n <b>big</b> title</h1><a href='/x;y' id=i> one\n two </a>", {.url = &*url});
  EXPECT_EQ(to_json(found.fields),
            R"({"title": "A: big title", "link": "http://a.example/x;y", "text": "one two", )"
            R"("n": "1", "all": ["http://a.example/x;y", "i"], "none": null, )"
            R"("cut": "big title", "is": "true"})");
}

}  // namespace
}  // namespace gossamer::content
