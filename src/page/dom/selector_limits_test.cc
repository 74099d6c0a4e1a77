// Searches end at their limit, wherever that is, and count all of their work.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dom/parse.h"
#include "dom/selector.h"

namespace gossamer::dom {
namespace {

std::string repeated(std::string_view unit, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += unit;
  return text;
}

TEST(SelectorLimits, ASearchMayEndAtAnyStep) {
  constexpr std::uint64_t kLast = 500;
  const std::string page = repeated("<i></i>text<!---->", 10) +
                           "<fieldset disabled><legend></legend><legend lang=de><input><i class=x>"
                           "</i></legend></fieldset><ul><li><b>x</b><li></ul>";
  const Document document = parse(page);
  for (const std::string_view text : {"i:nth-child(2)",
                                      "i:nth-last-child(2)",
                                      "i:nth-of-type(odd)",
                                      "i:nth-last-of-type(2n)",
                                      "i:nth-child(n of i:nth-child(n of i:nth-child(n of i)))",
                                      "i:not(:nth-child(3))",
                                      "body:has(i + i ~ i)",
                                      "i:has(+ i)",
                                      "i:has(~ fieldset > legend i)",
                                      "i ~ i ~ i + i",
                                      "body > i ~ i",
                                      "ul li b",
                                      ":not(ul *)",
                                      ":lang(de)",
                                      ":empty",
                                      ":disabled",
                                      "input:enabled",
                                      ".x",
                                      "[class~=x]",
                                      "[lang*=e i]",
                                      "#y"}) {
    const auto selector = Selector::compile(text);
    ASSERT_TRUE(selector) << text;
    const auto all = selector->find_all(document).elements;
    for (std::uint64_t steps = 1; steps <= kLast; ++steps) {
      const auto found = selector->find_all(document, document.root(), steps);
      ASSERT_LE(found.elements.size(), all.size()) << text << ", " << steps;
      EXPECT_TRUE(std::ranges::equal(found.elements, std::span(all).first(found.elements.size())))
          << text << ", " << steps;
      if (found.is_complete) EXPECT_EQ(found.elements.size(), all.size()) << text;
    }
  }
}

TEST(SelectorLimits, ASearchMayEndInNestedPositions) {
  const std::string page = repeated("<i></i>", 400) + "<i class=x></i>";
  const Document document = parse(page);
  const auto found = Selector::compile(
                         "i.x:nth-child(n of i:nth-child(n of i:nth-child(n of i:nth-child(n of "
                         "i))))")
                         ->find_all(document, document.root(), 1'000'000);
  EXPECT_LE(found.elements.size(), 1u);
}

// Returns whether a search ends with so many steps.
bool is_complete(std::string_view page, std::string_view selector, std::uint64_t steps) {
  const Document document = parse(page);
  return Selector::compile(selector)->find_all(document, document.root(), steps).is_complete;
}

TEST(SelectorLimits, HasLooksAtTheNextSiblingOnly) {
  const std::string page = repeated("<i></i>", 10'000);
  EXPECT_TRUE(is_complete(page, "i:has(+ b)", 200'000));
  EXPECT_TRUE(is_complete(page, "i:has(+ i > b)", 200'000));
}

TEST(SelectorLimits, HasDoesNotLookAtWhatIsAroundItsElement) {
  const std::string page = repeated("<div>", 400) + repeated("<i><b></b></i>", 10'000);
  EXPECT_TRUE(is_complete(page, "i:has(u b)", 400'000));
  EXPECT_TRUE(is_complete(page, "i:has(div b)", 400'000));
}

TEST(SelectorLimits, OneParentIsComparedOnceForAllSiblings) {
  const std::string page = repeated("<i></i>", 10'000);
  EXPECT_TRUE(is_complete(page, "ul > i ~ i", 200'000));
}

TEST(SelectorLimits, StatesCountTheirWork) {
  const std::string deep = repeated("<div>", 400) + repeated("<button></button>", 1000);
  EXPECT_FALSE(is_complete(deep, ":lang(de)", 100'000));
  EXPECT_FALSE(is_complete(deep, ":disabled", 100'000));
  EXPECT_FALSE(is_complete(deep, ":enabled", 100'000));
  const std::string comments = "<p>" + repeated("<!---->", 10'000);
  EXPECT_FALSE(is_complete(comments, repeated("p:not(:empty), ", 20) + "p", 50'000));
  std::string attributes = "<p";
  for (int i = 0; i < 1000; ++i) attributes += " a" + std::to_string(i);
  attributes += ">";
  EXPECT_FALSE(is_complete(attributes, repeated(":lang(de), ", 100) + "p", 5'000));
}

TEST(SelectorLimits, LongValuesTakeMoreSteps) {
  const std::string page = "<p title='" + std::string(1'000'000, 'a') + "'>";
  EXPECT_FALSE(is_complete(page, repeated("[title~=b], ", 20) + "p", 100'000));
  EXPECT_FALSE(is_complete(page, repeated("[title*=b], ", 20) + "p", 100'000));
  const std::string classes = "<p class='" + repeated("a ", 500'000) + "'>";
  EXPECT_FALSE(is_complete(classes, repeated(".b, ", 20) + "p", 100'000));
}

// With half a billion comparisons of bytes, the test would take long.
TEST(SelectorLimits, ASubstringIsSearchedInLinearTime) {
  const std::string page = "<p title='" + std::string(1'900'000, 'a') + "'>";
  const std::string wanted = "[title*='" + std::string(50'000, 'a') + "b'";
  EXPECT_TRUE(is_complete(page, wanted + "]", 100'000));
  EXPECT_TRUE(is_complete(page, wanted + " i]", 100'000));
}

TEST(SelectorLimits, EveryConditionIsAStep) {
  const std::string page = repeated("<i class=a></i>", 1000);
  EXPECT_FALSE(is_complete(page, repeated(".a", 1000), 500'000));
}

TEST(SelectorLimits, TheFirstAndAnAnswerMayBeIncomplete) {
  const std::string page = repeated("<i></i>", 1000);
  const Document document = parse(page);
  const auto selector = Selector::compile("b ~ i");
  const auto first = selector->find_first(document, 1000);
  EXPECT_EQ(first.element, nullptr);
  EXPECT_FALSE(first.is_complete);
  EXPECT_TRUE(selector->find_first(document).is_complete);
  const Node& last = *document.root().first_child()->last_child()->last_child();
  EXPECT_FALSE(selector->matches(document, last, 100).is_complete);
  EXPECT_FALSE(selector->matches(document, last, 100).is_match);
  EXPECT_TRUE(selector->matches(document, last).is_complete);
}

TEST(SelectorLimits, OnlyTheFirstOfManyLegendsIsEnabled) {
  const std::string page = "<fieldset disabled><legend></legend>" + repeated("<br>", 1000) +
                           "<legend><input></legend></fieldset>";
  const Document document = parse(page);
  EXPECT_EQ(Selector::compile("input:disabled")->find_all(document).elements.size(), 1u);
  EXPECT_TRUE(Selector::compile("input:enabled")->find_all(document).elements.empty());
}

}  // namespace
}  // namespace gossamer::dom
