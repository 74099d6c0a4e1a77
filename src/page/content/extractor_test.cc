#include "content/extractor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "dom/parse.h"

namespace gossamer::content {
namespace {

using testing::SizeIs;

Extracted extracted(std::string_view page, const std::string& rules,
                    std::string_view url = "http://a.example/b/c?d") {
  const auto extractor = Extractor::compile(std::vector<std::string>{rules});
  EXPECT_TRUE(extractor) << extractor.error().to_string();
  const auto place = url::Url::parse(url);
  return extractor->extract(page, {.url = place ? &*place : nullptr});
}

std::string json_of(std::string_view page, const std::string& rules) {
  return to_json(extracted(page, rules).fields);
}

TEST(Extractor, TakesTheTextOfTheFirstMatch) {
  EXPECT_EQ(json_of("<h1> A  <b>big</b>\n title </h1><h1>B</h1>", "title=h1; none=h2"),
            R"({"title": "A big title", "none": null})");
}

TEST(Extractor, SeparatesBlocksBySpaces) {
  EXPECT_EQ(json_of("<div><p>one<p>two<br>three<ul><li>four</ul>fi<i>v</i>e</div>", "a=div"),
            R"({"a": "one two three four five"})");
}

TEST(Extractor, LeavesOutScriptsUnlessTheyAreSelected) {
  const std::string_view page =
      "<div>a<script>b</script><style>c</style><template>d</template>e</div>";
  EXPECT_EQ(json_of(page, "text=div; code=script"), R"({"text": "ae", "code": "b"})");
}

TEST(Extractor, CollectsAllMatches) {
  EXPECT_EQ(json_of("<li>1<li>2<li>", "all[]=li; none[]=b"),
            R"({"all": ["1", "2", ""], "none": []})");
}

TEST(Extractor, TakesAttributes) {
  const std::string_view page =
      "<a>none</a><a href='../x?y' title=' t '>1</a><img src=//c.example/i.png data-id=7>"
      "<a href='http://['>2</a>";
  EXPECT_EQ(json_of(page, "href=a@href; title=a@title; src=img@src; id=img@data-id; all[]=a@href"),
            R"({"href": "http://a.example/x?y", "title": " t ", )"
            R"("src": "http://c.example/i.png", "id": "7", )"
            R"("all": ["http://a.example/x?y", "http://["]})");
}

TEST(Extractor, FindsAttributesWithCapitals) {
  EXPECT_EQ(json_of("<svg viewbox='0 0 1 1'><a xlink:href=/x>", "a=svg@viewBox; b=a@xlink:href"),
            R"({"a": "0 0 1 1", "b": "http://a.example/x"})");
}

TEST(Extractor, ResolvesUrlsAgainstTheBase) {
  EXPECT_EQ(json_of("<base href=/z/><a href=x>", "a=a@href"), R"({"a": "http://a.example/z/x"})");
  const Extracted without_url = extracted("<a href=x><a href=http://b.example>", "a[]=a@href", "");
  EXPECT_EQ(to_json(without_url.fields), R"({"a": ["x", "http://b.example/"]})");
}

TEST(Extractor, WritesQueriesInTheEncodingOfThePage) {
  const auto extractor = Extractor::compile(std::vector<std::string>{"a=a@href"});
  const auto url = url::Url::parse("http://a.example/");
  const PagePlace place = {.url = &*url, .encoding = html::Encoding::windows_1252};
  EXPECT_EQ(extractor->extract("<a href='?\xC3\xA9'>", place).fields[0].values[0],
            "http://a.example/?%E9");
}

TEST(Extractor, CutsLongValuesAtCharacters) {
  const std::string page = "<p>" + std::string(kExtractValueBytesMax - 1, 'x') + "\xC3\xA9</p>";
  const Extracted found = extracted(page, "a=p");
  EXPECT_TRUE(found.is_truncated);
  EXPECT_THAT(found.fields[0].values[0], SizeIs(kExtractValueBytesMax - 1));
  EXPECT_FALSE(extracted("<p>short", "a=p").is_truncated);
}

TEST(Extractor, StopsAtItsBounds) {
  std::string page;
  for (std::size_t i = 0; i <= kExtractValuesMax; ++i) page += "<i>x</i>";
  const Extracted many = extracted(page, "a[]=i");
  EXPECT_TRUE(many.is_truncated);
  EXPECT_THAT(many.fields[0].values, SizeIs(kExtractValuesMax));

  // Together, the values of nested elements would be hundreds of megabytes.
  page.clear();
  for (int i = 0; i < 400; ++i) page += "<div>";
  page += std::string(kExtractValueBytesMax, 'x');
  const Extracted nested = extracted(page, "a[]=div; b=div");
  EXPECT_TRUE(nested.is_truncated);
  std::size_t bytes = 0;
  for (const std::string& value : nested.fields[0].values) bytes += value.size();
  EXPECT_EQ(bytes, kExtractBytesMax / 2) << "the other half is for the other rule";
  ASSERT_EQ(nested.fields[1].values.size(), 1u);
  EXPECT_EQ(nested.fields[1].values[0].size(), kExtractValueBytesMax);

  page = "<p>first</p>" + std::string(kExtractPageBytesMax, ' ') + "<h1>too late</h1>";
  const Extracted late = extracted(page, "p=p; h1=h1");
  EXPECT_TRUE(late.is_truncated);
  EXPECT_EQ(to_json(late.fields), R"({"p": "first", "h1": null})");
}

// Texts of nested elements repeat each other, even if they are empty.
TEST(Extractor, BoundsTheWorkOfNestedElements) {
  std::string page;
  for (int i = 0; i < 500; ++i) page += "<div>";
  for (int i = 0; i < 100'000; ++i) page += "<b></b>";
  page += "</div><p>x";
  const Extracted found = extracted(page, "a[]=div; b=p");
  EXPECT_TRUE(found.is_truncated);
  EXPECT_EQ(found.fields[1].values, std::vector<std::string>{"x"});
}

TEST(Extractor, BoundsTheStepsOfSearches) {
  std::string page;
  for (int i = 0; i < 20'000; ++i) page += "<i></i>";
  EXPECT_TRUE(extracted(page, "a[]=i:has(~ b); b=b").is_truncated);
}

TEST(Extractor, FindsFieldsByName) {
  const Extracted found = extracted("<h1>x", "a=h1; b=h2");
  ASSERT_NE(find_field(found.fields, "b"), nullptr);
  EXPECT_EQ(find_field(found.fields, "c"), nullptr);
  EXPECT_EQ(find_field(found.fields, "a")->values[0], "x");
}

// Every link would be resolved against it.
TEST(Extractor, IgnoresALongBaseOfAPageWithoutAddress) {
  const auto extractor = Extractor::compile(std::vector<std::string>{"a[]=a@href"});
  for (const std::size_t bytes : {100, 5000}) {
    std::string page = "<base href=http://a.example/" + std::string(bytes, 'x') + "/>";
    for (int i = 0; i < 100; ++i) page += "<a href=y>";
    const Extracted found = extractor->extract(page, {});
    ASSERT_EQ(found.fields[0].values.size(), 100u);
    EXPECT_EQ(found.fields[0].values[0] == "y", bytes > 4096) << bytes;
  }
}

TEST(Extractor, ReadsEachTextForItself) {
  // The end of a text closes its parentheses.
  const auto both = Extractor::compile(std::vector<std::string>{"a=:is(p", "b=q"});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->rules().size(), 2u);
  EXPECT_FALSE(Extractor::compile(std::vector<std::string>{"a=p", "a=q"}));
}

}  // namespace
}  // namespace gossamer::content
