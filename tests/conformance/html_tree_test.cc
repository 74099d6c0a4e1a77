// The tree construction tests of html5lib (now in Web Platform Tests): every case, with scripting
// on and off unless it says which.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dom/parse.h"
#include "support/exceptions.h"
#include "support/json.h"
#include "support/testdata.h"
#include "tests/support/tree_text.h"

namespace gossamer::conformance {
namespace {

struct TreeCase {
  std::string data;
  std::string expected;
  std::optional<std::string> context;  // of a fragment
  bool with_scripting = true;
  bool without_scripting = true;
};

// Returns the lines up to the next heading ("#document"), and takes them from `text`.
std::string_view take_section(std::string_view& text) {
  std::size_t at = 0;
  while (at < text.size() && text[at] != '#')
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  const std::string_view section = text.substr(0, at);
  text.remove_prefix(at);
  return section;
}

std::string_view without_line_end(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

// `text` begins after "#data\n". The data may contain lines that look like headings.
TreeCase read_tree_case(std::string_view text) {
  TreeCase read;
  const std::size_t errors = text.find("\n#errors\n");
  read.data = text.substr(0, errors);
  if (text.starts_with("#errors\n")) read.data.clear();
  text.remove_prefix(text.starts_with("#errors\n") ? 0 : errors + 1);
  while (!text.empty()) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    const std::string_view heading = text.substr(0, line_end);
    text.remove_prefix(std::min(line_end + 1, text.size()));
    if (heading == "#document") {
      // The tree may contain text with lines that begin with '#'. It is the last section.
      read.expected = std::string(without_line_end(text)) + "\n";
      break;
    }
    const std::string_view section = without_line_end(take_section(text));
    if (heading == "#document-fragment") read.context = section;
    if (heading == "#script-off") read.with_scripting = false;
    if (heading == "#script-on") read.without_scripting = false;
  }
  return read;
}

std::vector<TreeCase> read_tree_cases(std::string_view text) {
  static constexpr std::string_view kHeading = "#data\n";
  static constexpr std::string_view kBetween = "\n\n#data\n";
  std::vector<TreeCase> cases;
  text.remove_prefix(std::min(text.find(kHeading), text.size()));
  while (text.starts_with(kHeading)) {
    text.remove_prefix(kHeading.size());
    const std::size_t end = text.find(kBetween);
    cases.push_back(read_tree_case(text.substr(0, end)));
    text.remove_prefix(end == text.npos ? text.size() : end + 2);
  }
  return cases;
}

dom::Context context_of(std::string_view written) {
  dom::Context context;
  if (written.starts_with("svg ")) context.space = dom::Space::svg;
  if (written.starts_with("math ")) context.space = dom::Space::math;
  if (context.space != dom::Space::html) written.remove_prefix(written.find(' ') + 1);
  context.name = written;
  return context;
}

std::string tree_of(const TreeCase& test, bool scripting) {
  const ExactBlock page(test.data);
  const dom::ParseOptions options = {.scripting = scripting};
  if (!test.context) return dom::tree_text(dom::parse(page.view(), options));
  const auto document = dom::parse_fragment(page.view(), context_of(*test.context), options);
  return dom::tree_text(document, true);
}

// The rules see the input of a case, which is a JSON string.
bool has_processing_instruction(const Json& input) {
  return input.get<std::string>().contains("<?");
}
bool has_selected_content(const Json& input) {
  return input.get<std::string>().contains("<selectedcontent>");
}
constexpr Exception kTreeExceptions[] = {
    {"our tokenizer reads <? as a comment, as its own vectors expect", has_processing_instruction},
    {"the selected option is not repeated in <selectedcontent>: the page has its text once",
     has_selected_content},
};

void run_tree_case(const TreeCase& test, std::string_view file, RuledScore& score) {
  for (const bool scripting : {false, true}) {
    if (!(scripting ? test.with_scripting : test.without_scripting)) continue;
    const std::string actual = tree_of(test, scripting);
    score.count(Json(test.data), actual == test.expected, [&] {
      return fmt::format("{}, scripting {}: {}\n--- in {}\n{}--- not\n{}", file, scripting,
                         test.data, test.context.value_or("a page"), actual, test.expected);
    });
  }
}

// scripted_*.dat are left out: they need an engine for scripts.
TEST(Html5lib, TreesAgreeWithTheVectors) {
  NEEDS_TESTDATA("html5lib/tree-construction");
  RuledScore score("html5lib/tree-construction", kTreeExceptions);
  for (const auto& entry :
       std::filesystem::directory_iterator(testdata_path("html5lib/tree-construction"))) {
    const std::string file = entry.path().filename().string();
    if (!file.ends_with(".dat") || file.starts_with("scripted_")) continue;
    const std::string text = read_bytes(entry.path());
    for (const TreeCase& test : read_tree_cases(text)) run_tree_case(test, file, score);
  }
  EXPECT_TRUE(score.is_clean());
}

}  // namespace
}  // namespace gossamer::conformance
