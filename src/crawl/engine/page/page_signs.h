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
  bool has_hint = false;       // it asks its readers to switch scripts on
};

// Reads a page, in UTF-8.
PageSigns read_signs(std::string_view html);

// Returns why the page needs a browser: kRenderedEmpty or kRenderedHint; empty: it does not.
std::string_view reason_to_render(const PageSigns& signs) noexcept;

// Returns whether rendering added links or text.
bool has_gained(const PageSigns& before, const PageSigns& after) noexcept;

// Remembers where rendering adds nothing. A host that has had kTriesMax such pages gets a
// browser for one page of kRecheck.
class RenderExperience {
 public:
  static constexpr std::uint32_t kTriesMax = 5;
  static constexpr std::uint32_t kRecheck = 20;
  // BOUND: hosts. Beyond it, all are forgotten.
  static constexpr std::size_t kHostsMax = 10'000;

  // Call it for each page that seems to need a browser.
  bool is_worth(std::string_view host);
  void note(std::string_view host, bool gained);

 private:
  struct Host {
    std::uint32_t in_vain = 0;  // since a page gained something
    std::uint32_t left_out = 0;
  };
  std::unordered_map<std::string, Host> hosts_;
};

}  // namespace gossamer::crawler
