#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/escape.h"
#include "cli/commands.h"
#include "cli/document_file.h"
#include "content/extractor.h"
#include "content/metadata.h"
#include "dom/parse.h"
#include "engine/setup/options.h"
#include "html/page_reader.h"
#include "record/record_fields.h"
#include "robots/page_rules.h"
#include "terminal/standard_output.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kMetadataCommand = "inspect metadata";

struct MetadataArguments {
  std::string file;
  std::optional<url::Url> base;
  std::optional<html::Encoding> charset;
};

void declare_metadata(options::Table& table, MetadataArguments& arguments) {
  table.summary(
      "Show what a page states about itself: language, dates, cards, JSON-LD, microdata,\n"
      "headings. Prints one JSON object.");
  table.word(options::file(arguments.file), "the page; - is standard input");
  table.option("base", base_value(arguments.base), "resolve links against this URL of the page");
  table.option("charset", charset_value(arguments.charset), "set the encoding, as a server would");
}

// Returns the fields of `gossamer crawl --metadata`.
std::string metadata_line(const crawler::FetchRecord& record) {
  crawler::FieldChoice fields;
  for (const std::string_view name : {"title", "metadata", "robots"}) {
    static_cast<void>(crawler::choose_field(name, fields));
  }
  return crawler::to_json(record, fields);
}

int run_metadata(MetadataArguments& arguments) {
  DocumentFile file(arguments.file, {.transport = arguments.charset});
  html::PageConsumer nothing;
  html::PageReader reader({.links = false, .facts = true}, nothing);
  std::string page;
  for (std::string_view piece = file.next(); !piece.empty(); piece = file.next()) {
    reader.feed(piece);
    if (page.size() <= content::kExtractPageBytesMax) page += piece;
  }
  reader.finish();
  if (!file.failure().empty()) {
    terminal::print_err("gossamer {}: {}: {}\n", kMetadataCommand,
                        base::escape_for_terminal(arguments.file), file.failure());
    return kFailed;
  }
  const dom::Document document = dom::parse(page, {.nodes_max = content::kExtractNodesMax});
  auto metadata = std::make_shared<content::Metadata>(content::read_metadata(
      document, {.url = arguments.base ? &*arguments.base : nullptr, .encoding = file.encoding()}));
  const bool is_truncated = metadata->is_truncated;
  crawler::FetchRecord record;
  record.title = reader.facts().title;
  record.metadata = std::move(metadata);
  const std::string agent = crawler::Settings().agent;
  robots::PageRules rules;
  for (const auto& rule : reader.facts().robots) {
    rules.add_meta(rule.agent, rule.content, agent);
  }
  record.robots = robots::to_text(rules);
  terminal::print_out("{}\n", metadata_line(record));
  if (is_truncated) {
    terminal::print_err("gossamer {}: the page is too large, so values may be missing\n",
                        kMetadataCommand);
  }
  return kOk;
}

}  // namespace

constinit const Command metadata_command = command_of<declare_metadata, run_metadata>(
    kMetadataCommand, "FILE|- [--base URL]", "show what a page states about itself");

}  // namespace gossamer::cli
