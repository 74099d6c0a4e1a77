#include "html/token/machine.h"

#include "html/token/machine_run.h"

namespace gossamer::html {

// In the order of State.
const Machine::StateFunction Machine::kStates[] = {
    &Machine::data_state,
    &Machine::rcdata_state,
    &Machine::rawtext_state,
    &Machine::script_data_state,
    &Machine::plaintext_state,
    &Machine::tag_open_state,
    &Machine::end_tag_open_state,
    &Machine::tag_name_state,
    &Machine::text_less_than_state,
    &Machine::text_end_tag_open_state,
    &Machine::text_end_tag_name_state,
    &Machine::script_data_less_than_state,
    &Machine::script_data_escape_start_state,
    &Machine::script_data_escape_start_dash_state,
    &Machine::script_data_escaped_state,
    &Machine::script_data_escaped_dash_state,
    &Machine::script_data_escaped_dash_dash_state,
    &Machine::script_data_escaped_less_than_state,
    &Machine::script_data_double_escape_start_state,
    &Machine::script_data_double_escaped_state,
    &Machine::script_data_double_escaped_dash_state,
    &Machine::script_data_double_escaped_dash_dash_state,
    &Machine::script_data_double_escaped_less_than_state,
    &Machine::script_data_double_escape_end_state,
    &Machine::before_attribute_name_state,
    &Machine::attribute_name_state,
    &Machine::after_attribute_name_state,
    &Machine::before_attribute_value_state,
    &Machine::attribute_value_double_quoted_state,
    &Machine::attribute_value_single_quoted_state,
    &Machine::attribute_value_unquoted_state,
    &Machine::after_attribute_value_quoted_state,
    &Machine::self_closing_start_tag_state,
    &Machine::bogus_comment_state,
    &Machine::markup_declaration_open_state,
    &Machine::comment_start_state,
    &Machine::comment_start_dash_state,
    &Machine::comment_state,
    &Machine::comment_less_than_state,
    &Machine::comment_less_than_bang_state,
    &Machine::comment_less_than_bang_dash_state,
    &Machine::comment_less_than_bang_dash_dash_state,
    &Machine::comment_end_dash_state,
    &Machine::comment_end_state,
    &Machine::comment_end_bang_state,
    &Machine::doctype_state,
    &Machine::before_doctype_name_state,
    &Machine::doctype_name_state,
    &Machine::after_doctype_name_state,
    &Machine::after_doctype_public_keyword_state,
    &Machine::before_doctype_public_id_state,
    &Machine::doctype_public_id_state,
    &Machine::after_doctype_public_id_state,
    &Machine::between_doctype_ids_state,
    &Machine::after_doctype_system_keyword_state,
    &Machine::before_doctype_system_id_state,
    &Machine::doctype_system_id_state,
    &Machine::after_doctype_system_id_state,
    &Machine::bogus_doctype_state,
    &Machine::cdata_section_state,
    &Machine::cdata_section_bracket_state,
    &Machine::cdata_section_end_state,
    &Machine::character_reference_state,
};

Machine::Machine(TokenSink& sink, const TokenizerLimits& limits) : sink_(sink), limits_(limits) {
  static_assert(std::size(kStates) == static_cast<std::size_t>(State::count));
}

const char* Machine::run(const char* begin, const char* end) {
  at_ = begin;
  end_ = end;
  do {
    // https://html.spec.whatwg.org/#preprocessing-the-input-stream: CR LF and CR are LF.
    if (skip_line_feed_) {
      skip_line_feed_ = false;
      if (*at_ == '\n') {
        ++at_;
        continue;
      }
    }
    const bool is_carriage_return = *at_ == '\r';
    const int c = is_carriage_return ? '\n' : static_cast<unsigned char>(*at_);
    if ((this->*kStates[static_cast<std::size_t>(state_)])(c) == Next::consumed) {
      ++at_;
      skip_line_feed_ = is_carriage_return;
    }
  } while (at_ != end_ && !at_rest());
  return at_;
}

void Machine::finish() {
  // Each state either handles the end or moves to a state closer to data.
  while ((this->*kStates[static_cast<std::size_t>(state_)])(kEnd) == Next::reconsume) {
  }
  state_ = State::data;
  skip_line_feed_ = false;
}

void Machine::enter(TextMode mode, std::string_view last_start_tag) {
  last_start_tag_ = last_start_tag;
  switch (mode) {
    case TextMode::data: state_ = State::data; break;
    case TextMode::rcdata: state_ = State::rcdata; break;
    case TextMode::rawtext: state_ = State::rawtext; break;
    case TextMode::script: state_ = State::script_data; break;
    case TextMode::plaintext: state_ = State::plaintext; break;
    case TextMode::cdata: state_ = State::cdata_section; break;
  }
}

// https://html.spec.whatwg.org/#data-state
Machine::Next Machine::data_state(int c) {
  switch (c) {
    case '&': return begin_reference(State::data, false);
    case '<': return consume_to(State::tag_open);
    case '\0': emit(std::string_view("\0", 1)); return Next::consumed;
    case kEnd: return Next::consumed;
    default: return emit_run('&', '<');
  }
}

// https://html.spec.whatwg.org/#rcdata-state
Machine::Next Machine::rcdata_state(int c) {
  switch (c) {
    case '&': return begin_reference(State::rcdata, false);
    case '<': text_state_ = State::rcdata; return consume_to(State::text_less_than);
    case '\0': emit(kReplacementCharacter); return Next::consumed;
    case kEnd: return Next::consumed;
    default: return emit_run('&', '<');
  }
}

// https://html.spec.whatwg.org/#rawtext-state
Machine::Next Machine::rawtext_state(int c) {
  switch (c) {
    case '<': text_state_ = State::rawtext; return consume_to(State::text_less_than);
    case '\0': emit(kReplacementCharacter); return Next::consumed;
    case kEnd: return Next::consumed;
    default: return emit_run('<');
  }
}

// https://html.spec.whatwg.org/#script-data-state
Machine::Next Machine::script_data_state(int c) {
  switch (c) {
    case '<': return consume_to(State::script_data_less_than);
    case '\0': emit(kReplacementCharacter); return Next::consumed;
    case kEnd: return Next::consumed;
    default: return emit_run('<');
  }
}

// https://html.spec.whatwg.org/#plaintext-state
Machine::Next Machine::plaintext_state(int c) {
  switch (c) {
    case '\0': emit(kReplacementCharacter); return Next::consumed;
    case kEnd: return Next::consumed;
    default: return emit_run();
  }
}

Machine::Next Machine::begin_reference(State return_state, bool in_attribute) {
  return_state_ = return_state;
  reference_.begin(in_attribute);
  return consume_to(State::character_reference);
}

// https://html.spec.whatwg.org/#character-reference-state and the states that follow from it.
// An ambiguous ampersand needs no state of its own: letters and digits are text everywhere.
Machine::Next Machine::character_reference_state(int c) {
  const bool taken = reference_.take(c);
  if (taken && !reference_.done()) return Next::consumed;
  state_ = return_state_;
  if (return_state_ == State::data || return_state_ == State::rcdata) {
    emit(reference_.text());
  } else {
    append_value(reference_.text());
  }
  return taken ? Next::consumed : Next::reconsume;
}

// https://html.spec.whatwg.org/#cdata-section-state
Machine::Next Machine::cdata_section_state(int c) {
  switch (c) {
    case ']': return consume_to(State::cdata_section_bracket);
    case '\0': emit(std::string_view("\0", 1)); return Next::consumed;
    case kEnd: return Next::consumed;
    default: return emit_run(']');
  }
}

// https://html.spec.whatwg.org/#cdata-section-bracket-state
Machine::Next Machine::cdata_section_bracket_state(int c) {
  if (c == ']') return consume_to(State::cdata_section_end);
  emit("]");
  return reconsume_in(State::cdata_section);
}

// https://html.spec.whatwg.org/#cdata-section-end-state
Machine::Next Machine::cdata_section_end_state(int c) {
  if (c == ']') {
    emit("]");
    return Next::consumed;
  }
  if (c == '>') return consume_to(State::data);
  emit("]]");
  return reconsume_in(State::cdata_section);
}

}  // namespace gossamer::html
