// The element and attribute names that Gossamer uses, as small numbers. Any other name has the
// number `other`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::html {

// Each list is written once, so that numbers and spellings cannot drift apart: N(id), or S(id,
// "spelling").
// clang-format off
#define GOSSAMER_HTML_TAGS(N, S)                                                                  \
  /* Tags that change how the tokenizer reads on, or where we are in the document. */             \
  N(script) N(style) N(title) N(textarea) N(iframe) N(noembed) N(noframes) N(noscript) N(xmp)     \
  N(plaintext) S(template_, "template") N(svg) N(math) N(frameset) N(head) N(body) N(html)        \
  N(select)                                                                                       \
  /* Elements with links. */                                                                      \
  N(a) N(area) N(link) N(img) N(image) N(source) N(video) N(audio) N(track) N(embed) N(object)    \
  N(frame) N(form) N(input) N(button) N(base) N(meta) N(blockquote) N(q) N(del) N(ins)            \
  /* Blocks: the text before and after them stands apart. */                                      \
  N(address) N(article) N(aside) N(br) N(caption) N(center) N(dd) N(details) N(dialog) N(dir)     \
  N(div) N(dl) N(dt) N(fieldset) N(figcaption) N(figure) N(footer) N(h1) N(h2) N(h3) N(h4) N(h5)  \
  N(h6) N(header) N(hgroup) N(hr) N(legend) N(li) N(listing) N(main) N(menu) N(nav) N(ol)         \
  N(optgroup) N(option) N(p) N(pre) N(search) N(section) N(summary) N(table) N(tbody) N(td)       \
  N(tfoot) N(th) N(thead) N(tr) N(ul)                                                             \
  /* Elements whose start tag ends foreign content. */                                            \
  N(b) N(big) N(code) N(em) N(i) N(nobr) N(ruby) N(s) N(small) N(span) N(strong) N(strike) N(sub) \
  N(sup) N(tt) N(u) N(var) N(font)                                                                \
  /* Names of SVG and MathML with a say in where foreign content ends. */                         \
  N(foreignobject) N(desc) N(mi) N(mo) N(mn) N(ms) N(mtext) S(annotation_xml, "annotation-xml")   \
  N(mglyph) N(malignmark) N(text) N(tspan) N(textpath)                                            \
  /* Elements without content, which no end tag ends. */                                          \
  N(col) N(param) N(wbr) N(keygen)                                                                \
  /* Other names with rules of their own in a tree. */                                            \
  N(applet) N(marquee) N(basefont) N(bgsound) N(colgroup) N(rb) N(rp) N(rt) N(rtc)                \
  /* Feeds and other XML. */                                                                      \
  N(rss) N(feed) N(rdf) N(channel) N(item) N(entry) N(enclosure) N(guid) N(comments) N(url)       \
  N(loc) N(icon) N(logo) N(uri) N(docs) N(content)

#define GOSSAMER_HTML_ATTRIBUTES(N, S)                                                            \
  N(href) N(src) N(srcset) N(imagesrcset) N(data) N(action) N(formaction) N(cite) N(background)   \
  N(poster) N(longdesc) N(rel) N(type) N(style) N(content) N(name) N(property) N(itemprop)        \
  S(http_equiv, "http-equiv") N(charset) N(lang) N(hreflang) N(media) N(title) N(as)              \
  S(xlink_href, "xlink:href") N(encoding) N(color) N(face) N(size) S(xml_base, "xml:base")        \
  S(xml_lang, "xml:lang") N(url) N(ispermalink) N(xmlns) N(srcdoc) N(shadowrootmode)              \
  /* Where scripts that load images late keep their URLs. */                                      \
  S(data_src, "data-src") S(data_srcset, "data-srcset") S(data_lazy_src, "data-lazy-src")         \
  S(data_lazy_srcset, "data-lazy-srcset") S(data_original, "data-original")                       \
  S(data_poster, "data-poster") S(data_bg, "data-bg") S(data_background, "data-background")       \
  S(data_background_image, "data-background-image")
// clang-format on

#define GOSSAMER_HTML_NAME(id) id,
#define GOSSAMER_HTML_SPELLED(id, spelling) id,
enum class TagId : std::uint8_t {
  other,
  GOSSAMER_HTML_TAGS(GOSSAMER_HTML_NAME, GOSSAMER_HTML_SPELLED)
};
enum class AttributeId : std::uint8_t {
  other,
  GOSSAMER_HTML_ATTRIBUTES(GOSSAMER_HTML_NAME, GOSSAMER_HTML_SPELLED)
};
#undef GOSSAMER_HTML_NAME
#undef GOSSAMER_HTML_SPELLED

#define GOSSAMER_HTML_NAME(id) #id,
#define GOSSAMER_HTML_SPELLED(id, spelling) spelling,
// In lower case, by number; the first, for `other`, is empty.
inline constexpr auto kTagNames = std::to_array<std::string_view>(
    {"", GOSSAMER_HTML_TAGS(GOSSAMER_HTML_NAME, GOSSAMER_HTML_SPELLED)});
inline constexpr auto kAttributeNames = std::to_array<std::string_view>(
    {"", GOSSAMER_HTML_ATTRIBUTES(GOSSAMER_HTML_NAME, GOSSAMER_HTML_SPELLED)});
#undef GOSSAMER_HTML_NAME
#undef GOSSAMER_HTML_SPELLED

static_assert(kTagNames.size() <= 255);
static_assert(kAttributeNames.size() <= 64, "sets of attributes are 64 bits");

constexpr std::string_view name(TagId id) noexcept {
  return kTagNames[static_cast<std::size_t>(id)];
}
constexpr std::string_view name(AttributeId id) noexcept {
  return kAttributeNames[static_cast<std::size_t>(id)];
}

// Returns the number of a name in any case.
TagId tag_id(std::string_view name) noexcept;
AttributeId attribute_id(std::string_view name) noexcept;

// A set of attributes; the member `other` means all that have no number.
using AttributeSet = std::uint64_t;

template <class... Ids>
constexpr AttributeSet set_of(Ids... ids) noexcept {
  return (AttributeSet{0} | ... | (AttributeSet{1} << static_cast<unsigned>(ids)));
}
constexpr bool contains(AttributeSet set, AttributeId id) noexcept {
  return (set >> static_cast<unsigned>(id) & 1) != 0;
}
inline constexpr AttributeSet kAllAttributes = ~AttributeSet{0};

}  // namespace gossamer::html
