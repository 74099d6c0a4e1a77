// Compares our trees, selectors and Markdown with parse5, css-select and commonmark.js, on real
// pages and on mutations of them. `./gossamer test --long` runs all cases, `./gossamer test` some.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "base/random.h"
#include "content/content_text.h"
#include "content/main_content.h"
#include "content/markdown.h"
#include "dom/parse.h"
#include "dom/selector.h"
#include "html/encoding/stream.h"
#include "tests/conformance/support/gunzip.h"
#include "tests/conformance/support/testdata.h"
#include "tests/support/command_run.h"
#include "tests/support/node_modules.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"
#include "tests/support/suite.h"
#include "tests/support/tree_text.h"

namespace gossamer {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::string kModules = support::build_path("tests/reference/node");
constexpr std::size_t kRealPages = 500;
constexpr std::size_t kMutatedPages = 2000;
constexpr std::size_t kSelectorPages = 1000;
constexpr std::size_t kPageBytesMax = 300'000;

std::size_t some_of(std::size_t count) { return support::is_long_suite() ? count : count / 20; }

std::string decoded(const std::string& bytes) {
  html::DecodingStream decoder({.kind = html::DocumentKind::html});
  std::string scratch;
  std::string page(decoder.decode(bytes, scratch));
  page += decoder.finish(scratch);
  return page;
}

// News, blogs and documentation, in an order that mixes them.
std::vector<std::string> real_pages() {
  std::vector<std::vector<fs::path>> sources;
  for (const fs::path& folder :
       {conformance::testdata_path("content/article-extraction/html"),
        conformance::testdata_path("content/trafilatura/html"), fs::path("/usr/share/doc/git/html"),
        fs::path("/usr/share/doc/libxml2-doc"), fs::path("/usr/share/doc/exim4-doc-html"),
        fs::path("/usr/share/doc/ntpsec-doc/html")}) {
    auto& files = sources.emplace_back();
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
      const std::string name = entry.path().string();
      if (name.ends_with(".html") || name.ends_with(".html.gz")) files.push_back(entry.path());
    }
    std::ranges::sort(files);
  }
  std::vector<std::string> pages;
  for (std::size_t i = 0; i < 1000; ++i) {
    for (const auto& files : sources) {
      if (i >= files.size()) continue;
      std::string bytes = conformance::read_bytes(files[i]);
      if (files[i].extension() == ".gz") bytes = conformance::gunzip(bytes);
      if (bytes.size() <= kPageBytesMax) pages.push_back(decoded(bytes));
    }
  }
  return pages;
}

// parse5 still has the former rules for what a <select> may contain.
bool has_select(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return base::to_lower(c); });
  return text.contains("<select") || text.contains("<option");
}

// A part of a page with tags that are removed, repeated, moved, or come from elsewhere.
std::string mutated(const std::vector<std::string>& pages, base::Random& random) {
  constexpr std::array<std::string_view, 36> kPieces = {
      "<table>",     "</table>",  "<tr>",
      "<td>",        "</tr>",     "<p>",
      "</p>",        "<b>",       "</b>",
      "<i>",         "<a href>",  "</a>",
      "<div>",       "</div>",    "<svg>",
      "<math>",      "<em>",      "<nobr>",
      "<form>",      "</form>",   "<template>",
      "</template>", "<ul><li>",  "</body>",
      "<frameset>",  "<!--x-->",  "<title>",
      "</title>",    "&amp",      "&notin;",
      "<script>",    "</script>", "<foreignObject>",
      "<mi>",        "<h1>",      "</h2>"};
  const std::string& page = pages[random.below(pages.size())];
  const std::size_t begin = random.below(page.size() + 1);
  std::string text = page.substr(begin, 200 + random.below(4000));
  const std::uint64_t changes = 1 + random.below(12);
  for (std::uint64_t i = 0; i < changes; ++i) {
    const std::size_t at = random.below(text.size() + 1);
    switch (random.below(4)) {
      case 0: text.erase(at, random.below(20)); break;
      case 1: text.insert(at, kPieces[random.below(kPieces.size())]); break;
      case 2: text.insert(at, text.substr(random.below(text.size() + 1), random.below(200))); break;
      default: {
        // Removes or repeats a whole tag.
        const std::size_t tag = text.find('<', at);
        const std::size_t end = tag == std::string::npos ? tag : text.find('>', tag);
        if (end == std::string::npos) break;
        if (random.chance(0.5)) {
          text.erase(tag, end + 1 - tag);
        } else {
          text.insert(random.below(text.size()), text.substr(tag, end + 1 - tag));
        }
      }
    }
  }
  // Cuts of characters are replaced, so both readers have the same text.
  return decoded("\xEF\xBB\xBF" + text);
}

class ReferenceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    missing_ = support::install_node_modules(support::source_path("tests/reference/package.json"),
                                             kModules);
    if (missing_.empty()) pages_ = real_pages();
  }
  static void TearDownTestSuite() { pages_.clear(); }
  void SetUp() override {
    if (!missing_.empty()) GTEST_SKIP() << missing_;
    if (pages_.size() < 100) GTEST_SKIP() << "there are not enough pages: " << pages_.size();
  }

  void ask(const Json& question) {
    // Other characters are escaped: a reader of lines must not see line ends in texts.
    questions_ << question.dump(-1, ' ', true) << '\n';
  }
  std::vector<Json> answers() {
    questions_.close();
    const std::string out = folder_.file("answers");
    support::Program node({support::kNode, "--stack-size=8000",
                           support::source_path("tests/reference/read_pages.mjs"), kModules,
                           folder_.file("questions")},
                          out);
    EXPECT_EQ(node.wait_for_end(), 0);
    std::vector<Json> found;
    std::ifstream file(out);
    for (std::string line; std::getline(file, line);) {
      Json answer = Json::parse(line, nullptr, false);
      if (answer.is_discarded()) {
        ADD_FAILURE() << line;
        break;
      }
      found.push_back(std::move(answer));
    }
    return found;
  }
  void compare_trees(const std::vector<std::string>& pages) {
    for (const std::string& page : pages) ask({{"mode", "tree"}, {"page", page}});
    const std::vector<Json> theirs = answers();
    ASSERT_EQ(theirs.size(), pages.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const std::string ours = dom::tree_text(dom::parse(pages[i]));
      const std::string other = theirs[i]["tree"].get<std::string>();
      if (ours == other || ++different > 3) continue;
      const auto [a, b] = std::ranges::mismatch(ours, other);
      const auto at = static_cast<std::size_t>(a - ours.begin());
      const std::size_t from = at < 300 ? 0 : at - 300;
      ADD_FAILURE() << "page " << i << ": ours\n"
                    << ours.substr(from, 500) << "\ntheirs\n"
                    << other.substr(std::min(from, other.size()), 500) << "\npage\n"
                    << (pages[i].size() < 6000 ? pages[i] : pages[i].substr(0, 200));
    }
    EXPECT_EQ(different, 0U) << "of " << pages.size();
    fmt::print("{} trees\n", pages.size());
  }

  static inline std::string missing_;
  static inline std::vector<std::string> pages_;
  support::TestFolder folder_;
  std::ofstream questions_{folder_.file("questions")};
};

TEST_F(ReferenceTest, RealPagesHaveTheTreesOfParse5) {
  std::vector<std::string> pages = pages_;
  if (pages.size() > some_of(kRealPages)) pages.resize(some_of(kRealPages));
  compare_trees(pages);
}

TEST_F(ReferenceTest, MutatedPagesHaveTheTreesOfParse5) {
  base::Random random(1);
  std::vector<std::string> pages;
  while (pages.size() < some_of(kMutatedPages)) {
    std::string page = mutated(pages_, random);
    if (!has_select(page)) pages.push_back(std::move(page));
  }
  compare_trees(pages);
}

// --- selectors

// Makes selectors of what a page has.
class RandomSelector {
 public:
  RandomSelector(const dom::Document& document, base::Random& random) : random_(random) {
    const dom::Node& root = document.root();
    for (const dom::Node* node = &root; node != nullptr; node = dom::next_in(root, *node)) {
      if (node->is_element()) elements_.push_back(node);
    }
  }
  bool is_possible() const { return !elements_.empty(); }

