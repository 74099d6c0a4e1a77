#include "html/token/tag_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "html/token/scan.h"

namespace gossamer::html {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TagIndex, AgreesWithLookingAtEveryByte) {
  base::Random random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = random.below(TagIndex::kBytesMax + 200);
    const std::uint64_t spread = 1 + random.below(40);
    const auto text = std::make_unique_for_overwrite<char[]>(size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t drawn = random.below(spread + 2);
      text[i] = drawn == 0 ? '<' : drawn == 1 ? '"' : 'x';
    }
    TagIndex index;
    index.build(text.get(), text.get() + size);
    const std::size_t covered = std::min(size, TagIndex::kBytesMax);
    ASSERT_EQ(index.end(), text.get() + covered);
    std::size_t number = 0;
    for (std::size_t i = 0; i < covered; ++i) {
      if (text[i] == '<') {
        ASSERT_LT(number, index.all().size());
        ASSERT_EQ(index.all()[number++], i);
      }
      const char* const quote = std::find(&text[i], text.get() + covered, '"');
      ASSERT_EQ(index.quote(&text[i]), quote) << i << " of " << size;
    }
    ASSERT_EQ(number, index.all().size());
  }
}

// Returns the tags of a text that are left without the unwanted ones; enough text follows for all
// to be judged.
std::vector<std::string> left_of(std::string_view text, const Interest& interest) {
  const std::string page = std::string(text) + std::string(40, ' ');
  TagIndex index;
  index.build(page.data(), page.data() + page.size());
  std::vector<std::string> left;
  for (const std::uint16_t place : index.worth_reading(interest)) {
    const std::string_view from = std::string_view(page).substr(place);
    left.emplace_back(from.substr(0, from.find_first_of(" >", 1)));
  }
  return left;
}

std::vector<std::string> left_of(std::string_view text) {
  Interest interest;
  interest[TagId::h1].start = true;
  interest[TagId::a].attributes = set_of(AttributeId::href);
  interest.settle();
  return left_of(text, interest);
}

TEST(TagIndex, LeavesOutUnwantedTags) {
  EXPECT_THAT(left_of("<p><div class=\"x y\"><b></b></div></p><br></BR><P><SPAN class=\"\">"),
              IsEmpty());
  EXPECT_THAT(left_of("<p><h1></h1><a href=\"x\"><b id=\"y\">"),
              ElementsAre("<h1", "</h1", "<a", "<b"));
  EXPECT_THAT(left_of("1 <2> 3 </> 4 <!x>"), IsEmpty());
  EXPECT_THAT(left_of("</p class=\"x\"></h1 class=\"x\"></SPAN class=\"x\">"),
              ElementsAre("</h1"));  // its name is not all letters
}

TEST(TagIndex, KeepsEndTagsThatAreWanted) {
  Interest interest;
  interest[TagId::p].end = interest[TagId::script].end = true;
  interest.settle();
  EXPECT_THAT(left_of("<b></b></p></P></script></SCRIPT></a></p ></p class=\"x\">", interest),
              ElementsAre("</p", "</P", "</script", "</SCRIPT", "</p", "</p"));
  EXPECT_THAT(left_of("<p><p class=\"x\"></p><P>", interest), ElementsAre("</p"));
}

TEST(TagIndex, KeepsTagsOfEveryLengthThatAreWanted) {
  for (const bool is_end : {false, true}) {
    for (std::size_t i = 1; i < kTagNames.size(); ++i) {
      Interest interest;
      interest.tags[i].start = !is_end;
      interest.tags[i].end = is_end;
      interest.settle();
      const std::string tag = (is_end ? "</" : "<") + std::string(kTagNames[i]);
      EXPECT_THAT(left_of("x" + tag + ">y", interest), ElementsAre(tag));
      EXPECT_THAT(left_of("x" + tag + " class=\"x\">y", interest), ElementsAre(tag));
    }
  }
}

