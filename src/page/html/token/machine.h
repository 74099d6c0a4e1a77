// The tokenization section of the HTML Standard, state by state, fed in pieces of any size.
// https://html.spec.whatwg.org/#tokenization
//
// This is the reference for the meaning of a document. Tokenizer (tokenizer.h) puts a fast reader
// of ordinary tags in front of it, which falls back to this one for everything unusual.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "html/token/character_reference.h"
#include "html/token/token.h"

namespace gossamer::html {

// One function per state of the standard. No recursion; memory bounded by TokenizerLimits.
class Machine {
 public:
  explicit Machine(TokenSink& sink, const TokenizerLimits& limits = {});
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Reads from `begin` until it is at rest after a token, or the piece ends. Returns the position
  // reached. REQUIRES: begin != end.
  const char* run(const char* begin, const char* end);

  // Ends the document.
  void finish();

  // Returns whether it is in the data state with nothing pending, so that another reader can
  // continue.
  bool at_rest() const noexcept { return state_ == State::data && !skip_line_feed_; }

  // Continues in this mode, after a start tag of that name.
  void enter(TextMode mode, std::string_view last_start_tag);

  const TokenizerLimits& limits() const noexcept { return limits_; }
  // The memory of the token that has begun.
  std::size_t bytes_held() const noexcept {
    return buffer_.capacity() + attribute_text_.capacity() + comment_.capacity();
  }

 private:
  // clang-format off
  enum class State : std::uint8_t {
    data, rcdata, rawtext, script_data, plaintext, tag_open, end_tag_open, tag_name,
    text_less_than, text_end_tag_open, text_end_tag_name,
    script_data_less_than, script_data_escape_start, script_data_escape_start_dash,
    script_data_escaped, script_data_escaped_dash, script_data_escaped_dash_dash,
    script_data_escaped_less_than, script_data_double_escape_start,
    script_data_double_escaped, script_data_double_escaped_dash,
    script_data_double_escaped_dash_dash, script_data_double_escaped_less_than,
    script_data_double_escape_end,
    before_attribute_name, attribute_name, after_attribute_name, before_attribute_value,
    attribute_value_double_quoted, attribute_value_single_quoted, attribute_value_unquoted,
    after_attribute_value_quoted, self_closing_start_tag,
    bogus_comment, markup_declaration_open, comment_start, comment_start_dash, comment,
    comment_less_than, comment_less_than_bang, comment_less_than_bang_dash,
    comment_less_than_bang_dash_dash, comment_end_dash, comment_end, comment_end_bang,
    doctype, before_doctype_name, doctype_name, after_doctype_name,
    after_doctype_public_keyword, before_doctype_public_id, doctype_public_id,
    after_doctype_public_id, between_doctype_ids, after_doctype_system_keyword,
    before_doctype_system_id, doctype_system_id, after_doctype_system_id, bogus_doctype,
    cdata_section, cdata_section_bracket, cdata_section_end, character_reference,
    count,
  };
  // clang-format on

  // Whether a state consumed a character or leaves it to the next state.
  enum class Next : bool { reconsume, consumed };
  using StateFunction = Next (Machine::*)(int);
  static const StateFunction kStates[];
  static constexpr int kEnd = -1;  // the end of the document, in place of a character

