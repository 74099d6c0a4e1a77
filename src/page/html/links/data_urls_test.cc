#include "html/links/data_urls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/random.h"

namespace gossamer::html {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DataUrls, AreValuesOfMembersThatLeadSomewhere) {
  EXPECT_THAT(
      data_urls(
          R"({"items": [{"href": "/a"}, {"url" : "https://b.example/c?d=1"}, {"path":"/e.html"}],
                   "canonical_url": "http:\/\/f.example\/g", "webUrl": "/h\u002di"})"),
      ElementsAre("/a", "https://b.example/c?d=1", "/e.html", "http://f.example/g", "/h-i"));
  EXPECT_THAT(data_urls(R"(window.__NUXT__={a:{href:"/one",to:'/two'},url : `/three`})"),
              ElementsAre("/one", "/two", "/three"));
}

TEST(DataUrls, AreNeitherFilesNorRoutesNorTexts) {
  for (const char* value : {"/logo.svg",
                            "/a/b.js?v=1",
                            "https://cdn.example/x.png",
                            "/_next/static/a",
                            "/Media/1f2e",
                            "/api/items",
                            "/product/:id",
                            "/blog/[slug]",
                            "/a/*",
                            "/a b",
                            "/${x}",
                            "/",
                            "//",
                            "",
                            "a/b",
                            "#top",
                            "mailto:a@b.example",
                            "javascript:void(0)",
                            "https://",
                            "https://nohost/",
                            "/a//b",
                            "data:text/html,x",
                            "/a{b}"}) {
    EXPECT_THAT(data_urls(R"({"url": ")" + std::string(value) + R"("})"), IsEmpty()) << value;
  }
  EXPECT_THAT(
      data_urls(R"({"image": "/a", "src": "/b", "apiUrl": "/c", "text": "/d", "x": ["/e"]})"),
      IsEmpty());
  EXPECT_THAT(data_urls(R"({"url": {"image": "/a"}, "href": ["/b"], "path": null, "c": "/d"})"),
              IsEmpty());
}

TEST(DataUrls, AreReadInTextsThatContainData) {
  EXPECT_THAT(data_urls(R"(self.__next_f.push([1,"5:[\"$\",\"a\",null,{\"href\":\"/p/1\"}]\n"]))"),
              ElementsAre("/p/1"));
  EXPECT_THAT(data_urls(R"({"state": "{\"page\":\"{\\\"url\\\":\\\"/deep\\\"}\"}"})"),
              ElementsAre("/deep"));
}

TEST(DataUrls, AreTextsThatMembersReferTo) {
  EXPECT_THAT(
      data_urls(R"([["ShallowReactive",1],{"data":2,"path":5},{"items":3},[4],)"
                R"({"url":6,"title":7,"image":8},"/nuxt/page","/nuxt/item","/t","/i.png"])"),
      ElementsAre("/nuxt/page", "/nuxt/item"));
  EXPECT_THAT(data_urls("window.__NUXT__=(function(a,b,cc){return {data:[{path:b,text:a}],"
                        "routePath:a,to:cc,url:\"/own\"}}(\"/a\",\"/b\",'/c'));"),
              ElementsAre("/own", "/b", "/c"));
  EXPECT_THAT(data_urls(R"([{"url":9,"path":1},2,{"href":-1}])"), IsEmpty());
}

TEST(DataUrls, AreThereOnceAndBounded) {
  EXPECT_THAT(data_urls(R"([{"url":"/a"},{"href":"/a"}])"), ElementsAre("/a"));
  std::string many = "[";
  for (int i = 0; i < 5000; ++i) many += R"({"url":"/)" + std::to_string(i) + R"("},)";
  EXPECT_EQ(data_urls(many).size(), kDataUrlsMax);
}

TEST(DataUrls, KnowTheDataOfFrameworks) {
  EXPECT_TRUE(is_page_data("\n (self.__next_f = self.__next_f || []).push([0])"));
  EXPECT_TRUE(is_page_data("self.__next_f.push([1,\"\"])"));
  EXPECT_TRUE(is_page_data("window.__NUXT__={}"));
  EXPECT_FALSE(is_page_data("var x = self.__next_f"));
  EXPECT_FALSE(is_page_data(""));
}

TEST(DataUrls, ReadWhatEndsAnywhere) {
  const std::string data =
      R"({"url":"/a\u00e4","x":"{\"href\":\"\\u002fb\"}", y:'c\'d', "path" : "/e"})";
  for (std::size_t end = 0; end <= data.size(); ++end) data_urls(data.substr(0, end));
  base::Random random(1);
  constexpr std::string_view kBytes = "\"'\\u:{}[],/ahrefl09 ";
  for (int run = 0; run < 2000; ++run) {
    std::string text;
    for (std::size_t i = random.below(60); i > 0; --i) text += kBytes[random.below(kBytes.size())];
    for (const std::string& url : data_urls(text)) EXPECT_GE(url.size(), 2U);
  }
}

// Texts within texts double their backslashes, so that the innermost are short.
TEST(DataUrls, ReadHostileDataInLinearTime) {
  for (const std::string& part : {std::string("\\\\\\\""), std::string("\"{:"), std::string("'["),
                                  std::string("{\"url\":\"/a"), std::string("a:")}) {
    std::string data;
    while (data.size() < 1'000'000) data += part;
    EXPECT_LE(data_urls(data).size(), kDataUrlsMax);
  }
}

}  // namespace
}  // namespace gossamer::html
