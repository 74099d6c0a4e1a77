// A quick reader of plain XML: UTF-8, no DTD. That is what nearly all sitemaps are, and expat takes
// five times as long for them; expat reads the rest (see sitemap_xml.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "robots/sitemap_elements.h"

namespace gossamer::robots {

// Documents that are well-formed it reads as expat does (a test and a fuzzer hold them against
// each other). It forgives a few things that others make wrong: stray ampersands, bytes that are
// not UTF-8, control characters, and "]]>" in text.
//
// BOUND: holds at most a tag, of at most 64 KiB, and the names of the open elements.
class XmlScanner {
 public:
  // BORROWS: the elements, which get what is found.
  explicit XmlScanner(SitemapElements& elements) : elements_(elements) {}

  // Any sizes, also within a tag.
  void feed(std::string_view bytes);
  void finish();

  std::optional<Error>& trouble() { return trouble_; }

  // Whether it can read the document, as far as the beginning tells: not with a DTD, nor in another
  // encoding. Nothing while that is open.
  static std::optional<bool> can_read(std::string_view start, bool is_whole);

 private:
  enum class Mode : std::uint8_t { content, comment, cdata, instruction };

  // Each takes something complete off the front of `rest_`; false: it is not complete, or there is
  // trouble.
  bool take_any();
  bool take_text();
  bool take_reference();
  bool take_markup();
  bool take_until_end_of_mode();
  bool take_end_tag();
  bool take_expected_end_tag();
  bool take_start_tag();

  std::size_t find_tag_end() const;
  bool read_attributes(std::string_view text);
  bool read_attribute(std::string_view& text);
  void append_value(std::string_view value);
  bool enter(Mode mode, std::size_t size);

  void put_text(std::string_view text);
  void open(std::string_view name);
  bool close(std::string_view name);
  bool close_last();
  std::string_view last_name() const;
  bool fail(std::string_view what);

  SitemapElements& elements_;
  std::optional<Error> trouble_;
  Mode mode_ = Mode::content;
  std::string_view rest_;
  std::string held_;  // what is not complete yet
  std::uint64_t bytes_fed_ = 0;
  bool skips_newline_ = false;  // behind a carriage return
  bool has_root_ = false;

  std::string open_names_;  // of the open elements, one behind the other
  std::vector<std::size_t> open_starts_;
  std::string attribute_text_;  // names and values, each ended by a zero
  std::vector<std::size_t> attribute_starts_;
  std::vector<const char*> attribute_pointers_;
};

}  // namespace gossamer::robots