  std::string complex() {
    std::string text = compound(0);
    constexpr std::array<std::string_view, 4> kCombinators = {" ", " > ", " + ", " ~ "};
    while (random_.chance(0.45)) {
      text.append(kCombinators[random_.below(kCombinators.size())]).append(compound(0));
    }
    if (random_.chance(0.1)) text += ", " + compound(0);
    return text;
  }

 private:
  // Names that need no escapes in CSS.
  static bool is_plain(std::string_view name) {
    return !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0) &&
           std::ranges::all_of(name, [](char c) {
             return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
           });
  }
  const dom::Node& element() { return *elements_[random_.below(elements_.size())]; }

  std::string compound(int depth) {
    const dom::Node& from = element();
    std::string text = random_.chance(0.7) && is_plain(from.name()) ? std::string(from.name())
                       : random_.chance(0.3)                        ? "*"
                                                                    : "";
    const std::uint64_t parts = random_.below(3) + (text.empty() ? 1 : 0);
    for (std::uint64_t i = 0; i < parts; ++i) text += part(from, depth);
    return text;
  }

  std::string part(const dom::Node& from, int depth) {
    // :has() cannot contain another one.
    switch (random_.below(depth == 0 ? 6 : depth == 1 && !in_has_ ? 5 : 4)) {
      case 0: return class_of(from);
      case 1: return attribute_of(from);
      case 2: return structure();
      case 3: return "[class]";
      case 4:
        return random_.chance(0.5) ? ":not(" + compound(depth + 1) + ")"
                                   : ":is(" + compound(depth + 1) + ", p)";
      default: {
        in_has_ = true;
        std::string text = random_.chance(0.5) ? ":has(> " : ":has(";
        text.append(compound(1)).append(")");
        in_has_ = false;
        return text;
      }
    }
  }

  std::string class_of(const dom::Node& from) {
    const dom::Attribute* const names = from.find("class");
    if (names == nullptr) return ":first-child";
    const std::string_view value = names->value();
    const std::string_view first = value.substr(0, value.find(' '));
    return is_plain(first) ? "." + std::string(first) : "[class]";
  }

  std::string attribute_of(const dom::Node& from) {
    if (from.attributes().empty()) return ":last-child";
    const dom::Attribute& attribute = from.attributes()[random_.below(from.attributes().size())];
    // css-select does not find names with capitals, such as viewBox of SVG.
    const bool has_capitals =
        std::ranges::any_of(attribute.name(), [](char c) { return c != base::to_lower(c); });
    if (!is_plain(attribute.name()) || has_capitals) return "[id]";
    constexpr std::array<std::string_view, 6> kOperators = {"=", "^=", "$=", "*=", "~=", "|="};
    std::string value(attribute.value().substr(0, 1 + random_.below(20)));
    std::erase_if(value, [](char c) {
      return static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~' ||
             c == '"' || c == '\\';
    });
    // It also finds elements by an empty word, which nothing has.
    if (value.empty()) return fmt::format("[{}]", attribute.name());
    return fmt::format("[{}{}\"{}\"]", attribute.name(),
                       kOperators[random_.below(kOperators.size())], value);
  }

  std::string structure() {
    // css-select calls elements with white space empty; browsers do not.
    constexpr std::array<std::string_view, 12> kStates = {
        ":first-child",  ":last-child",        ":only-child",        ":first-of-type",
        ":last-of-type", ":only-of-type",      ":nth-child(-n+4)",   ":nth-child(2n+1)",
        ":nth-child(3)", ":nth-last-child(2)", ":nth-of-type(even)", ":root"};
    return std::string(kStates[random_.below(kStates.size())]);
  }

  base::Random& random_;
  bool in_has_ = false;
  std::vector<const dom::Node*> elements_;
};

std::vector<std::size_t> numbers_of(const dom::Document& document,
                                    const std::vector<const dom::Node*>& found) {
  std::map<const dom::Node*, std::size_t> numbers;
  const dom::Node& root = document.root();
  for (const dom::Node* node = &root; node != nullptr; node = dom::next_in(root, *node)) {
    if (node->is_element()) numbers.emplace(node, numbers.size());
  }
  std::vector<std::size_t> places;
  for (const dom::Node* const node : found) places.push_back(numbers[node]);
  return places;
}

