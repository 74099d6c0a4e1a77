#include "content/headline.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dom/parse.h"

namespace gossamer::content {
namespace {

std::string headline(const std::vector<std::string>& tops, const std::vector<std::string>& titles,
                     std::string_view site = {}) {
  std::vector<PageHeading> headings;
  for (const std::string& top : tops) headings.push_back({.is_top = true, .text = top});
  return find_headline(headings, titles, site).text;
}

TEST(Headline, IsTheHeadingThatTheTitleNames) {
  EXPECT_EQ(headline({"Menu", "Red kettles"}, {"", "Red Kettles | Shop"}), "Red kettles");
  EXPECT_EQ(headline({"The best red kettles of all"}, {"Best red kettles - Shop"}),
            "The best red kettles of all");
}

TEST(Headline, IsNotTheNameOfTheSite) {
  EXPECT_EQ(headline({"Shop"}, {"Red kettles | Shop"}), "Red kettles");
  EXPECT_EQ(headline({"The Shop"}, {"Red kettles", "Red kettles"}, "The Shop"), "Red kettles");
  EXPECT_EQ(headline({"Contact us"}, {"Red kettles \u2013 Shop"}), "Red kettles");
  EXPECT_EQ(headline({}, {"The Shop: kettles", "x"}, "The Shop"), "The Shop: kettles");
  EXPECT_EQ(headline({}, {"The Shop - Red kettles"}, "The Shop"), "Red kettles");
}

TEST(Headline, IsWhatThereIs) {
  EXPECT_EQ(headline({}, {"", "Red-hot kettles"}), "Red-hot kettles");
  EXPECT_EQ(headline({"", "Kettles"}, {"", ""}), "Kettles");
  EXPECT_EQ(headline({}, {}), "");
}

TEST(Headline, HasAPlaceInThePage) {
  const dom::Document page = dom::parse("<h1>Shop</h1><h2>Red kettles</h2>");
  std::vector<PageHeading> headings;
  const dom::Node& root = page.root();
  for (const dom::Node* node = &root; node != nullptr; node = dom::next_in(root, *node)) {
    if (node->is(html::TagId::h1)) headings.push_back({true, "Shop", node});
    if (node->is(html::TagId::h2)) headings.push_back({false, "Red kettles", node});
  }
  const Headline found = find_headline(headings, {"Red kettles | Shop"}, "Shop");
  EXPECT_EQ(found.text, "Red kettles");
  EXPECT_EQ(found.element, headings[1].element);
}

}  // namespace
}  // namespace gossamer::content
