#include <optional>
#include <string>
#include <vector>

#include "base/escape.h"
#include "cli/commands.h"
#include "cli/document_file.h"
#include "content/extractor.h"
#include "settings/extract_rules.h"
#include "terminal/standard_output.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kExtractCommand = "inspect extract";

struct ExtractPageArguments {
  std::string file;
  std::optional<url::Url> base;
  std::optional<html::Encoding> charset;
  std::vector<std::string> rules;
  std::vector<std::string> rule_files;
  std::string items;
};

void declare_extract(options::Table& table, ExtractPageArguments& arguments) {
  table.summary("Take fields out of a page by CSS selectors or XPath. Prints JSON objects.");
  table.word(options::file(arguments.file), "the page; - is standard input");
  table.optional_words(settings::extract_value(arguments.rules),
                       "rules such as 'title=h1; next=a.next@href'");
  table.repeated("extract-file", options::files(arguments.rule_files), settings::kExtractFileHelp);
  table.option("items", settings::items_value(arguments.items), settings::kItemsHelp);
  table.option("base", base_value(arguments.base), "resolve links against this URL of the page");
  table.option("charset", charset_value(arguments.charset), "set the encoding, as a server would");
}

int run_extract(ExtractPageArguments& arguments) {
  for (const std::string& path : arguments.rule_files) {
    if (auto read = settings::read_extract_file(path, arguments.rules); !read) {
      return usage_error(kExtractCommand, read.error().detail());
    }
  }
  if (arguments.rules.empty()) {
    return usage_error(kExtractCommand, "no fields given; for example: title=h1");
  }
  const auto extractor = content::Extractor::compile(arguments.rules, arguments.items);
  if (!extractor) return usage_error(kExtractCommand, extractor.error().detail());
  DocumentFile document(arguments.file, {.transport = arguments.charset});
  std::string page;
  for (std::string_view piece = document.next(); !piece.empty(); piece = document.next()) {
    if (page.size() <= content::kExtractPageBytesMax) page += piece;
  }
  if (!document.failure().empty()) {
    terminal::print_err("gossamer {}: {}: {}\n", kExtractCommand,
                        base::escape_for_terminal(arguments.file), document.failure());
    return kFailed;
  }
  const content::Extracted found = extractor->extract(
      page, {.url = arguments.base ? &*arguments.base : nullptr, .encoding = document.encoding()});
  for (const auto row : content::rows_of(found.fields)) {
    terminal::print_out("{}\n", content::row_json(row));
  }
  if (found.is_truncated) {
    terminal::print_err("gossamer {}: the page is too large, so values may be missing\n",
                        kExtractCommand);
  }
  return kOk;
}

}  // namespace

constinit const Command extract_command = command_of<declare_extract, run_extract>(
    "inspect extract", "FILE|- FIELDS... [--base URL]", "take fields out of a page by selectors");

}  // namespace gossamer::cli
