#include "html/form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gossamer::html {
namespace {

using testing::ElementsAre;

// "name=value" for fields that are sent; "(name)" for the others.
std::vector<std::string> sent(const Form& form) {
  std::vector<std::string> lines;
  for (const FormField& field : form.fields) {
    lines.push_back(field.is_sent ? field.name + "=" + field.value : "(" + field.name + ")");
  }
  return lines;
}

Form only_form(std::string_view document) {
  FormPage page = read_forms(document);
  EXPECT_EQ(page.forms.size(), 1u) << document;
  return page.forms.empty() ? Form() : std::move(page.forms.front());
}

TEST(FormTest, ReadsALoginFormWithItsHiddenFields) {
  const Form form = only_form(
      "<h1>Hi</h1><FORM Action=' /enter ' METHOD=Post>"
      "<input type=hidden name=csrf value='a&amp;b'><p><INPUT name=user><br>"
      "<input type=PASSWORD name=pass><button name=go value=1>In</button></form>");
  EXPECT_EQ(form.action, "/enter");
  EXPECT_EQ(form.method, "post");
  EXPECT_TRUE(form.has_password());
  EXPECT_THAT(sent(form), ElementsAre("csrf=a&b", "user=", "pass=", "go=1"));
  ASSERT_NE(form.find("csrf"), nullptr);
  EXPECT_EQ(form.find("csrf")->kind, FormFieldKind::hidden);
  EXPECT_EQ(form.find("other"), nullptr);
}

TEST(FormTest, SendsWhatABrowserWouldSend) {
  const Form form = only_form(
      "<form><input type=checkbox name=a><input type=checkbox name=b checked>"
      "<input type=radio name=c value=1><input type=radio name=c value=2 checked>"
      "<select name=d><option value=1>one<option value=2 selected>two</select>"
      "<select name=e><option> first  one <option>second</select>"
      "<select name=f multiple><option>x</select><select name=g></select>"
      "<textarea name=h>\n<b>&lt;</textarea>"
      "<input name=i disabled value=1><input type=file name=j><input type=reset name=k value=1>"
      "<input type=submit name=l value=1><input type=submit name=m value=2>"
      "<input value=nameless></form>");
  EXPECT_EQ(form.method, "get");
  EXPECT_FALSE(form.has_password());
  EXPECT_THAT(sent(form), ElementsAre("(a)", "b=on", "(c)", "c=2", "d=2", "e=first one", "(f)",
                                      "(g)", "h=<b><", "l=1", "(m)"));
}

TEST(FormTest, TheButtonMaySayWhereTo) {
  const Form form = only_form(
      "<form action=a method=get><input name=x><button formaction=b formmethod=post></button>"
      "<button formaction=c></button></form>");
  EXPECT_EQ(form.action, "b");
  EXPECT_EQ(form.method, "post");
}

TEST(FormTest, AFieldIsOfTheFormThatItNames) {
  const FormPage page = read_forms(
      "<input name=early form=two><form id=one><input name=a><input name=b form=two>"
      "<input name=c form=none><input name=d form></form><form id=two></form><input name=stray>");
  ASSERT_EQ(page.forms.size(), 2u);
  EXPECT_THAT(sent(page.forms[0]), ElementsAre("a="));
  EXPECT_THAT(sent(page.forms[1]), ElementsAre("early=", "b="));
}

TEST(FormTest, KeepsFormsApart) {
  const FormPage page = read_forms(
      "<base href='/x/'><base href='/y/'><form action=a><form action=inner><input name=p></form>"
      "<form action=b><input name=q></form><template><form action=no><input name=r></form>"
      "</template><script><form action=no></script><!-- <form action=no> -->"
      "<svg><form></svg>");
  EXPECT_EQ(page.base, "/x/");
  ASSERT_GE(page.forms.size(), 2u);
  EXPECT_EQ(page.forms[0].action, "a");
  EXPECT_THAT(sent(page.forms[0]), ElementsAre("p="));
  EXPECT_EQ(page.forms[1].action, "b");
  for (const Form& form : page.forms) EXPECT_NE(form.action, "no");
}

TEST(FormTest, HostilePagesCostLittle) {
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "<form><input name=a><select name=b><option>";
  many += "<textarea name=c>" + std::string(1'000'000, 'x');
  const FormPage page = read_forms(many);
  EXPECT_LE(page.forms.size(), kFormsMax);
  std::size_t fields = 0;
  for (const Form& form : page.forms) {
    fields += form.fields.size();
    for (const FormField& field : form.fields) EXPECT_LE(field.value.size(), kFormTextBytesMax);
  }
  EXPECT_LE(fields, kFormFieldsMax);

  for (const char* text : {"", "<", "<form", "<form><select name=a><option", "<select><input name=",
                           "</form></select></textarea>", "<textarea>", "<option>x</option>",
                           "<form><svg><textarea name=a></svg>", "<form \0x><input\0 name=a"}) {
    static_cast<void>(read_forms(text));
  }
}

TEST(FormTest, ReadsNoByteBeyondTheDocument) {
  const std::string document =
      "<form method=post><select name=s><option>o</select><textarea name=t>x</textarea>";
  for (std::size_t size = 0; size <= document.size(); ++size) {
    const auto block = std::make_unique_for_overwrite<char[]>(size);  // exactly that size
    document.copy(block.get(), size);
    static_cast<void>(read_forms({block.get(), size}));
  }
}

TEST(FormTest, EncodesWhatIsSent) {
  EXPECT_EQ(encode_form({{"user", "me"}, {"pass word", "a+b&c=d%/\xC3\xA4*-._"}}),
            "user=me&pass+word=a%2Bb%26c%3Dd%25%2F%C3%A4*-._");
  EXPECT_EQ(encode_form({}), "");
}

}  // namespace
}  // namespace gossamer::html
