// The footnotes of a page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "content/main_content.h"

namespace gossamer::content {

// Finds links that say that they lead to notes, by their role or class. A note is a short text in
// one place after the links to it. Time is linear. BORROWS: the content.
class Footnotes {
 public:
  struct Note {
    std::string label;
    std::uint32_t body = kNoItem;                // the element with its text
    std::unordered_set<std::string_view> backs;  // fragments of links back
  };

  explicit Footnotes(const MainContent& content);

  // Returns the note that the link at a place of the outline leads to; nullptr: none.
  const Note* reference_at(std::uint32_t at) const { return find(references_, at); }
  // Returns the note that the element at a place of the outline is; nullptr: none.
  const Note* note_at(std::uint32_t at) const { return find(definitions_, at); }

 private:
  struct Link {
    std::uint32_t at = kNoItem;
    std::string_view target;  // a fragment
  };
  using Places = std::unordered_map<std::string_view, std::uint32_t>;

  const Note* find(const std::unordered_map<std::uint32_t, std::size_t>& places,
                   std::uint32_t at) const {
    const auto found = places.find(at);
    return found == places.end() ? nullptr : &notes_[found->second];
  }
  std::vector<Link> find_links() const;
  Places find_targets(const std::vector<Link>& links) const;
  void add(const Link& link, std::uint32_t target);
  std::uint32_t block_of(std::uint32_t at) const;
  std::uint32_t body_of(std::uint32_t block) const;
  bool is_written(std::uint32_t block) const;
  bool is_simple(std::uint32_t body) const;
  std::string label_for(std::uint32_t link);

  const Outline& outline_;
  const std::vector<std::uint32_t>& roots_;
  std::vector<Note> notes_;
  std::unordered_map<std::uint32_t, std::size_t> references_;   // places of links
  std::unordered_map<std::uint32_t, std::size_t> definitions_;  // places of elements
  std::unordered_set<std::uint32_t> rejected_;                  // places of elements
  std::unordered_set<std::string> labels_;
};

// Returns whether the element is part of the label of a note, not of its text.
bool is_note_label(const dom::Node& element);

}  // namespace gossamer::content
