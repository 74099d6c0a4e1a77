#include "html/links/link.h"

#include <algorithm>
#include <array>

#include "html/token/ascii.h"

namespace gossamer::html {
namespace {

constexpr std::array<std::string_view, 16> kKindNames = {
    "page",      "image", "script", "style",   "media",   "frame", "form", "alternate",
    "canonical", "next",  "prev",   "preload", "refresh", "asset", "data", "other"};
static_assert(kKindNames.size() == static_cast<std::size_t>(LinkKind::other) + 1);

struct RelWord {
  std::string_view word;
  Rel rel;
};
constexpr RelWord kRelWords[] = {
    {"nofollow", Rel::nofollow},
    {"ugc", Rel::ugc},
    {"sponsored", Rel::sponsored},
    {"noopener", Rel::noopener},
    {"noreferrer", Rel::noreferrer},
    {"external", Rel::external},
    {"alternate", Rel::alternate},
    {"canonical", Rel::canonical},
    {"next", Rel::next},
    {"prev", Rel::prev},
    {"previous", Rel::prev},
    {"stylesheet", Rel::stylesheet},
    {"icon", Rel::icon},
    {"apple-touch-icon", Rel::icon},
    {"apple-touch-icon-precomposed", Rel::icon},
    {"mask-icon", Rel::icon},
    {"fluid-icon", Rel::icon},
    {"image_src", Rel::icon},
    {"preload", Rel::preload},
    {"prefetch", Rel::prefetch},
    {"prerender", Rel::prefetch},
    {"preconnect", Rel::preconnect},
    {"dns-prefetch", Rel::dns_prefetch},
    {"modulepreload", Rel::modulepreload},
    {"manifest", Rel::manifest},
    {"pingback", Rel::pingback},
    {"amphtml", Rel::amphtml},
    {"edituri", Rel::edituri},
    {"wlwmanifest", Rel::wlwmanifest},
};

}  // namespace

std::string_view name(LinkKind kind) noexcept { return kKindNames[static_cast<std::size_t>(kind)]; }

RelSet parse_rel(std::string_view rel) noexcept {
  RelSet set;
  for_each_word(rel, [&](std::string_view word) {
    for (const RelWord& known : kRelWords) {
      if (equals_ignoring_case(word, known.word)) set.add(known.rel);
    }
  });
  return set;
}

LinkKind kind_of_rel(RelSet rel) noexcept {
  // "alternate stylesheet" is a style sheet, so that word is tested first.
  if (rel.has(Rel::stylesheet)) return LinkKind::style;
  if (rel.has(Rel::canonical)) return LinkKind::canonical;
  if (rel.has(Rel::icon)) return LinkKind::image;
  if (rel.has(Rel::alternate) || rel.has(Rel::amphtml)) return LinkKind::alternate;
  if (rel.has(Rel::next)) return LinkKind::next;
  if (rel.has(Rel::prev)) return LinkKind::prev;
  if (rel.has(Rel::modulepreload)) return LinkKind::script;
  if (rel.has(Rel::preload) || rel.has(Rel::prefetch) || rel.has(Rel::preconnect) ||
      rel.has(Rel::dns_prefetch)) {
    return LinkKind::preload;
  }
  if (rel.has(Rel::manifest)) return LinkKind::asset;
  if (rel.has(Rel::pingback) || rel.has(Rel::edituri) || rel.has(Rel::wlwmanifest)) {
    return LinkKind::other;
  }
  return LinkKind::page;
}

}  // namespace gossamer::html
