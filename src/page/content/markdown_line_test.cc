#include "content/markdown_line.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gossamer::content {
namespace {

using Mark = MarkdownLine::Mark;

std::string line_of(std::string_view text) {
  MarkdownLine line;
  line.text(text);
  return line.take_block();
}

TEST(MarkdownLine, CollapsesWhiteSpace) {
  EXPECT_EQ(line_of("  a \n\t b  "), "a b");
  EXPECT_EQ(line_of(" \n "), "");
}

TEST(MarkdownLine, EscapesWhatHasAMeaning) {
  EXPECT_EQ(line_of("*a* `b` [c](d)"), "\\*a\\* \\`b\\` [c\\](d)");
  EXPECT_EQ(line_of("snake_case _x_"), "snake_case \\_x\\_");
  EXPECT_EQ(line_of("a < b <b> &amp; & c"), "a < b \\<b> \\&amp; & c");
  EXPECT_EQ(line_of("~~x~~ ~ y"), "\\~\\~x\\~\\~ ~ y");
  EXPECT_EQ(line_of("a \\* \\b \\\\"), "a \\\\* \\b \\\\\\");
  EXPECT_EQ(line_of("see [^1]"), "see \\[^1]");
}

TEST(MarkdownLine, KeepsWhatHasNoMeaning) {
  for (const std::string_view text :
       {"a * b ` c [d] \\", "List_of_X_(y)", "5* of 3", "f(*a)", "x[1] = y[2]", "C:\\new a@b.c",
        "2 < 3 & 4 > 1; $5", "a_b_c __init", "~5 ~", "wow! [ok]", "1.5 a", "-x", "#tag", "+1",
        "a:b", "=x", "\u0438\u043C\u044F_\u0444\u0430\u0439\u043B_2"}) {
    EXPECT_EQ(line_of(text), text);
  }
}

TEST(MarkdownLine, EscapesMarksBesideItsOwn) {
  MarkdownLine line;
  line.open(Mark::emphasis);
  line.text("a*");
  line.close(Mark::emphasis);
  EXPECT_EQ(line.take_block(), "*a\\**");
  line.text("`");
  line.code("a");
  EXPECT_EQ(line.take_block(), "\\``a`");
}

// Text of other elements may follow, and control characters are left out.
TEST(MarkdownLine, EscapesMarkupThatIsInSeveralPieces) {
  MarkdownLine line;
  line.text("<");
  line.text("img src=x> &");
  line.text("lt; ~");
  line.text("~");
  EXPECT_EQ(line.take_block(), "\\<img src=x> \\&lt; ~~");
  EXPECT_EQ(line_of("<\x7Fscript> &\x7Flt;"), "\\<script> \\&lt;");
}

TEST(MarkdownLine, MakesNoPictureOfALink) {
  MarkdownLine line;
  line.text("Wow!");
  line.open_link();
  line.text("a");
  line.close_link("http://a.example/");
  EXPECT_EQ(line.take_block(), "Wow\\![a](http://a.example/)");
}

TEST(MarkdownLine, EscapesBeginningsOfBlocks) {
  EXPECT_EQ(line_of("# a"), "\\# a");
  EXPECT_EQ(line_of("- a"), "\\- a");
  EXPECT_EQ(line_of("+ a"), "\\+ a");
  EXPECT_EQ(line_of("> a"), "\\> a");
  EXPECT_EQ(line_of("1. a"), "1\\. a");
  EXPECT_EQ(line_of("2) a"), "2\\) a");
  EXPECT_EQ(line_of("- - -"), "\\- - -");
  EXPECT_EQ(line_of("* * *"), "\\* * *");
  EXPECT_EQ(line_of("___"), "\\___");
  EXPECT_EQ(line_of("```"), "\\`\\`\\`");
  EXPECT_EQ(line_of("~~~ a"), "\\~~~ a");
  EXPECT_EQ(line_of(": a"), "\\: a");
  EXPECT_EQ(line_of("[a]: /b"), "[a\\]: /b");
  EXPECT_EQ(line_of("[x] a"), "\\[x] a");
  for (const std::string second : {"===", "---", "| - | - |", ":-"}) {
    MarkdownLine line;
    line.text("a");
    line.hard_break();
    line.text(second);
    EXPECT_EQ(line.take_block(), "a\\\n\\" + second);
  }
}

TEST(MarkdownLine, MovesSpacesOutOfEmphasis) {
  MarkdownLine line;
  line.text("a");
  line.open(Mark::strong);
  line.text(" b ");
  line.close(Mark::strong);
  line.text("c");
  EXPECT_EQ(line.take_block(), "a **b** c");
}

TEST(MarkdownLine, OmitsEmphasisThatWouldNotBeRead) {
  MarkdownLine line;
  line.open(Mark::strong);
  line.text("\"a\"");
  line.close(Mark::strong);
  line.text("b");
  line.open(Mark::emphasis);
  line.close(Mark::emphasis);
  EXPECT_EQ(line.take_block(), "\"a\"b");
  line.open(Mark::strong);
  line.text("a");
  line.close(Mark::strong);
  line.open(Mark::strong);
  line.text("b");
  line.close(Mark::strong);
  EXPECT_EQ(line.take_block(), "**a**b");
}

TEST(MarkdownLine, MovesWideSpacesOutOfEmphasis) {
  for (const std::string space : {"\xC2\xA0", "\xE2\x80\x83", "\xE3\x80\x80", "\xE2\x80\xAF"}) {
    MarkdownLine line;
    line.text("a");
    line.open(Mark::strong);
    line.text(space + "b" + space);
    line.close(Mark::strong);
    line.text("c" + space + "d");
    EXPECT_EQ(line.take_block(), "a **b** c" + space + "d");
    line.text(space);
    EXPECT_TRUE(line.empty());
  }
}

TEST(MarkdownLine, IgnoresAMarkInItsLike) {
  MarkdownLine line;
  line.open(Mark::emphasis);
  line.open(Mark::emphasis);
  line.text("a");
  line.close(Mark::emphasis);
  line.text("b");
  line.close(Mark::emphasis);
  line.text(" c");
  EXPECT_EQ(line.take_block(), "*ab* c");
}

TEST(MarkdownLine, BreaksOutsideOfMarks) {
  MarkdownLine line;
  line.open(Mark::strong);
  line.text("a");
  line.hard_break();
  line.close(Mark::strong);
  line.text("b");
  line.hard_break();
  line.hard_break();
  EXPECT_EQ(line.take_block(), "**a**\\\nb");
}

// The work for each mark must not depend on the number of marks after it.
TEST(MarkdownLine, ReadsManyMarks) {
  MarkdownLine line;
  constexpr int kMarks = 100'000;
  line.text("a");
  for (int i = 0; i < kMarks; ++i) {
    line.open(Mark::strong);
    line.text("\u20AC");
    line.close(Mark::strong);
  }
  line.text("c");
  EXPECT_EQ(line.take_block().size(), std::size_t{3} * kMarks + 2);
}

TEST(MarkdownLine, NestsMarksAndLinks) {
  MarkdownLine line;
  line.open_link();
  line.open(Mark::strong);
  line.open(Mark::emphasis);
  line.text("a");
  line.close(Mark::emphasis);
  line.close(Mark::strong);
  line.close_link("http://a.example/");
  line.open_link();
  line.close_link("http://b.example/");
  EXPECT_EQ(line.take_block(), "[***a***](http://a.example/)");
}

TEST(MarkdownLine, WritesLinksWhoseTextIsTheirAddress) {
  const auto link = [](std::string_view text, std::string_view url) {
    MarkdownLine line;
    line.open_link();
    line.text(text);
    line.close_link(url);
    return line.take_block();
  };
  EXPECT_EQ(link("http://a.example/_b_", "http://a.example/_b_"), "<http://a.example/_b_>");
  EXPECT_EQ(link("a@b.example", "mailto:a@b.example"), "<a@b.example>");
  EXPECT_EQ(link("a.example", "http://a.example/"), "[a.example](http://a.example/)");
  EXPECT_EQ(link("[a] ]", "http://b.example/"), "[\\[a\\] \\]](http://b.example/)");
}

TEST(MarkdownLine, PutsAddressesWithMarksBetweenAngles) {
  const auto link = [](std::string_view url) {
    MarkdownLine line;
    line.open_link();
    line.text("a");
    line.close_link(url);
    return line.take_block();
  };
  EXPECT_EQ(link("http://b.example/List_of_*"), "[a](http://b.example/List_of_*)");
  EXPECT_EQ(link("http://b.example/c_(d)"), "[a](<http://b.example/c_(d)>)");
  EXPECT_EQ(link("mailto:b c"), "[a](<mailto:b c>)");
  EXPECT_EQ(link("http://b.example/?c`\\"), "[a](<http://b.example/?c\\`\\\\>)");
}

TEST(MarkdownLine, WritesElementsOfHtmlForRaisedText) {
  MarkdownLine line;
  line.text("x");
  line.open(Mark::superscript);
  line.text("2");
  line.close(Mark::superscript);
  line.text("y");
  line.open(Mark::strike);
  line.text(" old ");
  line.close(Mark::strike);
  EXPECT_EQ(line.take_block(), "x<sup>2</sup>y ~~old~~");
}

TEST(MarkdownLine, EscapesDollarsBesideFormulas) {
  MarkdownLine line;
  line.text("$5: ");
  line.math("a_1 < b", false);
  EXPECT_EQ(line.take_block(), "\\$5: $a_1 < b$");
}

TEST(MarkdownLine, FencesCode) {
  MarkdownLine line;
  line.code("a ` b");
  line.text(" ");
  line.code("`");
  line.code(" ");
  EXPECT_EQ(line.take_block(), "``a ` b`` `` ` ``");
  line.code("a");
  line.code("b`");
  line.code("c");
  EXPECT_EQ(line.take_block(), "``ab`c``");
}

TEST(MarkdownLine, WritesHeadingsAndCellsOnOneLine) {
  MarkdownLine line;
  line.text("a");
  line.hard_break();
  line.text("b ##");
  EXPECT_EQ(line.take_heading(), "a b \\##");
  line.text("C#");
  EXPECT_EQ(line.take_heading(), "C#");
  line.text("a");
  line.hard_break();
  line.text("b");
  EXPECT_EQ(line.take_cell(), "a<br>b");
  line.text("a | b");
  EXPECT_EQ(line.take_cell(), "a \\| b");
  EXPECT_TRUE(line.empty());
}

}  // namespace
}  // namespace gossamer::content
