// A link: where it was found and what it is for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "html/token/names.h"

namespace gossamer::html {

enum class LinkKind : std::uint8_t {
  page,       // navigation: a, area, and most of <link>
  image,      // img, srcset, poster, background, icons, og:image
  script,     // script, modulepreload
  style,      // style sheets, also by @import
  media,      // video, audio, track, embed, object, og:video
  frame,      // iframe, frame
  form,       // the target of a form
  alternate,  // the page in another language or format, feeds
  canonical,  // the URL that the page declares as its real one
  next,       // <link rel=next>
  prev,       // <link rel=prev>
  preload,    // preload, prefetch, preconnect and the like
  refresh,    // <meta http-equiv=refresh>
  asset,      // url() of a style sheet: an image, a font, a cursor; the manifest of an application
  data,       // a URL in the data of a page: JSON for its scripts (data_urls.h)
  other,      // cite, pingback: for machines
};

// Returns "page", "image", ... The names are stable, because records contain them.
std::string_view name(LinkKind kind) noexcept;

// The words of a rel attribute that Gossamer uses.
enum class Rel : std::uint8_t {
  // How the author qualifies a link.
  nofollow,
  ugc,
  sponsored,
  noopener,
  noreferrer,
  external,
  // The meaning of a <link>.
  alternate,
  canonical,
  next,
  prev,
  stylesheet,
  icon,
  preload,
  prefetch,
  preconnect,
  dns_prefetch,
  modulepreload,
  manifest,
  pingback,
  amphtml,
  edituri,
  wlwmanifest,
};

// A set of Rel.
class RelSet {
 public:
  constexpr RelSet() = default;
  constexpr bool has(Rel rel) const noexcept {
    return (bits_ >> static_cast<unsigned>(rel) & 1) != 0;
  }
  constexpr void add(Rel rel) noexcept { bits_ |= 1U << static_cast<unsigned>(rel); }
  constexpr bool empty() const noexcept { return bits_ == 0; }

 private:
  std::uint32_t bits_ = 0;
};

// Returns the known words of a rel attribute, in any case.
RelSet parse_rel(std::string_view rel) noexcept;

// Returns the kind of resource that <link rel=...> refers to.
LinkKind kind_of_rel(RelSet rel) noexcept;

// BORROWS: the views are valid during the call that passes the link.
struct Link {
  LinkKind kind = LinkKind::page;
  TagId tag = TagId::other;                    // `a`; `style` for a style sheet file
  AttributeId attribute = AttributeId::other;  // `href`; `other` for the text of <style>, <script>
  bool is_foreign = false;                     // the element is of SVG or MathML
  RelSet rel;
  std::string_view rel_text;  // as written in the document
  std::string_view url;       // as written, with references and escapes decoded; not resolved
};

// Returns whether the link is a string that looks like a URL, in a script (script_urls.h) or in the
// data of a page.
constexpr bool is_guess(const Link& link) noexcept {
  const bool is_of_script = link.kind == LinkKind::other && link.tag == TagId::script &&
                            link.attribute == AttributeId::other;
  return is_of_script || link.kind == LinkKind::data;
}

}  // namespace gossamer::html
