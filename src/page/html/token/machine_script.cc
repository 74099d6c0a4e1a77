// Script data with its escapes, and the end tags that end text: RCDATA, RAWTEXT and script data.
#include "html/token/machine.h"
#include "html/token/machine_run.h"

namespace gossamer::html {

// https://html.spec.whatwg.org/#rcdata-less-than-sign-state, also for RAWTEXT.
Machine::Next Machine::text_less_than_state(int c) {
  if (c == '/') {
    buffer_.clear();
    return consume_to(State::text_end_tag_open);
  }
  emit("<");
  return reconsume_in(text_state_);
}

// https://html.spec.whatwg.org/#rcdata-end-tag-open-state, also for RAWTEXT, script data and
// escaped script data.
Machine::Next Machine::text_end_tag_open_state(int c) {
  if (is_ascii_letter(c)) {
    begin_tag(true);
    return reconsume_in(State::text_end_tag_name);
  }
  emit("</");
  return reconsume_in(text_state_);
}

// https://html.spec.whatwg.org/#rcdata-end-tag-name-state, and the same states of the other modes.
Machine::Next Machine::text_end_tag_name_state(int c) {
  if (is_ascii_letter(c) && buffer_.size() <= last_start_tag_.size()) {
    buffer_.push_back(static_cast<char>(c));
    append_lower_case(tag_name_, {&buffer_.back(), 1});
    return Next::consumed;
  }
  const bool is_appropriate = tag_name_ == last_start_tag_;
  if (is_appropriate && is_html_space(c)) return consume_to(State::before_attribute_name);
  if (is_appropriate && c == '/') return consume_to(State::self_closing_start_tag);
  if (is_appropriate && c == '>') return emit_tag();
  // Also for a name that is too long to be the right one: its letters are text in both cases.
  emit("</");
  emit(buffer_);
  return reconsume_in(text_state_);
}

Machine::Next Machine::leave_script_text(State state, std::string_view text) {
  emit(text);
  return consume_to(state);
}

// https://html.spec.whatwg.org/#script-data-less-than-sign-state
Machine::Next Machine::script_data_less_than_state(int c) {
  switch (c) {
    case '/':
      buffer_.clear();
      text_state_ = State::script_data;
      return consume_to(State::text_end_tag_open);
    case '!': return leave_script_text(State::script_data_escape_start, "<!");
    default: emit("<"); return reconsume_in(State::script_data);
  }
}

// https://html.spec.whatwg.org/#script-data-escape-start-state
Machine::Next Machine::script_data_escape_start_state(int c) {
  if (c == '-') return leave_script_text(State::script_data_escape_start_dash, "-");
  return reconsume_in(State::script_data);
}

// https://html.spec.whatwg.org/#script-data-escape-start-dash-state
Machine::Next Machine::script_data_escape_start_dash_state(int c) {
  if (c == '-') return leave_script_text(State::script_data_escaped_dash_dash, "-");
  return reconsume_in(State::script_data);
}

// https://html.spec.whatwg.org/#script-data-escaped-state
Machine::Next Machine::script_data_escaped_state(int c) {
  switch (c) {
    case '-': return leave_script_text(State::script_data_escaped_dash, "-");
    case '<': return consume_to(State::script_data_escaped_less_than);
    case '\0': emit(kReplacementCharacter); return Next::consumed;
    case kEnd: return Next::consumed;
    default: return emit_run('-', '<');
  }
}

// https://html.spec.whatwg.org/#script-data-escaped-dash-state
Machine::Next Machine::script_data_escaped_dash_state(int c) {
  if (c == '-') return leave_script_text(State::script_data_escaped_dash_dash, "-");
  return reconsume_in(State::script_data_escaped);
}

// https://html.spec.whatwg.org/#script-data-escaped-dash-dash-state
Machine::Next Machine::script_data_escaped_dash_dash_state(int c) {
  switch (c) {
    case '-': emit("-"); return Next::consumed;
    case '>': return leave_script_text(State::script_data, ">");
    default: return reconsume_in(State::script_data_escaped);
  }
}

// https://html.spec.whatwg.org/#script-data-escaped-less-than-sign-state
Machine::Next Machine::script_data_escaped_less_than_state(int c) {
  buffer_.clear();
  if (c == '/') {
    text_state_ = State::script_data_escaped;
    return consume_to(State::text_end_tag_open);
  }
  emit("<");
  return reconsume_in(is_ascii_letter(c) ? State::script_data_double_escape_start
                                         : State::script_data_escaped);
}

// Reads the name after <!-- ... < or </: "script" switches the double escape on or off.
Machine::Next Machine::in_double_escape_name(int c, State on_script, State otherwise) {
  if (is_html_space(c) || c == '/' || c == '>') {
    state_ = buffer_ == "script" ? on_script : otherwise;
    const char byte = static_cast<char>(c);
    emit({&byte, 1});
    return Next::consumed;
  }
  if (!is_ascii_letter(c)) return reconsume_in(otherwise);
  const char byte = static_cast<char>(c);
  // One letter more than "script" is enough to recognise another name.
  if (buffer_.size() <= std::string_view("script").size()) append_lower_case(buffer_, {&byte, 1});
  emit({&byte, 1});
  return Next::consumed;
}

// https://html.spec.whatwg.org/#script-data-double-escape-start-state
Machine::Next Machine::script_data_double_escape_start_state(int c) {
  return in_double_escape_name(c, State::script_data_double_escaped, State::script_data_escaped);
}

// https://html.spec.whatwg.org/#script-data-double-escaped-state
Machine::Next Machine::script_data_double_escaped_state(int c) {
  switch (c) {
    case '-': return leave_script_text(State::script_data_double_escaped_dash, "-");
    case '<': return leave_script_text(State::script_data_double_escaped_less_than, "<");
    case '\0': emit(kReplacementCharacter); return Next::consumed;
    case kEnd: return Next::consumed;
    default: return emit_run('-', '<');
  }
}

// https://html.spec.whatwg.org/#script-data-double-escaped-dash-state
Machine::Next Machine::script_data_double_escaped_dash_state(int c) {
  if (c == '-') return leave_script_text(State::script_data_double_escaped_dash_dash, "-");
  return reconsume_in(State::script_data_double_escaped);
}

// https://html.spec.whatwg.org/#script-data-double-escaped-dash-dash-state
Machine::Next Machine::script_data_double_escaped_dash_dash_state(int c) {
  switch (c) {
    case '-': emit("-"); return Next::consumed;
    case '>': return leave_script_text(State::script_data, ">");
    default: return reconsume_in(State::script_data_double_escaped);
  }
}

// https://html.spec.whatwg.org/#script-data-double-escaped-less-than-sign-state
Machine::Next Machine::script_data_double_escaped_less_than_state(int c) {
  if (c == '/') {
    buffer_.clear();
    return leave_script_text(State::script_data_double_escape_end, "/");
  }
  return reconsume_in(State::script_data_double_escaped);
}

// https://html.spec.whatwg.org/#script-data-double-escape-end-state
Machine::Next Machine::script_data_double_escape_end_state(int c) {
  return in_double_escape_name(c, State::script_data_escaped, State::script_data_double_escaped);
}

}  // namespace gossamer::html