TEST_F(ReferenceTest, SelectorsFindWhatCssSelectFinds) {
  base::Random random(2);
  struct Question {
    const std::string* page;
    std::string selector;
  };
  std::vector<Question> questions;
  for (std::size_t i = 0; i < some_of(kSelectorPages); ++i) {
    const std::string& page = pages_[i % pages_.size()];
    const dom::Document document = dom::parse(page);
    RandomSelector selectors(document, random);
    if (!selectors.is_possible()) continue;
    for (int k = 0; k < 8; ++k) {
      questions.push_back({&page, selectors.complex()});
      Json question = {{"mode", "select"}, {"selector", questions.back().selector}};
      question["page"] = k == 0 ? Json(page) : Json(nullptr);
      ask(question);
    }
  }
  const std::vector<Json> theirs = answers();
  ASSERT_EQ(theirs.size(), questions.size());
  std::size_t matches = 0;
  std::size_t different = 0;
  std::optional<dom::Document> document;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto selector = dom::Selector::compile(questions[i].selector);
    ASSERT_TRUE(selector) << questions[i].selector;
    ASSERT_FALSE(theirs[i].contains("error")) << questions[i].selector << " " << theirs[i];
    if (i == 0 || questions[i].page != questions[i - 1].page) {
      document.emplace(dom::parse(*questions[i].page));
    }
    const auto ours = numbers_of(*document, selector->find_all(*document).elements);
    matches += ours.size();
    if (Json(ours) == theirs[i]["found"] || ++different > 10) continue;
    const auto other = theirs[i]["found"].get<std::vector<std::size_t>>();
    std::vector<std::size_t> apart;
    std::ranges::set_symmetric_difference(ours, other, std::back_inserter(apart));
    ADD_FAILURE() << "page " << i / 8 << ", " << questions[i].selector << ": ours " << ours.size()
                  << ", theirs " << other.size() << ", different " << Json(apart);
  }
  EXPECT_EQ(different, 0U) << "of " << questions.size();
  EXPECT_GT(matches, questions.size());
  fmt::print("{} selectors, {} matches\n", questions.size(), matches);
}

// --- Markdown

// Texts without white space, because the two forms separate blocks in different ways. Tables,
// definitions, deleted text and notes are not part of CommonMark, so their marks stay in the text.
std::string ink_of(std::string_view text, bool has_notes) {
  const std::string_view marks = has_notes ? "|-:~[]^." : "|-:~";
  std::string ink;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) <= ' ' || marks.contains(c)) continue;
    if (text.substr(i).starts_with("\\|")) continue;  // a bar in a cell
    if (text.substr(i).starts_with("\xC2\xA0")) {
      ++i;
      continue;
    }
    ink += c;
  }
  return ink;
}

TEST_F(ReferenceTest, MarkdownReadsBackAsTheSameText) {
  const std::size_t count = std::min(pages_.size(), some_of(kRealPages));
  constexpr std::size_t kBytesMax = 4'000'000;
  std::vector<std::string> texts;
  std::vector<bool> have_notes;
  for (std::size_t i = 0; i < count; ++i) {
    const dom::Document document = dom::parse(pages_[i]);
    const content::MainContent main = content::find_main_content(document);
    texts.push_back(content::to_text(main, kBytesMax));
    const std::string markdown = content::to_markdown(main, document, {.bytes_max = kBytesMax});
    have_notes.push_back(markdown.contains("[^"));
    ask({{"mode", "markdown"}, {"page", markdown}});
  }
  const std::vector<Json> theirs = answers();
  ASSERT_EQ(theirs.size(), texts.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string ours = ink_of(texts[i], have_notes[i]);
    const std::string other = ink_of(theirs[i]["text"].get<std::string>(), have_notes[i]);
    if (ours == other || ++different > 5) continue;
    const auto [a, b] = std::ranges::mismatch(ours, other);
    const auto at = static_cast<std::size_t>(a - ours.begin());
    const std::size_t from = at < 60 ? 0 : at - 60;
    ADD_FAILURE() << "page " << i << "\ntext      " << ours.substr(from, 160) << "\nread back "
                  << other.substr(std::min(from, other.size()), 160);
  }
  EXPECT_EQ(different, 0U) << "of " << texts.size();
  fmt::print("{} texts in Markdown\n", texts.size());
}

}  // namespace
}  // namespace gossamer
