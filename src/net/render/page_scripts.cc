#include "render/page_scripts.h"

#include <fmt/format.h>

#include <utility>

#include "base/json_value.h"

namespace gossamer::render {
namespace {

// Replaced: LINKS_MAX, HTML_MAX.
constexpr std::string_view kContentScript = R"((() => {
  const roots = [];
  const links = new Set();
  const collect = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const shadow = element.shadowRoot;
      if (shadow) { roots.push(shadow); collect(shadow); }
      const name = element.localName;
      if (name !== 'a' && name !== 'area') continue;
      const target = typeof element.href === 'string' ? element.href : element.href?.baseVal;
      if (target && links.size < LINKS_MAX) {
        try { links.add(new URL(target, document.baseURI).href); } catch {}
      }
    }
  };
  collect(document);
  const root = document.documentElement;
  let html = '';
  if (root) {
    const shell = root.cloneNode(false).outerHTML;
    const end = shell.lastIndexOf('</');
    html = (document.doctype ? '<!DOCTYPE html>' : '') +
      shell.slice(0, end) + root.getHTML({shadowRoots: roots}) + shell.slice(end);
  }
  return JSON.stringify({url: location.href, html: html.slice(0, HTML_MAX),
    cut: html.length > HTML_MAX, links: [...links]});
})())";

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
  }
}

Result<base::JsonValue> parse_answer(std::string_view json) {
  auto value = base::parse_json(json);
  if (!value) return fail(std::move(value).error(), "in what a page said of itself");
  return value;
}

bool is_true(const base::JsonValue& value, std::string_view name) {
  const base::JsonValue* found = value.find(name);
  return found != nullptr && found->kind == base::JsonValue::Kind::boolean && found->text == "true";
}

std::uint64_t number_of(const base::JsonValue& value, std::string_view name) {
  const base::JsonValue* found = value.find(name);
  return found == nullptr ? 0 : found->as_number().value_or(0);
}

}  // namespace

constinit const std::string_view kLookScript = R"(JSON.stringify({
  complete: document.readyState === 'complete', links: document.links.length,
  elements: document.getElementsByTagName('*').length}))";

Result<Look> parse_look(std::string_view json) {
  auto value = parse_answer(json);
  if (!value) return fail(std::move(value).error());
  return Look{.is_loaded = is_true(*value, "complete"),
              .links = number_of(*value, "links"),
              .elements = number_of(*value, "elements")};
}

std::string content_script(std::size_t html_bytes_max) {
  std::string script(kContentScript);
  replace_all(script, "LINKS_MAX", fmt::format("{}", kLinksMax));
  replace_all(script, "HTML_MAX", fmt::format("{}", html_bytes_max));
  return script;
}

Result<PageContent> parse_content(std::string_view json) {
  auto value = parse_answer(json);
  if (!value) return fail(std::move(value).error());
  PageContent content = {.url = std::string(value->text_of("url")),
                         .html = std::string(value->text_of("html")),
                         .is_cut = is_true(*value, "cut")};
  if (const base::JsonValue* links = value->find("links")) {
    for (const base::JsonValue& link : links->items) {
      if (content.links.size() == kLinksMax) break;
      content.links.push_back(link.text);
    }
  }
  return content;
}

}  // namespace gossamer::render
