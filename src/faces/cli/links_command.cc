#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/escape.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/document_file.h"
#include "html/encoding/encoder.h"
#include "html/link_list.h"
#include "html/page_reader.h"
#include "html/resource_reader.h"
#include "html/xml_reader.h"
#include "terminal/standard_output.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

enum class DocumentType { unknown, html, xml, css, script };

struct LinksArguments {
  std::string file;
  std::optional<url::Url> base;
  std::optional<html::Encoding> charset;
  DocumentType type = DocumentType::unknown;
  std::vector<std::string> kinds;
  bool json = false;
  bool scripts = false;
};

constexpr std::array<options::Choice<DocumentType>, 4> kDocumentTypes = {{
    {"html", DocumentType::html},
    {"xml", DocumentType::xml},
    {"css", DocumentType::css},
    {"script", DocumentType::script},
}};

bool is_kind(std::string_view name) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(html::LinkKind::other); ++i) {
    if (html::name(static_cast<html::LinkKind>(i)) == name) return true;
  }
  return false;
}

std::string take_kind(const std::string& value, LinksArguments& arguments) {
  if (!is_kind(value)) return "unknown kind of link " + value;
  arguments.kinds.push_back(value);
  return {};
}

void declare_links(options::Table& table, LinksArguments& arguments) {
  const auto taker = [&arguments](auto* take) {
    return [&arguments, take](const std::string& value) { return take(value, arguments); };
  };
  table.summary("List the links of a document: kind, element and attribute, URL.");
  table.word(options::file(arguments.file), "the document; - is standard input");
  table.option("base", base_value(arguments.base),
               "resolve links against this URL of the document");
  table.flag("json", arguments.json, "print one JSON object per line, with rel and anchor text");
  table.option("type", options::choice(kDocumentTypes, arguments.type),
               "set the type instead of guessing it from name and content");
  table.option("charset", charset_value(arguments.charset), "set the encoding, as a server would");
  table.repeated("kind", options::custom("KIND", taker(take_kind)),
                 "list only links of this kind; may be repeated");
  table.flag("scripts", arguments.scripts, "also list URLs that scripts seem to contain");
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

// True if the text begins like a feed or another XML document that is not a web page.
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

void print_json(const html::LinkList::Entry& entry, const std::optional<std::string>& resolved) {
  const html::Link& link = entry.link;
  base::JsonLine line;
  line.text("kind", html::name(link.kind));
  line.text("tag", html::name(link.tag));
  line.text("attribute", html::name(link.attribute));
  line.boolean("foreign", link.is_foreign);
  line.text("rel", link.rel_text);
  if (resolved) {
    line.text("url", *resolved);
  } else {
    line.null("url");
  }
  line.text("raw", link.url);
  line.text("text", entry.text);
  terminal::print_out("{}\n", line.finish());
}

void print_line(const html::LinkList::Entry& entry, const std::optional<std::string>& resolved) {
  const html::Link& link = entry.link;
  const std::string_view attribute = html::name(link.attribute);
  terminal::print_out("{}\t{}{}{}\t{}\n", html::name(link.kind), html::name(link.tag),
                      attribute.empty() ? "" : ".", attribute,
                      base::escape_for_terminal(resolved.value_or(std::string(link.url))));
}

// Without --base, only a <base> with an absolute URL gives the document's URL.
std::optional<url::Url> base_of(const LinksArguments& arguments, const html::LinkList& links) {
  if (arguments.base) return html::document_base(*arguments.base, links.base());
  auto base = url::Url::parse(links.base().value_or(""));
  if (!base) return std::nullopt;
  return std::move(*base);
}

void print_links(const LinksArguments& arguments, const html::LinkList& links,
                 html::Encoding encoding) {
  const std::optional<url::Url> base = base_of(arguments, links);
  html::Encoder encoder(encoding);
  for (std::size_t i = 0; i < links.size() && !terminal::standard_output().failure(); ++i) {
    const html::LinkList::Entry entry = links[i];
    if (!arguments.kinds.empty() &&
        std::ranges::find(arguments.kinds, html::name(entry.link.kind)) == arguments.kinds.end()) {
      continue;
    }
    const auto url = url::Url::parse(entry.link.url, base ? &*base : nullptr, &encoder);
    const auto resolved = url ? std::optional(url->href()) : std::nullopt;
    if (arguments.json) {
      print_json(entry, resolved);
    } else if (resolved || !arguments.base) {
      print_line(entry, resolved);
    }
  }
}

int run_links(LinksArguments& arguments) {
  html::SniffOptions sniffing = {.transport = arguments.charset};
  if (arguments.type == DocumentType::xml || type_of_name(arguments.file) == DocumentType::xml) {
    sniffing.kind = html::DocumentKind::xml;
  }
  DocumentFile document(arguments.file, sniffing);
  html::LinkList links;
  read_links(arguments, document, links);
  if (!document.failure().empty()) {
    terminal::print_err("gossamer inspect links: {}: {}\n",
                        base::escape_for_terminal(arguments.file), document.failure());
    return kFailed;
  }
  print_links(arguments, links, document.encoding());
  return kOk;
}

}  // namespace

constinit const Command links_command = command_of<declare_links, run_links>(
    "inspect links", "FILE|- [--base URL] [--json]", "list the links of a page");

}  // namespace gossamer::cli
