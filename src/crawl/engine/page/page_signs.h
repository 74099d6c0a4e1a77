// Decides which pages need a browser, by what they are without one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gossamer::crawler {

// What a page shows before its scripts have run.
struct PageSigns {
  std::size_t text_bytes = 0;  // visible
  std::size_t links = 0;       // to pages
  bool has_scripts = false;    // other than data
  bool leads_away = false;     // it is made of frames, or refreshes to another page
  bool has_hint = false;       // it asks its readers to switch scripts on
};

// A page with more links shows something.
inline constexpr std::size_t kShellLinksMax = 30;

// Returns whether the page, in UTF-8, has scripts other than data. Much faster than read_signs().
bool has_scripts(std::string_view html);
// Returns whether the page, in UTF-8, certainly has more text than one that needs a browser. Reads
// no further than it must.
bool shows_much(std::string_view html);
// The same for a whole page: less text is enough if it does not name JavaScript.
bool shows_enough(std::string_view html, bool has_links);
// Reads a page, in UTF-8.
PageSigns read_signs(std::string_view html);

// Returns why the page needs a browser: kRenderedEmpty or kRenderedHint; empty: it does not.
std::string_view reason_to_render(const PageSigns& signs) noexcept;

// Returns whether rendering added links or text.
bool has_gained(const PageSigns& before, const PageSigns& after) noexcept;

// Remembers where rendering adds nothing. If it added nothing to the last kTriesMax pages of a
// pattern (record/rendering.h) or to the last kHostTriesMax of a host, a browser gets one of
// kRecheck of their pages.
class RenderExperience {
 public:
  static constexpr std::uint32_t kTriesMax = 5;
  static constexpr std::uint32_t kHostTriesMax = 20;
  static constexpr std::uint32_t kRecheck = 20;
  // BOUND: hosts and patterns. Beyond it, all are forgotten.
  static constexpr std::size_t kPlacesMax = 10'000;

  // Call it for each page that seems to need a browser.
  bool is_worth(std::string_view url);
  void note(std::string_view url, bool gained);

 private:
  std::uint32_t in_vain(const std::string& place) const;
  void note_place(const std::string& place, bool gained);

  std::unordered_map<std::string, std::uint32_t> in_vain_;   // since a page of the place gained
  std::unordered_map<std::string, std::uint32_t> left_out_;  // by host
};

}  // namespace gossamer::crawler
