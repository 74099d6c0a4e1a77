// Headlines, authors and dates of pages that people marked (WCXB).
#include "content/metadata.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "dom/parse.h"
#include "support/gunzip.h"
#include "support/json.h"
#include "support/testdata.h"

namespace gossamer::conformance {
namespace {

// Letters and digits in lower case, words separated by one space.
std::string plain_words(std::string_view text) {
  icu::UnicodeString unicode =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int>(text.size())));
  unicode.toLower(icu::Locale::getRoot());
  icu::UnicodeString words;
  for (int i = 0; i < unicode.length(); i = unicode.moveIndex32(i, 1)) {
    const UChar32 c = unicode.char32At(i);
    if (u_isalnum(c) != 0) {
      words.append(c);
    } else if (!words.isEmpty() && words[words.length() - 1] != u' ') {
      words.append(u' ');
    }
  }
  std::string utf8;
  words.trim().toUTF8String(utf8);
  return utf8;
}

struct FactFigures {
  int known = 0;
  int right = 0;
  int unknown = 0;
  int invented = 0;

  void add(std::string_view truth, std::string_view found) {
    ++(truth.empty() ? unknown : known);
    if (truth.empty()) {
      invented += found.empty() ? 0 : 1;
    } else {
      right += truth == found ? 1 : 0;
    }
  }
  double right_share() const { return static_cast<double>(right) / known; }
  double invented_share() const { return static_cast<double>(invented) / unknown; }
  void print(std::string_view name) const {
    fmt::print("wcxb, {}: {} of {} right", name, right, known);
    if (unknown > 0) fmt::print(", {} of {} invented", invented, unknown);
    fmt::print("\n");
  }
};

std::string text_at(const Json& truth, const char* name) {
  return truth.contains(name) && truth[name].is_string() ? truth[name].get<std::string>() : "";
}

TEST(MetadataSuite, KnowsWhoWrotePagesAndWhen) {
  NEEDS_TESTDATA("wcxb/README.md");
  FactFigures headlines;
  FactFigures authors;
  FactFigures dates;
  for (const auto& entry : std::filesystem::directory_iterator(testdata_path("wcxb/truth"))) {
    const std::string id = entry.path().stem().string();
    const Json file = read_json("wcxb/truth/" + id + ".json");
    const Json& truth = file["ground_truth"];
    const auto url = url::Url::parse(text_at(file, "url"));
    const std::string bytes = gunzip(read_testdata("wcxb/html/" + id + ".html.gz"));
    const dom::Document page = dom::parse(bytes);
    const content::Metadata found = content::read_metadata(page, {.url = url ? &*url : nullptr});
    headlines.add(plain_words(text_at(truth, "title")), plain_words(found.headline));
    authors.add(plain_words(text_at(truth, "author")), plain_words(found.author));
    dates.add(text_at(truth, "publish_date").substr(0, 10), found.published.substr(0, 10));
  }
  headlines.print("headlines");
  authors.print("authors");
  dates.print("dates");
  ASSERT_GT(headlines.known, 0);
  EXPECT_GE(headlines.right_share(), 0.78);
  EXPECT_GE(authors.right_share(), 0.72);
  EXPECT_GE(dates.right_share(), 0.79);
  EXPECT_LE(authors.invented_share(), 0.05);
  EXPECT_LE(dates.invented_share(), 0.05);
}

TEST(MetadataSuite, KnowsTheKindsOfPages) {
  NEEDS_TESTDATA("wcxb/README.md");
  int right = 0;
  int wrong = 0;
  int unsure = 0;
  for (const auto& entry : std::filesystem::directory_iterator(testdata_path("wcxb/truth"))) {
    const std::string id = entry.path().stem().string();
    const Json file = read_json("wcxb/truth/" + id + ".json");
    std::string kind = text_at(file["_internal"]["page_type"], "primary");
    if (kind == "category") kind = "collection";
    const auto url = url::Url::parse(text_at(file, "url"));
    const std::string bytes = gunzip(read_testdata("wcxb/html/" + id + ".html.gz"));
    const dom::Document page = dom::parse(bytes);
    const std::string found =
        content::read_metadata(page, {.url = url ? &*url : nullptr}).page_kind;
    ++(found.empty() ? unsure : found == kind ? right : wrong);
  }
  fmt::print("wcxb, kinds: {} right, {} wrong, {} unsure\n", right, wrong, unsure);
  EXPECT_GE(right, 480);
  EXPECT_LE(wrong, 36);
}

}  // namespace
}  // namespace gossamer::conformance
