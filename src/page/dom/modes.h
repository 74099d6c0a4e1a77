// The rules of tree construction: what each token does in each insertion mode.
// https://html.spec.whatwg.org/#parsing-main-inhtml
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "dom/builder.h"

namespace gossamer::dom {

// Whether a token is processed, or must be processed once more by the new mode.
enum class Next : bool { done, again };

using TagRule = Next (*)(Builder& tree, const Tag& tag);
// Takes at least one byte from the front of the text, or changes the mode.
using TextRule = void (*)(Builder& tree, std::string_view& text);
using EndRule = Next (*)(Builder& tree);

struct ModeRules {
  TagRule start_tag;
  TagRule end_tag;
  TextRule text;
  EndRule end_of_page;
};
const ModeRules& rules_of(Mode mode) noexcept;

// A rule for every name.
class TagRules {
 public:
  constexpr explicit TagRules(TagRule otherwise) noexcept { rules_.fill(otherwise); }
  constexpr TagRules& set(TagRule rule, std::initializer_list<TagId> tags) noexcept {
    for (const TagId tag : tags) rules_[static_cast<std::size_t>(tag)] = rule;
    return *this;
  }
  TagRule operator[](TagId tag) const noexcept { return rules_[static_cast<std::size_t>(tag)]; }

 private:
  std::array<TagRule, 256> rules_;
};

// modes.cc: the page as a whole.
void process_tag(Builder& tree, const Tag& tag);
void process_text(Builder& tree, std::string_view text);
void process_comment(Builder& tree, std::string_view text);
void process_doctype(Builder& tree, const html::Doctype& doctype);
void process_end(Builder& tree);

// modes_head.cc
extern const ModeRules kInitial, kBeforeHtml, kBeforeHead, kInHead, kInHeadNoscript, kAfterHead;
Next in_head_start(Builder& tree, const Tag& tag);
Next end_template(Builder& tree, const Tag& tag);

// modes_body.cc, modes_body_end.cc
extern const ModeRules kInBody;
Next in_body_start(Builder& tree, const Tag& tag);
Next in_body_end(Builder& tree, const Tag& tag);
void in_body_text(Builder& tree, std::string_view& text);
Next in_body_end_of_page(Builder& tree);

// modes_table.cc, modes_cell.cc
extern const ModeRules kInTable, kInTableText, kInCaption, kInColumnGroup;
extern const ModeRules kInTableBody, kInRow, kInCell;
Next in_table_start(Builder& tree, const Tag& tag);
Next in_table_end(Builder& tree, const Tag& tag);
void in_table_text(Builder& tree, std::string_view& text);
// Inserts the text of a table that was collected.
void flush_table_text(Builder& tree);

// modes_after.cc
extern const ModeRules kText, kInTemplate, kAfterBody, kInFrameset, kAfterFrameset;
extern const ModeRules kAfterAfterBody, kAfterAfterFrameset;
Next in_template_end_of_page(Builder& tree);

// modes_foreign.cc
Next in_foreign_start(Builder& tree, const Tag& tag);
Next in_foreign_end(Builder& tree, const Tag& tag);
void in_foreign_text(Builder& tree, std::string_view text);

// Names and steps that several modes share.
inline constexpr TagSet kHeadings = {TagId::h1, TagId::h2, TagId::h3,
                                     TagId::h4, TagId::h5, TagId::h6};
inline Next ignore(Builder& /*tree*/, const Tag& /*tag*/) { return Next::done; }
inline Next stop(Builder& tree) {
  tree.is_finished = true;
  return Next::done;
}
// Takes the white space from the front of the text.
std::string_view take_space(std::string_view& text) noexcept;
std::string_view take_non_space(std::string_view& text) noexcept;
bool is_space(std::string_view text) noexcept;

}  // namespace gossamer::dom
