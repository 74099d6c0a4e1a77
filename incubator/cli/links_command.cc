#include "cli/links_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>

#include "base/escape.h"
#include "cli/command.h"
#include "cli/document_file.h"
#include "html/encoding_encoder.h"
#include "html/link_list.h"
#include "html/page_reader.h"
#include "html/resource_reader.h"
#include "html/xml_reader.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kCommand = "links";

enum class DocumentType { unknown, html, xml, css, script };

struct LinksArguments {
  std::string file;
  std::string base;
  std::optional<html::Encoding> charset;
  DocumentType type = DocumentType::unknown;
  std::vector<std::string> kinds;
  bool json = false;
  bool scripts = false;
};

std::optional<DocumentType> type_named(std::string_view name) {
  if (name == "html") return DocumentType::html;
  if (name == "xml") return DocumentType::xml;
  if (name == "css") return DocumentType::css;
  if (name == "script") return DocumentType::script;
  return std::nullopt;
}

bool is_kind(std::string_view name) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(html::LinkKind::other); ++i) {
    if (html::name(static_cast<html::LinkKind>(i)) == name) return true;
  }
  return false;
}

// The value of an option, put where it belongs. Empty: good; else what is wrong.
std::string set_option(const std::string& option, const std::string& value,
                       LinksArguments& arguments) {
  if (option == "--base") {
    if (!url::Url::parse(value)) return value + " is no URL";
    arguments.base = value;
  } else if (option == "--type") {
    const auto type = type_named(value);
    if (!type) return "--type is html, xml, css or script, not " + value;
    arguments.type = *type;
  } else if (option == "--charset") {
    arguments.charset = html::encoding_from_label(value);
    if (!arguments.charset) return "there is no encoding " + value;
  } else {
    if (!is_kind(value)) return "there is no kind of links called " + value;
    arguments.kinds.push_back(value);
  }
  return {};
}

// The arguments, or the exit code if they make no sense.
std::optional<LinksArguments> read_arguments(const std::vector<std::string>& given,
                                             int* exit_code) {
  LinksArguments arguments;
  std::string problem;
  for (std::size_t i = 0; i < given.size() && problem.empty(); ++i) {
    const std::string& argument = given[i];
    if (argument == "--json") {
      arguments.json = true;
    } else if (argument == "--scripts") {
      arguments.scripts = true;
    } else if (argument == "--base" || argument == "--type" || argument == "--charset" ||
               argument == "--kind") {
      problem = ++i == given.size() ? argument + " needs a value"
                                    : set_option(argument, given[i], arguments);
    } else if (argument.starts_with("--")) {
      problem = "there is no option " + argument;
    } else if (arguments.file.empty()) {
      arguments.file = argument;
    } else {
      problem = "one file at a time, please";
    }
  }
  if (problem.empty() && arguments.file.empty()) {
    problem = "which document? Name a file, or - for standard input";
  }
  if (problem.empty()) return arguments;
  *exit_code = usage_error(kCommand, problem);
  return std::nullopt;
}

DocumentType type_of_name(std::string_view file) {
  const std::size_t dot = file.rfind('.');
  const std::string_view ending = dot == std::string_view::npos ? "" : file.substr(dot + 1);
  if (ending == "css") return DocumentType::css;
  if (ending == "js" || ending == "mjs" || ending == "json") return DocumentType::script;
  if (ending == "rss" || ending == "atom" || ending == "rdf") return DocumentType::xml;
  if (ending == "html" || ending == "htm" || ending == "xhtml") return DocumentType::html;
  return DocumentType::unknown;
}

// What begins like a feed or another XML document that is no web page.
DocumentType type_of_text(std::string_view text) {
  const std::string_view head = text.substr(0, 1024);
  for (const std::string_view root : {"<rss", "<feed", "<rdf:RDF", "<urlset", "<sitemapindex"}) {
    if (head.find(root) != std::string_view::npos) return DocumentType::xml;
  }
  const bool is_xml = head.starts_with("<?xml");
  const bool is_page = head.find("<html") != std::string_view::npos;
  return is_xml && !is_page ? DocumentType::xml : DocumentType::html;
}

