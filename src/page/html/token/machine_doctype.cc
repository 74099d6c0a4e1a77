// The doctype.
#include "html/token/machine.h"
#include "html/token/machine_run.h"

namespace gossamer::html {

Machine::Next Machine::emit_doctype(bool force_quirks) {
  if (force_quirks) force_quirks_ = true;
  if (sink_.interest().doctypes) {
    sink_.doctype({doctype_name_, public_id_, system_id_, has_doctype_name_, has_public_id_,
                   has_system_id_, force_quirks_});
  }
  return consume_to(State::data);
}

// The common behaviour of the doctype states for an unexpected character.
Machine::Next Machine::bogus_doctype(int c, bool force_quirks) {
  if (c == kEnd) {
    emit_doctype(true);
    return Next::reconsume;
  }
  if (force_quirks) force_quirks_ = true;
  return reconsume_in(State::bogus_doctype);
}

Machine::Next Machine::begin_doctype_id(int quote, bool is_public) {
  quote_ = static_cast<char>(quote);
  (is_public ? has_public_id_ : has_system_id_) = true;
  (is_public ? public_id_ : system_id_).clear();
  return consume_to(is_public ? State::doctype_public_id : State::doctype_system_id);
}

// https://html.spec.whatwg.org/#doctype-state
Machine::Next Machine::doctype_state(int c) {
  doctype_name_.clear();
  public_id_.clear();
  system_id_.clear();
  has_doctype_name_ = has_public_id_ = has_system_id_ = force_quirks_ = false;
  if (c == kEnd) return bogus_doctype(c, true);
  return is_html_space(c) ? consume_to(State::before_doctype_name)
                          : reconsume_in(State::before_doctype_name);
}

// https://html.spec.whatwg.org/#before-doctype-name-state
Machine::Next Machine::before_doctype_name_state(int c) {
  if (is_html_space(c)) return Next::consumed;
  if (c == '>') return emit_doctype(true);
  if (c == kEnd) return bogus_doctype(c, true);
  has_doctype_name_ = true;
  return reconsume_in(State::doctype_name);
}

// https://html.spec.whatwg.org/#doctype-name-state
Machine::Next Machine::doctype_name_state(int c) {
  if (is_html_space(c)) {
    buffer_.clear();
    return consume_to(State::after_doctype_name);
  }
  if (c == '>') return emit_doctype(false);
  if (c == kEnd) return bogus_doctype(c, true);
  if (c == '\0') {
    append_bounded(doctype_name_, kReplacementCharacter, limits_.comment_bytes_max);
  } else if (doctype_name_.size() < limits_.comment_bytes_max) {
    const char byte = static_cast<char>(c);
    append_lower_case(doctype_name_, {&byte, 1});
  }
  return Next::consumed;
}

// https://html.spec.whatwg.org/#after-doctype-name-state
Machine::Next Machine::after_doctype_name_state(int c) {
  constexpr std::string_view kPublic = "public";
  constexpr std::string_view kSystem = "system";
  if (buffer_.empty()) {
    if (is_html_space(c)) return Next::consumed;
    if (c == '>') return emit_doctype(false);
    if (c == kEnd) return bogus_doctype(c, true);
  }
  if (c == kEnd || !is_ascii_letter(c)) return bogus_doctype(c, true);
  const char byte = static_cast<char>(c);
  append_lower_case(buffer_, {&byte, 1});
  if (buffer_ == kPublic) return consume_to(State::after_doctype_public_keyword);
  if (buffer_ == kSystem) return consume_to(State::after_doctype_system_keyword);
  if (kPublic.starts_with(buffer_) || kSystem.starts_with(buffer_)) return Next::consumed;
  return bogus_doctype(c, true);
}

// https://html.spec.whatwg.org/#after-doctype-public-keyword-state
Machine::Next Machine::after_doctype_public_keyword_state(int c) {
  if (is_html_space(c)) return consume_to(State::before_doctype_public_id);
  return before_doctype_public_id_state(c);
}

// https://html.spec.whatwg.org/#before-doctype-public-identifier-state
Machine::Next Machine::before_doctype_public_id_state(int c) {
  if (is_html_space(c)) return Next::consumed;
  if (c == '"' || c == '\'') return begin_doctype_id(c, true);
  if (c == '>') return emit_doctype(true);
  return bogus_doctype(c, true);
}

Machine::Next Machine::in_doctype_id(int c, std::string& id, State after) {
  if (c == quote_) return consume_to(after);
  if (c == '>') return emit_doctype(true);
  if (c == kEnd) return bogus_doctype(c, true);
  if (c == '\0') {
    append_bounded(id, kReplacementCharacter, limits_.comment_bytes_max);
  } else {
    append_bounded(id, take_run('"', '\'', '>'), limits_.comment_bytes_max);
  }
  return Next::consumed;
}

// https://html.spec.whatwg.org/#doctype-public-identifier-(double-quoted)-state, also single-quoted
Machine::Next Machine::doctype_public_id_state(int c) {
  return in_doctype_id(c, public_id_, State::after_doctype_public_id);
}

// https://html.spec.whatwg.org/#after-doctype-public-identifier-state
Machine::Next Machine::after_doctype_public_id_state(int c) {
  if (is_html_space(c)) return consume_to(State::between_doctype_ids);
  return between_doctype_ids_state(c);
}

// https://html.spec.whatwg.org/#between-doctype-public-and-system-identifiers-state
Machine::Next Machine::between_doctype_ids_state(int c) {
  if (is_html_space(c)) return Next::consumed;
  if (c == '>') return emit_doctype(false);
  if (c == '"' || c == '\'') return begin_doctype_id(c, false);
  return bogus_doctype(c, true);
}

// https://html.spec.whatwg.org/#after-doctype-system-keyword-state
Machine::Next Machine::after_doctype_system_keyword_state(int c) {
  if (is_html_space(c)) return consume_to(State::before_doctype_system_id);
  return before_doctype_system_id_state(c);
}

// https://html.spec.whatwg.org/#before-doctype-system-identifier-state
Machine::Next Machine::before_doctype_system_id_state(int c) {
  if (is_html_space(c)) return Next::consumed;
  if (c == '"' || c == '\'') return begin_doctype_id(c, false);
  if (c == '>') return emit_doctype(true);
  return bogus_doctype(c, true);
}

// https://html.spec.whatwg.org/#doctype-system-identifier-(double-quoted)-state, also single-quoted
Machine::Next Machine::doctype_system_id_state(int c) {
  return in_doctype_id(c, system_id_, State::after_doctype_system_id);
}

// https://html.spec.whatwg.org/#after-doctype-system-identifier-state
Machine::Next Machine::after_doctype_system_id_state(int c) {
  if (is_html_space(c)) return Next::consumed;
  if (c == '>') return emit_doctype(false);
  // Not a reason for quirks: the rest is ignored.
  return bogus_doctype(c, false);
}

// https://html.spec.whatwg.org/#bogus-doctype-state
Machine::Next Machine::bogus_doctype_state(int c) {
  if (c == '>') return emit_doctype(false);
  if (c == kEnd) {
    emit_doctype(false);
    return Next::reconsume;
  }
  take_run('>');
  return Next::consumed;
}

}  // namespace gossamer::html
