// What the class and id of an element say about its contents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::content {

// The names that authors give to elements are no standard, but many sites use the same words.
struct NameHints {
  bool is_content = false;  // "article-body", "entry", "main"
  bool is_extra = false;    // "sidebar", "comments", "share": hardly ever part of the text
  bool is_weak = false;     // "meta", "tags", "author": not part of the text if it is small
  bool is_comment = false;  // what readers wrote
  int weight = 0;           // like is_content and is_weak, for scores: -25, 0, 25 or sums of these
};

// Reads the names of the elements of a page. Pages repeat them, so meanings are remembered.
// Time is linear in the names, of which the first 512 bytes count.
class NameReader {
 public:
  // Adds what a class or an id says. BORROWS: the name, for as long as the reader is used.
  void add_hints(std::string_view name, NameHints& hints);

 private:
  struct Known {
    std::string_view name;
    std::uint8_t meanings = 0;
  };
  static constexpr std::size_t kKnownMax = 64;

  std::array<Known, kKnownMax> known_ = {};  // by a hash of the name; the last one stays
};

}  // namespace gossamer::content