template <class Reader>
void read_all(Reader& reader, std::string_view piece, DocumentFile& document) {
  for (; !piece.empty(); piece = document.next()) reader.feed(piece);
  reader.finish();
}

void read_links(const LinksArguments& arguments, DocumentFile& document, html::LinkList& links) {
  const std::string_view first = document.next();
  DocumentType type = arguments.type;
  if (type == DocumentType::unknown) type = type_of_name(arguments.file);
  if (type == DocumentType::unknown) type = type_of_text(first);
  if (type == DocumentType::xml) {
    html::XmlReader reader(links);
    read_all(reader, first, document);
  } else if (type == DocumentType::css) {
    html::CssReader reader(links);
    read_all(reader, first, document);
  } else if (type == DocumentType::script) {
    html::ScriptReader reader(links);
    read_all(reader, first, document);
  } else {
    html::PageReader reader({.link_options = {.scripts = arguments.scripts}}, links);
    read_all(reader, first, document);
  }
}

std::string in_json(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

void print_json(const html::LinkList::Entry& entry, const std::optional<std::string>& resolved) {
  const html::Link& link = entry.link;
  fmt::print(
      "{{\"kind\": {}, \"tag\": {}, \"attribute\": {}, \"foreign\": {}, \"rel\": {}, "
      "\"url\": {}, \"raw\": {}, \"text\": {}}}\n",
      in_json(html::name(link.kind)), in_json(html::name(link.tag)),
      in_json(html::name(link.attribute)), link.is_foreign, in_json(link.rel_text),
      resolved ? in_json(*resolved) : "null", in_json(link.url), in_json(entry.text));
}

void print_line(const html::LinkList::Entry& entry, const std::optional<std::string>& resolved) {
  const html::Link& link = entry.link;
  fmt::print("{}\t{}.{}\t{}\n", html::name(link.kind), html::name(link.tag),
             html::name(link.attribute),
             base::escape_for_terminal(resolved.value_or(std::string(link.url))));
}

void print_links(const LinksArguments& arguments, const html::LinkList& links,
                 html::Encoding encoding) {
  url::Url base;
  const auto document = url::Url::parse(arguments.base.empty() ? "about:blank" : arguments.base);
  if (document) base = html::document_base(*document, links.base());
  html::Encoder encoder(encoding);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const html::LinkList::Entry entry = links[i];
    if (!arguments.kinds.empty() &&
        std::ranges::find(arguments.kinds, html::name(entry.link.kind)) == arguments.kinds.end()) {
      continue;
    }
    const auto url = url::Url::parse(entry.link.url, &base, &encoder);
    const auto resolved = url ? std::optional(url->href()) : std::nullopt;
    if (arguments.json) {
      print_json(entry, resolved);
    } else if (resolved || arguments.base.empty()) {
      print_line(entry, resolved);
    }
  }
}

}  // namespace

int run_links_command(const std::vector<std::string>& given) {
  int exit_code = kOk;
  const auto arguments = read_arguments(given, &exit_code);
  if (!arguments) return exit_code;
  html::SniffOptions options = {.transport = arguments->charset};
  if (arguments->type == DocumentType::xml || type_of_name(arguments->file) == DocumentType::xml) {
    options.kind = html::DocumentKind::xml;
    options.fallback = html::Encoding::utf_8;
  }
  DocumentFile document(arguments->file, options);
  html::LinkList links;
  read_links(*arguments, document, links);
  if (!document.failure().empty()) {
    fmt::print(stderr, "gossamer links: {}: {}\n", base::escape_for_terminal(arguments->file),
               document.failure());
    return kFailed;
  }
  print_links(*arguments, links, document.encoding());
  return kOk;
}

}  // namespace gossamer::cli
