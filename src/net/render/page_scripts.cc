#include "render/page_scripts.h"

#include <fmt/format.h>

#include <utility>

#include "base/json.h"
#include "base/json_value.h"

namespace gossamer::render {
namespace {

// Replaced: LINKS_MAX, HTML_MAX.
constexpr std::string_view kContentScript = R"((() => {
  const roots = [];
  const links = new Set(globalThis.seenLinks ?? []);
  // Hundreds of elements may share a sheet. The page is worth more than its styles.
  const texts = new Map();
  let stylesLeft = 1 << 20;
  const rules = (sheet) => {
    if (stylesLeft < 0) return '';
    if (!texts.has(sheet)) {
      try {
        texts.set(sheet, Array.from(sheet.cssRules, (rule) => rule.cssText).join('\n'));
      } catch {
        texts.set(sheet, '');
      }
    }
    stylesLeft -= texts.get(sheet).length;
    return stylesLeft < 0 ? '' : texts.get(sheet);
  };
  const collect = (root) => {
    for (const element of root.querySelectorAll('*')) {
      // Scripts make styles that are in no text.
      if (element.localName === 'style' && element.sheet && !element.textContent.trim()) {
        element.textContent = rules(element.sheet);
      }
      const shadow = element.shadowRoot;
      if (shadow) { roots.push(shadow); collect(shadow); }
      const name = element.localName;
      if (name !== 'a' && name !== 'area') continue;
      const target = typeof element.href === 'string' ? element.href : element.href?.baseVal;
      if (target && links.size < LINKS_MAX) {
        try { links.add(new URL(target, document.baseURI).href); } catch {}
      }
    }
    for (const sheet of root.adoptedStyleSheets ?? []) {
      const style = document.createElement('style');
      style.textContent = rules(sheet);
      (root.head ?? root).append(style);
    }
  };
  collect(document);
  // A browser does not show it, but who reads this may have no scripts.
  for (const element of document.querySelectorAll('noscript')) {
    const inert = document.createElement('template');
    try { inert.innerHTML = element.textContent; } catch {}
    element.replaceWith(inert);
  }
  const root = document.documentElement;
  let html = '';
  if (root) {
    const shell = root.cloneNode(false).outerHTML;
    const end = shell.lastIndexOf('</');
    html = (document.doctype ? '<!DOCTYPE html>' : '') +
      shell.slice(0, end) + root.getHTML({shadowRoots: roots}) + shell.slice(end);
  }
  return JSON.stringify({html: html.slice(0, HTML_MAX),
    cut: html.length > HTML_MAX, links: [...links]});
})())";

// Replaced: SELECTOR.
constexpr std::string_view kLookScript = R"((() => {
  const selector = SELECTOR;
  let missing = false, invalid = false;
  try { missing = selector && !document.querySelector(selector); } catch { invalid = true; }
  return JSON.stringify({complete: document.readyState === 'complete', missing, invalid,
    links: document.links.length, elements: document.getElementsByTagName('*').length});
})())";

// Replaced: LINKS_MAX. Lists that show only what is in view have other links afterwards.
constexpr std::string_view kScrollScript = R"((() => {
  const seen = globalThis.seenLinks ??= new Set();
  for (const link of document.links) if (seen.size < LINKS_MAX) seen.add(link.href);
  for (const element of document.querySelectorAll('*')) {
    if (element.scrollHeight > element.clientHeight) {
      element.scrollTo({top: element.scrollHeight, behavior: 'instant'});
    }
  }
  return '';
})())";

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
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

std::string look_script(std::string_view selector) {
  std::string script(kLookScript);
  std::string text;
  base::append_json_string(text, selector);
  replace_all(script, "SELECTOR", selector.empty() ? "null" : text);
  return script;
}

std::string scroll_script() {
  std::string script(kScrollScript);
  replace_all(script, "LINKS_MAX", fmt::format("{}", kLinksMax));
  return script;
}

Result<Look> parse_look(std::string_view json) {
  auto value = parse_answer(json);
  if (!value) return fail(std::move(value).error());
  if (is_true(*value, "invalid")) {
    return fail(Errc::invalid_argument, "the text to wait for is not a CSS selector");
  }
  return Look{.is_loaded = is_true(*value, "complete"),
              .has_selected = !is_true(*value, "missing"),
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
  const base::JsonValue* html = value->find("html");
  if (html == nullptr || html->kind != base::JsonValue::Kind::text) {
    return fail(Errc::malformed, "the browser says nothing about the page");
  }
  PageContent content = {.html = html->text, .is_cut = is_true(*value, "cut")};
  if (const base::JsonValue* links = value->find("links")) {
    for (const base::JsonValue& link : links->items) {
      if (content.links.size() == kLinksMax) break;
      content.links.push_back(link.text);
    }
  }
  return content;
}

}  // namespace gossamer::render
