// What a link is: where it stood and what it is for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "html/token/names.h"

namespace gossamer::html {

enum class LinkKind : std::uint8_t {
  page,       // leads the reader on: a, area, and most of <link>
  image,      // img, srcset, poster, background, icons, og:image
  script,     // script, modulepreload
  style,      // style sheets, also by @import
  media,      // video, audio, track, embed, object, og:video
  frame,      // iframe, frame
  form,       // where a form is sent
  alternate,  // the page in another language or format, feeds
  canonical,  // where the page says that it really is
  next,       // <link rel=next>
  prev,       // <link rel=prev>
  preload,    // preload, prefetch, preconnect and the like
  refresh,    // <meta http-equiv=refresh>
  asset,      // url() of a style sheet: an image, a font, a cursor
  other,      // cite, manifest, pingback: for machines
};

// "page", "image", ... Stable: it goes into records.
std::string_view name(LinkKind kind) noexcept;

// The words of a rel attribute that mean something to us.
enum class Rel : std::uint8_t {
  // What the author says about following a link.
  nofollow,
  ugc,
  sponsored,
  noopener,
  noreferrer,
  external,
  // What a <link> is.
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

// The known words of a rel attribute, in any case.
RelSet parse_rel(std::string_view rel) noexcept;

// What <link rel=...> refers to.
LinkKind kind_of_rel(RelSet rel) noexcept;

// BORROWS: the views end with the call that hands the link over.
struct Link {
  LinkKind kind = LinkKind::page;
  TagId tag = TagId::other;                    // `a`; of a style sheet file `style`
  AttributeId attribute = AttributeId::other;  // `href`; `other` for the text of <style>, <script>
  bool is_foreign = false;                     // the element is of SVG or MathML
  RelSet rel;
  std::string_view rel_text;  // as it stands in the document
  std::string_view url;       // as it stands there, references and escapes replaced; not resolved
};

}  // namespace gossamer::html