  // machine.cc: text.
  Next data_state(int c);
  Next rcdata_state(int c);
  Next rawtext_state(int c);
  Next script_data_state(int c);
  Next plaintext_state(int c);
  Next character_reference_state(int c);
  Next cdata_section_state(int c);
  Next cdata_section_bracket_state(int c);
  Next cdata_section_end_state(int c);
  // machine_tags.cc
  Next tag_open_state(int c);
  Next end_tag_open_state(int c);
  Next tag_name_state(int c);
  Next before_attribute_name_state(int c);
  Next attribute_name_state(int c);
  Next after_attribute_name_state(int c);
  Next before_attribute_value_state(int c);
  Next attribute_value_double_quoted_state(int c);
  Next attribute_value_single_quoted_state(int c);
  Next attribute_value_unquoted_state(int c);
  Next after_attribute_value_quoted_state(int c);
  Next self_closing_start_tag_state(int c);
  // machine_script.cc: also the end tags of all text modes.
  Next text_less_than_state(int c);
  Next text_end_tag_open_state(int c);
  Next text_end_tag_name_state(int c);
  Next script_data_less_than_state(int c);
  Next script_data_escape_start_state(int c);
  Next script_data_escape_start_dash_state(int c);
  Next script_data_escaped_state(int c);
  Next script_data_escaped_dash_state(int c);
  Next script_data_escaped_dash_dash_state(int c);
  Next script_data_escaped_less_than_state(int c);
  Next script_data_double_escape_start_state(int c);
  Next script_data_double_escaped_state(int c);
  Next script_data_double_escaped_dash_state(int c);
  Next script_data_double_escaped_dash_dash_state(int c);
  Next script_data_double_escaped_less_than_state(int c);
  Next script_data_double_escape_end_state(int c);
  // machine_comments.cc
  Next bogus_comment_state(int c);
  Next markup_declaration_open_state(int c);
  Next comment_start_state(int c);
  Next comment_start_dash_state(int c);
  Next comment_state(int c);
  Next comment_less_than_state(int c);
  Next comment_less_than_bang_state(int c);
  Next comment_less_than_bang_dash_state(int c);
  Next comment_less_than_bang_dash_dash_state(int c);
  Next comment_end_dash_state(int c);
  Next comment_end_state(int c);
  Next comment_end_bang_state(int c);
  // machine_doctype.cc
  Next doctype_state(int c);
  Next before_doctype_name_state(int c);
  Next doctype_name_state(int c);
  Next after_doctype_name_state(int c);
  Next after_doctype_public_keyword_state(int c);
  Next before_doctype_public_id_state(int c);
  Next doctype_public_id_state(int c);
  Next after_doctype_public_id_state(int c);
  Next between_doctype_ids_state(int c);
  Next after_doctype_system_keyword_state(int c);
  Next before_doctype_system_id_state(int c);
  Next doctype_system_id_state(int c);
  Next after_doctype_system_id_state(int c);
  Next bogus_doctype_state(int c);

  Next consume_to(State state) {
    state_ = state;
    return Next::consumed;
  }
  Next reconsume_in(State state) {
    state_ = state;
    return Next::reconsume;
  }
  void emit(std::string_view text) {
    if (sink_.wants_text()) sink_.text(text);
  }
  // Handles the current character and all that follow up to one of `stops` (which always include CR
  // and NUL) as one run; the caller reports the last one as consumed. Not for kEnd.
  template <class... Stops>
  std::string_view take_run(Stops... stops);
  template <class... Stops>
  Next emit_run(Stops... stops);

  Next begin_reference(State return_state, bool in_attribute);
  Next leave_script_text(State state, std::string_view text);
  Next in_double_escape_name(int c, State on_script, State otherwise);

  void begin_tag(bool is_end);
  void end_tag_name();
  void begin_attribute();
  void end_attribute_name();
  void append_value(std::string_view text);
  Next emit_tag();

  void begin_comment(std::string_view data);
  void append_comment(std::string_view text);
  Next emit_comment(State next);
  Next comment_ended_by_end();

  void append_bounded(std::string& out, std::string_view text, std::size_t bytes_max);
  Next emit_doctype(bool force_quirks);
  Next bogus_doctype(int c, bool force_quirks);
  Next begin_doctype_id(int quote, bool is_public);
  Next in_doctype_id(int c, std::string& id, State after);

  TokenSink& sink_;
  TokenizerLimits limits_;
  State state_ = State::data;
  State return_state_ = State::data;  // of a character reference
  State text_state_ = State::rcdata;  // the state before '<' in text
  bool skip_line_feed_ = false;       // the last character was a CR
  const char* at_ = nullptr;          // the current character, while running
  const char* end_ = nullptr;
  CharacterReference reference_;
  std::string buffer_;  // the standard's temporary buffer
  std::string last_start_tag_;

  // The tag being read.
  struct StoredAttribute {
    AttributeId id;
    std::size_t name_begin;
    std::size_t value_begin;
    std::size_t value_end;  // kLeftOut: too long
  };
  static constexpr std::size_t kLeftOut = static_cast<std::size_t>(-1);
  bool is_end_tag_ = false;
  bool self_closing_ = false;
  bool is_name_known_ = false;    // the tag's name is complete
  bool keeps_attribute_ = false;  // the current attribute is wanted
  TagId tag_id_ = TagId::other;
  AttributeSet wanted_ = 0;  // attributes of this tag that are wanted
  std::string tag_name_;
  std::string attribute_name_;
  std::string attribute_text_;  // names and values of the stored attributes
  std::vector<StoredAttribute> stored_;
  std::vector<Attribute> attributes_;

  std::string comment_;

  // The doctype being read.
  std::string doctype_name_;
  std::string public_id_;
  std::string system_id_;
  bool has_doctype_name_ = false;
  bool has_public_id_ = false;
  bool has_system_id_ = false;
  bool force_quirks_ = false;
  char quote_ = '"';
};

}  // namespace gossamer::html
