#include "check/quoted_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> quoted_in(std::string_view fragment) {
  return quotations(*url::Url::parse("http://a.example/#" + std::string(fragment)));
}

bool finds(std::string_view text, std::string_view quotation) {
  WordHashes words(1000);
  words.add(text);
  return contains(words.take(), parse_quotation(":~:text=" + std::string(quotation)));
}

TEST(Quotation, IsEachTextDirective) {
  EXPECT_THAT(quoted_in(":~:text=one"), ElementsAre(":~:text=one"));
  EXPECT_THAT(quoted_in("id:~:text=one&other=x&text=two,three"),
              ElementsAre(":~:text=one", ":~:text=two,three"));
  for (const std::string_view none :
       {"", "id", "text=one", ":~:", ":~:text=", ":~:selector(x)", ":~:text=a-", ":~:text=,a",
        ":~:text=a,b,c,d", ":~:text=%21%3F"}) {
    EXPECT_THAT(quoted_in(none), IsEmpty()) << none;
  }
}

TEST(Quotation, IsFoundWhateverCaseSpaceAndPunctuation) {
  const std::string_view text = "The quick\n\tbrown fox - a \"clever\" one - jumped.";
  for (const std::string_view there :
       {"quick%20brown", "THE%20QUICK", "a%20%E2%80%9Cclever%E2%80%9D%20one", "jumped."}) {
    EXPECT_TRUE(finds(text, there)) << there;
  }
  for (const std::string_view missing : {"quick%20fox", "ump", "qui", "brown%20foxes"}) {
    EXPECT_FALSE(finds(text, missing)) << missing;
  }
}

TEST(Quotation, MayHaveAnEnd) {
  const std::string_view text = "one two three four five two six";
  for (const std::string_view there : {"one,three", "one,six", "four%20five,six", "two,two"}) {
    EXPECT_TRUE(finds(text, there)) << there;
  }
  for (const std::string_view missing : {"three,one", "six,six", "one,seven", "seven,one"}) {
    EXPECT_FALSE(finds(text, missing)) << missing;
  }
}

TEST(Quotation, MayHaveAPrefixAndASuffix) {
  const std::string_view text = "an apple, an orange and a pear";
  for (const std::string_view there :
       {"an-,orange", "an-,apple,-an", "orange,-and", "apple,and,-a%20pear", "an-,apple,a,-pear"}) {
    EXPECT_TRUE(finds(text, there)) << there;
  }
  for (const std::string_view missing : {"a-,orange", "apple,-orange", "apple,and,-pear"}) {
    EXPECT_FALSE(finds(text, missing)) << missing;
  }
}

TEST(Quotation, MayHaveEscapedSeparators) {
  EXPECT_TRUE(finds("well-known, at least here & there", "well%2Dknown%2C%20at,here%20%26"));
  EXPECT_TRUE(finds("C-x C-f", "C%2Dx"));
}

TEST(Quotation, IsFoundInAnyScript) {
  EXPECT_TRUE(finds("\u00DCber die Stra\u00DFe", "%C3%9Cber%20die"));
  EXPECT_TRUE(finds("U\u0308ber die Stra\u00AD\u00DFe", "uber%20die%20stra%C3%9Fe"));
  EXPECT_TRUE(finds("\u5F7C\u306F\u6771\u4EAC\u90FD\u306B\u4F4F\u3080", "%E6%9D%B1%E4%BA%AC"));
  EXPECT_FALSE(finds("\u5F7C\u306F\u4EAC\u6771\u90FD\u306B\u4F4F\u3080", "%E6%9D%B1%E4%BA%AC"));
  EXPECT_TRUE(finds("\U00020BB7\u91CE\u5BB6", "%F0%A0%AE%B7%E9%87%8E"));
  EXPECT_FALSE(finds("\U00020BB8\u91CE\u5BB6", "%F0%A0%AE%B7%E9%87%8E"));
  EXPECT_TRUE(finds("\u039D\u039F\u039C\u039F\u03A3", "\u03BD\u03CC\u03BC\u03BF\u03C2"));
}

TEST(WordHashes, DoNotDependOnThePieces) {
  WordHashes whole(1000);
  whole.add("one two-three");
  WordHashes pieces(1000);
  for (const char c : std::string_view("one two-three")) pieces.add({&c, 1});
  EXPECT_EQ(whole.take(), pieces.take());
}

TEST(WordHashes, AreBounded) {
  WordHashes words(2);
  words.add("one two three");
  EXPECT_EQ(words.take().size(), 2u);
}

TEST(Quotation, IsDescribedForPeople) {
  EXPECT_EQ(describe_quotation(":~:text=an%20old-,fox,dog,-barks"), "an old fox ... dog barks");
  EXPECT_EQ(describe_quotation(":~:text=fox"), "fox");
}

}  // namespace
}  // namespace gossamer::check