TEST(TagIndex, KeepsWhatMayHideATagOrBeHidden) {
  // The '>' that seems to end it is in a value, or the next tag is.
  EXPECT_THAT(left_of("<p class=\"> <a href=\">"), ElementsAre("<p", "<a"));
  EXPECT_THAT(left_of("<p class=\" <a href> \">"), ElementsAre("<p", "<a"));
  EXPECT_THAT(left_of("<p class=\"x\" title=\"<a href>\">"), ElementsAre("<p", "<a"));
  EXPECT_THAT(left_of("</p class=\"x<a href>\"><!-- <a href> --><p/>"),
              ElementsAre("</p", "<a", "<!--", "<a", "<p/"));
  // Cut off by the end.
  EXPECT_THAT(left_of("<p class=\"x"), ElementsAre("<p"));
  EXPECT_THAT(left_of("<p class=\"" + std::string(100, 'x') + "\">"), ElementsAre("<p"));
  // A quote beyond the searched range does not end the value.
  EXPECT_THAT(left_of("<p class=\"" + std::string(65, 'x') + ">xxxx<a href=x>\">"),
              ElementsAre("<p", "<a"));
}

TEST(TagIndex, KeepsWhatMayHideATagBeyondWhatIsJudgedOrCovered) {
  Interest interest;
  interest.settle();
  const auto places = [&](const std::string& page) {
    TagIndex index;
    index.build(page.data(), page.data() + page.size());
    const TagIndex::Places left = index.worth_reading(interest);
    return std::vector<std::size_t>(left.begin(), left.end());
  };
  // Too close to the end to be judged.
  EXPECT_THAT(places("<p class=\"xxxxx<a href=x>\">"), ElementsAre(0, 15));
  // Covered up to a '>' in a value.
  const std::string before(TagIndex::kBytesMax - 12, 'x');
  EXPECT_THAT(places(before + "<p class=\"a><a href=x>\">" + std::string(40, ' ')),
              ElementsAre(before.size()));
  EXPECT_THAT(places(before + "<p class=\"\">" + std::string(40, ' ')), IsEmpty());
}

TEST(TagIndex, LooksAtNothingBeyondTheEnd) {
  Interest interest;
  interest.settle();
  const std::string_view page = "<p class=\"a\"><div class=\"bcdefghijklmnopqrstu\"></div></p>";
  for (std::size_t size = 1; size <= page.size(); ++size) {
    const auto block = std::make_unique_for_overwrite<char[]>(size);
    page.copy(block.get(), size);
    TagIndex index;
    index.build(block.get(), block.get() + size);
    index.worth_reading(interest);
  }
}

TEST(FindAny, FindsTheFirstOfSeveralBytesAndNothingBeyondTheEnd) {
  for (std::size_t size = 0; size < 70; ++size) {
    for (std::size_t at = 0; at <= size; ++at) {
      const auto text = std::make_unique_for_overwrite<char[]>(size);
      std::fill_n(text.get(), size, 'x');
      if (at < size) text[at] = at % 2 == 0 ? '&' : '\r';
      EXPECT_EQ(find_any(text.get(), text.get() + size, '&', '\r', '\0'), text.get() + at);
    }
  }
}

TEST(HasAny, CountsNothingBeyondTheEnd) {
  for (std::size_t readable = 0; readable < 70; ++readable) {
    for (std::size_t size = 0; size <= readable; ++size) {
      for (std::size_t at = 0; at <= readable; ++at) {
        const auto text = std::make_unique_for_overwrite<char[]>(readable);
        std::fill_n(text.get(), readable, 'x');
        if (at < readable) text[at] = at % 2 == 0 ? '&' : '\r';
        const char* const begin = text.get();
        EXPECT_EQ(has_any(begin, begin + size, begin + readable, '&', '\r', '\0'), at < size);
      }
    }
  }
}

}  // namespace
}  // namespace gossamer::html
