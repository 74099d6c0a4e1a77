#include "html/token/content_model.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "html/token/tokenizer.h"

namespace gossamer::html {
namespace {

constexpr Interest kEveryTag = Interest::in_everything();

// Tells a content model of every tag of a document, and remembers what it said of the last.
class ModelReader final : public TokenSink {
 public:
  ModelReader() : TokenSink(kEveryTag) { wants_text_ = true; }

  TextMode tag(const Tag& tag) override {
    if (tag.is_end) {
      model.close(tag);
      return TextMode::data;
    }
    mode = model.open(tag);
    return mode;
  }
  void text(std::string_view piece) override {
    model.text(piece);
    words += piece;
  }
  bool in_foreign_content() const override { return model.current_is_foreign(); }

  ContentModel model;
  TextMode mode = TextMode::data;
  std::string words;
};

ModelReader after(std::string_view document) {
  ModelReader reader;
  Tokenizer<ModelReader> tokenizer(reader);
  tokenizer.feed(document);
  tokenizer.finish();
  return reader;
}

bool is_foreign(std::string_view document) { return after(document).model.is_foreign(); }
bool current_is_foreign(std::string_view document) {
  return after(document).model.current_is_foreign();
}
bool opened_html(std::string_view document) { return after(document).model.opened_html(); }

// --- text modes

TEST(ContentModel, TextOfAnElementIsReadAsItsElementSays) {
  EXPECT_EQ(after("<title>").mode, TextMode::rcdata);
  EXPECT_EQ(after("<textarea>").mode, TextMode::rcdata);
  for (const char* name : {"style", "xmp", "iframe", "noembed", "noframes"}) {
    EXPECT_EQ(after("<" + std::string(name) + ">").mode, TextMode::rawtext) << name;
  }
  EXPECT_EQ(after("<script>").mode, TextMode::script);
  EXPECT_EQ(after("<plaintext>").mode, TextMode::plaintext);
  for (const char* name : {"p", "noscript", "template", "unknown-name"}) {
    EXPECT_EQ(after("<" + std::string(name) + ">").mode, TextMode::data) << name;
  }
}

TEST(ContentModel, ForeignElementsOfThoseNamesHoldMarkup) {
  for (const char* name : {"style", "script", "title", "textarea", "xmp", "iframe", "plaintext"}) {
    EXPECT_EQ(after("<svg><" + std::string(name) + ">").mode, TextMode::data) << name;
  }
  EXPECT_EQ(after("<svg><foreignObject><style>").mode, TextMode::rawtext)
      << "HTML in an integration point is read as HTML";
}

// --- where foreign content begins and ends

TEST(ContentModel, SvgAndMathBeginForeignContentAndTheirEndTagsEndIt) {
  EXPECT_FALSE(is_foreign("<p>"));
  EXPECT_TRUE(current_is_foreign("<svg>"));
  EXPECT_TRUE(current_is_foreign("<math>"));
  EXPECT_FALSE(is_foreign("<svg></svg>"));
  EXPECT_FALSE(is_foreign("<math></math>"));
  EXPECT_TRUE(is_foreign("<svg><svg></svg>"));
  EXPECT_FALSE(is_foreign("<svg><svg></svg></svg>"));
}

TEST(ContentModel, ASelfClosingSvgHasNoContent) {
  EXPECT_FALSE(is_foreign("<svg/>"));
  EXPECT_FALSE(is_foreign("<math/>"));
  EXPECT_FALSE(opened_html("<svg/>"));
}

TEST(ContentModel, ASelfClosingForeignElementIsNotOpen) {
  EXPECT_FALSE(opened_html("<svg><title/><g>")) << "the title would have held HTML";
  EXPECT_TRUE(opened_html("<svg><title><g>"));
}

TEST(ContentModel, ElementsInsideAreForeign) {
  EXPECT_FALSE(opened_html("<svg><a>"));
  EXPECT_FALSE(opened_html("<svg><g><image>"));
  EXPECT_FALSE(opened_html("<math><mrow>"));
  EXPECT_TRUE(opened_html("<svg></svg><a>"));
}

TEST(ContentModel, AnEndTagClosesAllThatIsOpenInItsElement) {
  EXPECT_TRUE(current_is_foreign("<svg><g><text></g>"));
  EXPECT_TRUE(after("<svg><text><tspan></text>").model.hides_text());
  EXPECT_FALSE(is_foreign("<svg><g><g><g></svg>"));
}

TEST(ContentModel, UnknownNamesAreTheirOwn) {
  EXPECT_FALSE(opened_html("<svg><one><desc></one><a>")) << "the desc ended with its parent";
  EXPECT_TRUE(opened_html("<svg><one><desc></two><a>")) << "nothing of that name is open";
}

// https://html.spec.whatwg.org/#parsing-main-inforeign
TEST(ContentModel, StartTagsThatOnlyHtmlHasEndForeignContent) {
  for (const char* name :
       {"b",      "big",  "blockquote", "body",  "br",  "center", "code", "dd",     "div",
        "dl",     "dt",   "em",         "embed", "h1",  "h2",     "h3",   "h4",     "h5",
        "h6",     "head", "hr",         "i",     "img", "li",     "menu", "meta",   "nobr",
        "ol",     "p",    "pre",        "ruby",  "s",   "small",  "span", "sub",    "strong",
        "strike", "sup",  "table",      "tt",    "u",   "ul",     "var",  "listing"}) {
    const ModelReader reader = after("<svg><g><" + std::string(name) + ">");
    EXPECT_FALSE(reader.model.is_foreign()) << name;
    EXPECT_TRUE(reader.model.opened_html()) << name;
  }
  for (const char* name : {"a", "title", "style", "script", "font", "table-x", "section"}) {
    EXPECT_TRUE(current_is_foreign("<svg><g><" + std::string(name) + ">")) << name;
  }
}

TEST(ContentModel, AFontWithLooksEndsForeignContent) {
  for (const char* attribute : {"color", "face", "size"}) {
    EXPECT_FALSE(is_foreign("<svg><font " + std::string(attribute) + "=1>")) << attribute;
  }
  EXPECT_TRUE(is_foreign("<svg><font title=1>"));
}

TEST(ContentModel, EndTagsOfPAndBrEndForeignContent) {
  EXPECT_FALSE(is_foreign("<svg><g></p>"));
  EXPECT_FALSE(is_foreign("<svg><g></br>"));
  EXPECT_TRUE(is_foreign("<svg><g></span-x>"));
}

TEST(ContentModel, HtmlThatEndsForeignContentLeavesItUpToAnIntegrationPoint) {
  EXPECT_TRUE(is_foreign("<svg><foreignObject><math><mrow><p>"));
  EXPECT_FALSE(current_is_foreign("<svg><foreignObject><math><mrow><p>"));
  EXPECT_TRUE(current_is_foreign("<svg><foreignObject><math><mrow><p></p></foreignObject>"));
}

// --- integration points

TEST(ContentModel, HtmlIsInForeignObjectDescAndTitleOfSvg) {
  for (const char* name : {"foreignObject", "desc", "title"}) {
    EXPECT_TRUE(opened_html("<svg><" + std::string(name) + "><a>")) << name;
    EXPECT_FALSE(opened_html("<math><" + std::string(name) + "><a>")) << name;
  }
  EXPECT_FALSE(opened_html("<svg><g><a>"));
}

TEST(ContentModel, HtmlIsInTextElementsOfMath) {
  for (const char* name : {"mi", "mo", "mn", "ms", "mtext"}) {
    const std::string start = "<math><" + std::string(name) + ">";
    EXPECT_TRUE(opened_html(start + "<a>")) << name;
    EXPECT_FALSE(opened_html(start + "<mglyph>")) << name;
    EXPECT_FALSE(opened_html(start + "<malignmark>")) << name;
    EXPECT_FALSE(opened_html("<svg><" + std::string(name) + "><a>")) << name;
  }
}

TEST(ContentModel, AnAnnotationHoldsWhatItsEncodingSays) {
  EXPECT_TRUE(opened_html("<math><annotation-xml encoding='Text/HTML'><a>"));
  EXPECT_TRUE(opened_html("<math><annotation-xml encoding='application/xhtml+XML'><a>"));
  EXPECT_FALSE(opened_html("<math><annotation-xml encoding='text/xml'><a>"));
  EXPECT_FALSE(opened_html("<math><annotation-xml><a>"));
  EXPECT_FALSE(opened_html("<math><annotation-xml><svg>"));
  EXPECT_TRUE(opened_html("<math><annotation-xml><svg><desc><a>")) << "the svg is one of SVG";
}

TEST(ContentModel, VoidHtmlElementsAreNotOpenInIntegrationPoints) {
  for (const char* name : {"area", "base", "br", "col", "embed", "hr", "img", "input", "link",
                           "meta", "param", "source", "track", "wbr", "keygen"}) {
    EXPECT_TRUE(current_is_foreign("<svg><desc><" + std::string(name) + "></desc>")) << name;
    EXPECT_TRUE(current_is_foreign("<svg><desc><" + std::string(name) + ">")) << name;
  }
  EXPECT_FALSE(current_is_foreign("<svg><desc><b>"));
}

// --- in doubt

TEST(ContentModel, AnUnmatchedEndTagOfHtmlLeavesItInDoubt) {
  EXPECT_TRUE(after("<div><svg><g></div>").model.is_in_doubt());
  EXPECT_FALSE(after("<div><svg><g></unknown>").model.is_in_doubt());
  EXPECT_FALSE(after("<div><svg><desc></div>").model.is_in_doubt()) << "HTML may be in a desc";
  EXPECT_FALSE(after("<div></div>").model.is_in_doubt());
}

TEST(ContentModel, TheNextStartTagSettlesTheDoubt) {
  EXPECT_TRUE(is_foreign("<div><svg><g></div><path>"));
  EXPECT_TRUE(is_foreign("<div><svg><g></div><image href=x>"));
  EXPECT_FALSE(is_foreign("<div><svg><g></div><image src=x>"));
  EXPECT_TRUE(is_foreign("<div><svg><g></div><a xlink:href=x>"));
  EXPECT_FALSE(is_foreign("<div><svg><g></div><section>"));
  EXPECT_TRUE(after("<div><svg><g></div><a href=x>").model.is_in_doubt()) << "it may be either";
  EXPECT_FALSE(after("<div><svg><g></div></g>").model.is_in_doubt()) << "the g was still open";
}

// --- templates

TEST(ContentModel, TemplatesNest) {
  EXPECT_TRUE(after("<template>").model.in_template());
  EXPECT_TRUE(after("<template><template></template>").model.in_template());
  EXPECT_FALSE(after("<template><template></template></template>").model.in_template());
  EXPECT_FALSE(after("</template>").model.in_template());
  EXPECT_FALSE(after("</template><template></template>").model.in_template());
}

TEST(ContentModel, ATemplateInForeignContentIsForeign) {
  EXPECT_FALSE(after("<svg><template>").model.in_template());
  EXPECT_TRUE(after("<svg><desc><template>").model.in_template());
  EXPECT_FALSE(after("<svg><desc><template></desc>").model.in_template()) << "it ended with desc";
}

TEST(ContentModel, TheEndOfATemplateEndsForeignContentInIt) {
  EXPECT_FALSE(is_foreign("<template><svg><g></template>"));
  EXPECT_FALSE(after("<template><svg><g></template>").model.in_template());
  EXPECT_TRUE(after("<template><template><svg></template>").model.in_template());
}

// --- framesets

TEST(ContentModel, AFramesetHoldsFramesAlone) {
  EXPECT_FALSE(after("<frameset><frame>").model.ignored());
  EXPECT_FALSE(after("<frameset><noframes>").model.ignored());
  EXPECT_FALSE(after("<frameset><frameset>").model.ignored());
  for (const char* name : {"a", "iframe", "base", "svg", "script"}) {
    EXPECT_TRUE(after("<frameset><" + std::string(name) + ">").model.ignored()) << name;
  }
  EXPECT_EQ(after("<frameset><iframe>").mode, TextMode::data) << "it makes no element";
}

TEST(ContentModel, AFramesetCountsOnlyBeforeABody) {
  EXPECT_TRUE(after("<html><head><title>t</title><frameset><a>").model.ignored());
  EXPECT_FALSE(after("<p><frameset><a>").model.ignored());
  EXPECT_FALSE(after("<body><frameset><a>").model.ignored());
}

TEST(ContentModel, TextBeginsABody) {
  EXPECT_FALSE(after("<html>x<frameset><a>").model.ignored());
  EXPECT_FALSE(after("<title>t</title>\n&amp;<frameset><a>").model.ignored());
  EXPECT_TRUE(after("<html> \t\r\n\f<frameset><a>").model.ignored());
  EXPECT_TRUE(after("<title>t</title><style>s</style><frameset><a>").model.ignored());
  EXPECT_TRUE(after("<template>t</template><frameset><a>").model.ignored());
}

TEST(ContentModel, AfterTheOuterFramesetOnlyNoframesCounts) {
  EXPECT_TRUE(after("<frameset></frameset><frame>").model.ignored());
  EXPECT_FALSE(after("<frameset></frameset><noframes>").model.ignored());
  EXPECT_FALSE(after("<frameset><frameset></frameset><frame>").model.ignored());
}

// --- text and CDATA

TEST(ContentModel, SvgShowsTheTextOfItsTextElements) {
  for (const char* name : {"text", "tspan", "textPath", "a"}) {
    EXPECT_FALSE(after("<svg><" + std::string(name) + ">").model.hides_text()) << name;
  }
  EXPECT_TRUE(after("<svg>").model.hides_text());
  EXPECT_TRUE(after("<svg><title>").model.hides_text());
  EXPECT_FALSE(after("<svg><foreignObject>").model.hides_text());
  EXPECT_FALSE(after("<svg><title><b>").model.hides_text());
  EXPECT_FALSE(after("<math>").model.hides_text());
  EXPECT_FALSE(after("<p>").model.hides_text());
}

TEST(ContentModel, CdataIsTextInForeignContentAlone) {
  EXPECT_EQ(after("<svg><![CDATA[a<b>c]]>").words, "a<b>c");
  EXPECT_EQ(after("<p><![CDATA[a<b>c]]>").words, "c]]>");
  EXPECT_EQ(after("<svg><desc><![CDATA[a]]></desc>").words, "a")
      << "an integration point is an element of SVG";
  EXPECT_EQ(after("<svg><desc><p><![CDATA[a<b>c]]>").words, "c]]>");
}

// --- bounds

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(ContentModel, EndTagsFindTheirElementsUpToTheDeepest) {
  const std::size_t inside = ContentModel::kDepthMax - 1;
  const std::string full = "<svg>" + repeated("<g>", inside);
  EXPECT_TRUE(is_foreign(full + repeated("</g>", inside)));
  EXPECT_FALSE(is_foreign(full + repeated("</g>", inside) + "</svg>"));
}

TEST(ContentModel, ElementsBeyondTheDeepestAreCounted) {
  const std::string deep = "<svg>" + repeated("<g>", ContentModel::kDepthMax - 1 + 100);
  EXPECT_TRUE(is_foreign(deep + repeated("</g>", 100)));
  EXPECT_TRUE(is_foreign(deep + repeated("</g>", 99) + "</svg>"))
      << "one too many is open, so this ends that one";
  EXPECT_FALSE(is_foreign(deep + repeated("</g>", 100) + "</svg>"));
  EXPECT_FALSE(is_foreign(deep + "<p>")) << "the standard's way out works at any depth";
}

}  // namespace
}  // namespace gossamer::html
