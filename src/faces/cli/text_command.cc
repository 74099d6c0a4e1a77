#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/escape.h"
#include "cli/commands.h"
#include "cli/document_file.h"
#include "content/content_text.h"
#include "content/main_content.h"
#include "content/markdown.h"
#include "dom/parse.h"
#include "html/page_reader.h"
#include "terminal/standard_output.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

struct TextArguments {
  std::string file;
  std::optional<html::Encoding> charset;
  bool facts = false;
  bool main = false;
  bool markdown = false;
  bool images = false;
  content::TableForm tables = content::TableForm::html;
  std::optional<url::Url> base;
};

constexpr std::array<options::Choice<content::TableForm>, 2> kTableForms = {
    {{"html", content::TableForm::html}, {"markdown", content::TableForm::markdown}}};

class TextCollector final : public html::PageConsumer {
 public:
  void text(std::string_view piece) override { all += piece; }
  std::string all;
};

// Escapes what could control the terminal, but keeps line feeds and tabs.
std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
    out += base::escape_for_terminal(text.substr(0, end));
    if (end < text.size()) out += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void print_fact(std::string_view name, std::string_view value) {
  if (!value.empty()) terminal::print_out("{}: {}\n", name, base::escape_for_terminal(value));
}

void print_facts(const html::PageFacts& facts) {
  print_fact("title", facts.title);
  print_fact("description", facts.description);
  print_fact("canonical", facts.canonical);
  print_fact("language", facts.language);
  for (const std::string& heading : facts.headings) print_fact("heading", heading);
  for (const auto& rule : facts.robots) {
    print_fact("robots", rule.agent + ": " + rule.content);
  }
  for (const auto& translation : facts.translations) {
    print_fact("translation", translation.language + ": " + translation.href);
  }
  for (const auto& property : facts.properties) {
    print_fact(base::escape_for_terminal(property.name), property.content);
  }
  for (const std::string& json : facts.json_ld) print_fact("json-ld", json);
  terminal::standard_output().write("\n");
}

void declare_text(options::Table& table, TextArguments& arguments) {
  table.summary("Show the visible text of a page, one line per block.");
  table.word(options::file(arguments.file), "the page; - is standard input");
  table.option("charset", charset_value(arguments.charset), "set the encoding, as a server would");
  table.flag("facts", arguments.facts, "first show title, description and other metadata");
  table.flag("main", arguments.main, "show only the main text, without navigation and comments");
  table.flag("markdown", arguments.markdown, "show the main text as Markdown");
  table.flag("images", arguments.images, "with --markdown: also show pictures");
  table.option("tables", options::choice(kTableForms, arguments.tables),
               "with --markdown: write tables with code in cells in this form");
  table.option("base", base_value(arguments.base),
               "with --markdown: resolve links against this URL of the page");
}

// Returns the main text of a page.
std::string main_text(const TextArguments& arguments, const std::string& page,
                      html::Encoding encoding) {
  const dom::Document document = dom::parse(page);
  const content::MainContent main = content::find_main_content(document);
  if (!arguments.markdown) return content::to_text(main, page.size()) + "\n";
  const url::Url* const base = arguments.base ? &*arguments.base : nullptr;
  return content::to_markdown(main, document,
                              {.place = {.url = base, .encoding = encoding},
                               .images = arguments.images,
                               .tables = arguments.tables});
}

int run_text(TextArguments& arguments) {
  if (!arguments.markdown && (arguments.images || arguments.base)) {
    return usage_error("inspect text", arguments.images ? "--images requires --markdown"
                                                        : "--base requires --markdown");
  }
  const bool is_main = arguments.main || arguments.markdown;
  DocumentFile document(arguments.file, {.transport = arguments.charset});
  TextCollector collector;
  std::string page;  // whole, for the main text
  html::PageReader reader({.links = false, .facts = arguments.facts, .text = !is_main}, collector);
  for (std::string_view piece = document.next(); !piece.empty(); piece = document.next()) {
    reader.feed(piece);
    if (is_main) page += piece;
  }
  reader.finish();
  if (!document.failure().empty()) {
    terminal::print_err("gossamer inspect text: {}: {}\n",
                        base::escape_for_terminal(arguments.file), document.failure());
    return kFailed;
  }
  if (arguments.facts) print_facts(reader.facts());
  if (is_main) {
    terminal::print_out("{}", printable(main_text(arguments, page, document.encoding())));
  } else {
    terminal::print_out("{}\n", printable(collector.all));
  }
  return kOk;
}

}  // namespace

constinit const Command text_command =
    command_of<declare_text, run_text>("inspect text", "FILE|-", "show the text of a page");

}  // namespace gossamer::cli
