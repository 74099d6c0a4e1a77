#include "robots/sitemap_elements.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "robots/date.h"
#include "robots/xml_reference.h"

namespace gossamer::robots {
namespace {

// Longer texts are cut, and a URL that was cut is invalid.
constexpr std::size_t kTextBytesMax = 64 * 1024;
// No sitemap needs more; the parser's memory grows with it.
constexpr std::uint32_t kDepthMax = 1000;
constexpr std::size_t kPrefixesMax = 64;
// Per kind and entry. The protocol allows 1000 images.
constexpr std::size_t kExtensionsMax = 1000;

ChangeFrequency frequency_of(std::string_view text) {
  for (int i = 1; i <= static_cast<int>(ChangeFrequency::never); ++i) {
    const auto frequency = static_cast<ChangeFrequency>(i);
    if (std::ranges::equal(text, name(frequency), {}, base::to_lower)) return frequency;
  }
  return ChangeFrequency::none;
}

float priority_of(std::string_view text) {
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_priority = error == std::errc() && value >= 0 && value <= 1;
  return is_priority ? value : SitemapEntry().priority;
}

// Names are so short that calling memchr does not pay.
std::size_t find_colon(std::string_view name) {
  std::size_t at = 0;
  while (at < name.size() && name[at] != ':') ++at;
  return at;
}

constexpr std::array<std::string_view, 4> kSitemapNamespaces = {
    "http://www.sitemaps.org/schemas/sitemap/0.9", "https://www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.google.com/schemas/sitemap/0.84", "http://www.google.com/schemas/sitemap/0.90"};

}  // namespace

void SitemapElements::start(std::string_view name, Attributes attributes) {
  if (++depth_ > kDepthMax) {
    trouble_.emplace(Errc::over_limit, "sitemap: elements are nested too deeply");
    return;
  }
  if (*attributes != nullptr) note_prefixes(attributes);
  if (depth_ == 1) return start_root(name, attributes);

  // A name without a prefix belongs to the sitemap namespace even if the root has a prefix; sloppy
  // generators mix them.
  const std::size_t colon = find_colon(name);
  Space space = Space::own;
  std::string_view local = name;
  if (colon < name.size()) {
    const std::string_view prefix = name.substr(0, colon);
    local.remove_prefix(colon + 1);
    if (prefix != own_prefix_) space = space_of(prefix);
  }
  switch (kind_) {
    case SitemapKind::rss: return start_in_rss(space, local, attributes);
    case SitemapKind::atom: return start_in_atom(space, local, attributes);
    default: return start_in_url_set(space, local, attributes);
  }
}

void SitemapElements::start_root(std::string_view name, Attributes attributes) {
  const std::size_t colon = name.find(':');
  if (colon != std::string_view::npos) own_prefix_ = name.substr(0, colon);
  const std::string_view local = colon == std::string_view::npos ? name : name.substr(colon + 1);
  if (local == "urlset") kind_ = SitemapKind::url_set;
  if (local == "sitemapindex") kind_ = SitemapKind::index;
  if (local == "rss") kind_ = SitemapKind::rss;
  if (local == "feed") kind_ = SitemapKind::atom;
  if (local == "RDF") {
    kind_ = SitemapKind::rss;
    own_prefix_.clear();  // this was the prefix of RDF
  }
  if (kind_ == SitemapKind::unknown) {
    trouble_.emplace(Errc::malformed, "not a sitemap: the root element is <" +
                                          std::string(name.substr(0, 40)) + ">");
    return;
  }
  if (!is_namespace_strict_ || (kind_ != SitemapKind::url_set && kind_ != SitemapKind::index))
    return;
  const std::string declaration = own_prefix_.empty() ? "xmlns" : "xmlns:" + own_prefix_;
  const std::string_view uri = attribute(attributes, declaration);
  if (std::ranges::find(kSitemapNamespaces, uri) == kSitemapNamespaces.end()) {
    kind_ = SitemapKind::unknown;
    trouble_.emplace(Errc::malformed, "not a sitemap: the root element has another namespace");
  }
}

void SitemapElements::start_in_url_set(Space space, std::string_view name, Attributes attributes) {
  if (space == Space::own && (name == "url" || name == "sitemap")) {
    begin_entry();
    return capture(Field::fallback_loc);  // some generators omit the <loc>
  }
  if (space == Space::xhtml && name == "link") return add_alternate(attributes);
  const Field field = url_set_field(space, name);
  // The entry has no end tag: the next URL starts the next entry.
  if (field == Field::loc && !entry_.loc.empty()) {
    end_entry();
    entry_depth_ = depth_ - 1;
  }
  if (field != Field::none) {
    capture(field);
  } else if (space != Space::own && space != Space::other) {
    start_extension(space, name);
  }
}

SitemapElements::Field SitemapElements::url_set_field(Space space, std::string_view name) {
  static constexpr std::array<FieldName, 17> kFields = {{
      {Space::own, "loc", Field::loc},
      {Space::own, "lastmod", Field::last_modified},
      {Space::own, "changefreq", Field::change_frequency},
      {Space::own, "priority", Field::priority},
      {Space::image, "loc", Field::image_loc},
      {Space::image, "title", Field::image_title},
      {Space::image, "caption", Field::image_caption},
      {Space::video, "content_loc", Field::video_content_loc},
      {Space::video, "player_loc", Field::video_player_loc},
      {Space::video, "thumbnail_loc", Field::video_thumbnail_loc},
      {Space::video, "title", Field::video_title},
      {Space::video, "description", Field::video_description},
      {Space::video, "publication_date", Field::video_published},
      {Space::news, "name", Field::news_publication},
      {Space::news, "language", Field::news_language},
      {Space::news, "title", Field::news_title},
      {Space::news, "publication_date", Field::news_published},
  }};
  for (const FieldName& entry : kFields) {
    if (entry.space > space) break;  // the table is sorted
    if (entry.space == space && entry.name == name) return entry.field;
  }
  return Field::none;
}

void SitemapElements::start_extension(Space space, std::string_view name) {
  if (entry_depth_ == 0) return;
  if (space == Space::image && name == "image" && extensions().images.size() < kExtensionsMax) {
    extensions().images.emplace_back();
  }
  if (space == Space::video && name == "video" && extensions().videos.size() < kExtensionsMax) {
    extensions().videos.emplace_back();
  }
  if (space == Space::news && name == "news" && !extensions().news) extensions().news.emplace();
}

void SitemapElements::add_alternate(Attributes attributes) {
  if (entry_depth_ == 0 || attribute(attributes, "rel") != "alternate") return;
  if (extensions().alternates.size() >= kExtensionsMax) return;
  if (const auto href = collector_.spell(attribute(attributes, "href"))) {
    extensions().alternates.push_back(
        {std::string(attribute(attributes, "hreflang")), std::string(*href)});
  }
}

// RSS 2.0: <channel><item>; RSS 1.0: <rdf:RDF><item>.
void SitemapElements::start_in_rss(Space space, std::string_view name, Attributes attributes) {
  if (space == Space::own && name == "item") {
    begin_entry();
    fallback_loc_ = attribute(attributes, "rdf:about");
    return;
  }
  const bool is_date =
      (space == Space::own && name == "pubDate") || (space == Space::other && name == "date");
  if (entry_depth_ == 0) {
    if (is_date && depth_ == 3) capture(Field::feed_last_modified);
    return;
  }
  if (depth_ != entry_depth_ + 1) return;
  if (is_date) capture(Field::last_modified);
  if (space != Space::own) return;
  if (name == "link") capture(Field::loc);
  if (name == "guid" && attribute(attributes, "isPermaLink") != "false") {
    capture(Field::fallback_loc);
  }
}

void SitemapElements::start_in_atom(Space space, std::string_view name, Attributes attributes) {
  if (space != Space::own) return;
  if (name == "entry") return begin_entry();
  if (name == "updated" && entry_depth_ == 0 && depth_ == 2) capture(Field::feed_last_modified);
  if (entry_depth_ == 0 || depth_ != entry_depth_ + 1) return;
  if (name == "link") {
    const std::string_view rel = attribute(attributes, "rel");
    if ((rel.empty() || rel == "alternate") && entry_.loc.empty()) {
      entry_.loc = attribute(attributes, "href");
    }
  }
  const bool is_date =
      name == "updated" || name == "modified" || (name == "published" && !entry_.last_modified);
  if (is_date) capture(Field::last_modified);
}

void SitemapElements::end() {
  if (field_ != Field::none && depth_ == field_depth_) store();
  if (depth_ == entry_depth_) {
    end_entry();
    entry_depth_ = 0;
  }
  if (depth_ > 0) --depth_;
}

void SitemapElements::text(std::string_view text) {
  if (!wants_text()) return;
  const std::size_t room = kTextBytesMax - text_.size();
  if (text.size() > room) is_spoiled_ = true;
  text_.append(text.substr(0, room));
}

void SitemapElements::capture(Field field) {
  field_ = field;
  field_depth_ = depth_;
  text_.clear();
  is_spoiled_ = false;
}

void SitemapElements::store_date(std::optional<WallTime>& date) {
  if (const auto read = parse_date(trim_unicode(text_))) date = read;
}

void SitemapElements::store() {
  const std::string_view text = trim_unicode(text_);
  const Field field = std::exchange(field_, Field::none);
  if (is_spoiled_ || text.contains(kEntityMark)) return;
  switch (field) {
    case Field::loc: entry_.loc = text; break;
    case Field::fallback_loc: fallback_loc_ = text; break;
    case Field::last_modified: store_date(entry_.last_modified); break;
    case Field::feed_last_modified: store_date(last_modified_); break;
    case Field::change_frequency: entry_.change_frequency = frequency_of(text); break;
    case Field::priority: entry_.priority = priority_of(text); break;
    default:
      field_ = field;
      if (entry_depth_ != 0) store_extension(text);
      field_ = Field::none;
      break;
  }
}

void SitemapElements::store_extension(std::string_view text) {
  SitemapExtensions& all = extensions();
  const auto url = [&] { return std::string(collector_.spell(text).value_or("")); };
  if (field_ <= Field::image_caption) {
    if (all.images.empty()) all.images.emplace_back();
    SitemapImage& image = all.images.back();
    if (field_ == Field::image_loc) image.loc = url();
    if (field_ == Field::image_title) image.title = text;
    if (field_ == Field::image_caption) image.caption = text;
  } else if (field_ <= Field::video_published) {
    if (all.videos.empty()) all.videos.emplace_back();
    SitemapVideo& video = all.videos.back();
    if (field_ == Field::video_content_loc) video.content_loc = url();
    if (field_ == Field::video_player_loc) video.player_loc = url();
    if (field_ == Field::video_thumbnail_loc) video.thumbnail_loc = url();
    if (field_ == Field::video_title) video.title = text;
    if (field_ == Field::video_description) video.description = text;
    if (field_ == Field::video_published) store_date(video.published);
  } else {
    if (!all.news) all.news.emplace();
    if (field_ == Field::news_publication) all.news->publication_name = text;
    if (field_ == Field::news_language) all.news->language = text;
    if (field_ == Field::news_title) all.news->title = text;
    if (field_ == Field::news_published) store_date(all.news->published);
  }
}

SitemapExtensions& SitemapElements::extensions() {
  if (!entry_.extensions) entry_.extensions = std::make_unique<SitemapExtensions>();
  return *entry_.extensions;
}

void SitemapElements::begin_entry() {
  end_entry();
  entry_depth_ = depth_;
}

// Passes the entry on, if it has a URL, and starts another.
void SitemapElements::end_entry() {
  if (entry_.loc.empty()) entry_.loc = std::move(fallback_loc_);
  if (!entry_.loc.empty()) {
    collector_.put(std::move(entry_), kind_ == SitemapKind::index);
    if (collector_.is_over()) {
      trouble_.emplace(Errc::over_limit, "sitemap: too many entries");
    }
  }
  entry_ = SitemapEntry();
  fallback_loc_.clear();
}

void SitemapElements::break_off(bool is_text_complete) {
  if (field_ != Field::none && is_text_complete) store();
  field_ = Field::none;
  if (entry_depth_ != 0 || !entry_.loc.empty()) end_entry();
}

// A namespace declaration counts for the whole document. That is wrong only if one prefix has two
// meanings, and it tolerates declarations that come too late.
void SitemapElements::note_prefixes(Attributes attributes) {
  for (; *attributes != nullptr; attributes += 2) {
    const std::string_view name = attributes[0];
    if (!name.starts_with("xmlns:") || prefixes_.size() >= kPrefixesMax) continue;
    const Space space = space_of_uri(attributes[1]);
    prefixes_.push_back({std::string(name.substr(6)), space});
  }
}

SitemapElements::Space SitemapElements::space_of_uri(std::string_view uri) {
  if (uri.contains("sitemap-image")) return Space::image;
  if (uri.contains("sitemap-video")) return Space::video;
  if (uri.contains("sitemap-news")) return Space::news;
  if (uri.ends_with("/xhtml")) return Space::xhtml;
  if (uri.contains("/schemas/sitemap/")) return Space::own;
  return Space::other;
}

SitemapElements::Space SitemapElements::space_of(std::string_view prefix) const {
  for (const Prefix& known : prefixes_) {
    if (known.name == prefix) return known.space;
  }
  // XML forbids undeclared prefixes, but this name is clear.
  if (prefix == "image") return Space::image;
  if (prefix == "video") return Space::video;
  if (prefix == "news") return Space::news;
  if (prefix == "xhtml") return Space::xhtml;
  return Space::other;
}

std::string_view SitemapElements::attribute(Attributes attributes, std::string_view name) {
  for (; *attributes != nullptr; attributes += 2) {
    if (name != attributes[0]) continue;
    const std::string_view value = attributes[1];
    return value.contains(kEntityMark) ? std::string_view() : value;
  }
  return {};
}

}  // namespace gossamer::robots
