// Interprets the elements of sitemaps and feeds. An XML parser feeds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "robots/sitemap.h"
#include "robots/sitemap_collector.h"

namespace gossamer::robots {

class SitemapElements {
 public:
  // Alternating names and values, ended by nullptr.
  using Attributes = const char* const*;

  SitemapElements(const SitemapOptions& options, SitemapCollector& collector)
      : collector_(collector), is_namespace_strict_(options.is_namespace_strict) {}

  // `name` may have a prefix: "image:loc".
  void start(std::string_view name, Attributes attributes);
  void end();
  void text(std::string_view text);
  // Return whether text() would have an effect, and whether it would for white space alone.
  bool wants_text() const { return field_ != Field::none && depth_ == field_depth_; }
  bool wants_blanks() const { return wants_text() && !text_.empty(); }

  // The document is truncated. The complete parts of the last entry count, and so does the last
  // text if `is_text_complete`.
  void break_off(bool is_text_complete);

  SitemapKind kind() const { return kind_; }
  std::optional<WallTime> last_modified() const { return last_modified_; }
  // Set once reading should stop: it is not a sitemap, or a bound was reached.
  std::optional<Error>& trouble() { return trouble_; }

 private:
  // The namespace of a name.
  enum class Space : std::uint8_t { own, image, video, news, xhtml, other };
  // The destination of an element's text.
  enum class Field : std::uint8_t {
    none,
    loc,
    last_modified,
    change_frequency,
    priority,
    fallback_loc,  // used as the URL if there is no other
    feed_last_modified,
    image_loc,
    image_title,
    image_caption,
    video_content_loc,
    video_player_loc,
    video_thumbnail_loc,
    video_title,
    video_description,
    video_published,
    news_publication,
    news_language,
    news_title,
    news_published,
  };
  struct FieldName {
    Space space;
    std::string_view name;
    Field field;
  };
  struct Prefix {
    std::string name;
    Space space;
  };

  void start_root(std::string_view name, Attributes attributes);
  void start_in_url_set(Space space, std::string_view name, Attributes attributes);
  void start_in_rss(Space space, std::string_view name, Attributes attributes);
  void start_in_atom(Space space, std::string_view name, Attributes attributes);
  void start_extension(Space space, std::string_view name);
  void add_alternate(Attributes attributes);

  void note_prefixes(Attributes attributes);
  Space space_of(std::string_view prefix) const;
  static Space space_of_uri(std::string_view uri);
  static Field url_set_field(Space space, std::string_view name);
  static std::string_view attribute(Attributes attributes, std::string_view name);

  void capture(Field field);
  void store();
  void store_extension(std::string_view text);
  void store_date(std::optional<WallTime>& date);
  void begin_entry();
  void end_entry();
  SitemapExtensions& extensions();

  SitemapCollector& collector_;
  bool is_namespace_strict_;
  SitemapKind kind_ = SitemapKind::unknown;
  std::optional<WallTime> last_modified_;
  std::optional<Error> trouble_;

  std::uint32_t depth_ = 0;
  std::uint32_t entry_depth_ = 0;  // depth of the entry's element; 0: outside
  std::string own_prefix_;
  std::vector<Prefix> prefixes_;

  SitemapEntry entry_;
  std::string fallback_loc_;
  Field field_ = Field::none;
  std::uint32_t field_depth_ = 0;
  std::string text_;
  bool is_spoiled_ = false;
};

}  // namespace gossamer::robots
