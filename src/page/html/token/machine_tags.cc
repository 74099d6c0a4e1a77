// Tags and their attributes.
#include "html/token/machine.h"
#include "html/token/machine_run.h"

namespace gossamer::html {

void Machine::begin_tag(bool is_end) {
  is_end_tag_ = is_end;
  self_closing_ = false;
  is_name_known_ = false;
  tag_name_.clear();
  attribute_text_.clear();
  stored_.clear();
}

void Machine::append_bounded(std::string& out, std::string_view text, std::size_t bytes_max) {
  if (out.size() < bytes_max) out.append(text.substr(0, bytes_max - out.size()));
}

// The name is complete, so the wanted attributes are known.
void Machine::end_tag_name() {
  if (is_name_known_) return;
  is_name_known_ = true;
  tag_id_ = tag_id(tag_name_);
  wanted_ = is_end_tag_ ? 0 : sink_.interest()[tag_id_].attributes;
}

void Machine::begin_attribute() {
  end_tag_name();
  attribute_name_.clear();
  keeps_attribute_ = false;
}

// https://html.spec.whatwg.org/#attribute-name-state, last paragraph: the first of two attributes
// with one name counts.
void Machine::end_attribute_name() {
  const AttributeId id = attribute_id(attribute_name_);
  if (!contains(wanted_, id) || stored_.size() >= limits_.attributes_max) return;
  for (const StoredAttribute& stored : stored_) {
    if (stored.id != id) continue;
    if (id != AttributeId::other) return;
    const std::size_t length = stored.value_begin - stored.name_begin;
    if (attribute_text_.compare(stored.name_begin, length, attribute_name_) == 0) return;
  }
  keeps_attribute_ = true;
  const std::size_t name_begin = attribute_text_.size();
  if (id == AttributeId::other) attribute_text_.append(attribute_name_);
  stored_.push_back({id, name_begin, attribute_text_.size(), attribute_text_.size()});
}

void Machine::append_value(std::string_view text) {
  if (!keeps_attribute_) return;
  StoredAttribute& stored = stored_.back();
  const std::size_t length = attribute_text_.size() - stored.value_begin + text.size();
  if (length > limits_.value_bytes_max ||
      attribute_text_.size() + text.size() > limits_.tag_bytes_max) {
    attribute_text_.resize(stored.value_begin);
    stored.value_end = kLeftOut;
    keeps_attribute_ = false;
    return;
  }
  attribute_text_.append(text);
  stored.value_end = attribute_text_.size();
}

Machine::Next Machine::emit_tag() {
  end_tag_name();
  state_ = State::data;
  if (!is_end_tag_) last_start_tag_ = tag_name_;
  const Interest::OfTag& interest = sink_.interest()[tag_id_];
  attributes_.clear();
  const std::string_view all = attribute_text_;
  for (const StoredAttribute& stored : stored_) {
    if (stored.value_end == kLeftOut) continue;
    const std::string_view attribute_name =
        stored.id == AttributeId::other
            ? all.substr(stored.name_begin, stored.value_begin - stored.name_begin)
            : name(stored.id);
    attributes_.push_back({stored.id, attribute_name,
                           all.substr(stored.value_begin, stored.value_end - stored.value_begin)});
  }
  const bool is_wanted = is_end_tag_ ? interest.end : interest.start || !attributes_.empty();
  if (!is_wanted) return Next::consumed;
  const TextMode mode = sink_.tag({tag_id_, is_end_tag_, self_closing_, tag_name_, attributes_});
  if (!is_end_tag_ && mode != TextMode::data) enter(mode, tag_name_);
  return Next::consumed;
}

// https://html.spec.whatwg.org/#tag-open-state
Machine::Next Machine::tag_open_state(int c) {
  if (is_ascii_letter(c)) {
    begin_tag(false);
    return reconsume_in(State::tag_name);
  }
  switch (c) {
    case '!': buffer_.clear(); return consume_to(State::markup_declaration_open);
    case '/': return consume_to(State::end_tag_open);
    case '?': begin_comment(""); return reconsume_in(State::bogus_comment);
    default: emit("<"); return reconsume_in(State::data);
  }
}

// https://html.spec.whatwg.org/#end-tag-open-state
Machine::Next Machine::end_tag_open_state(int c) {
  if (is_ascii_letter(c)) {
    begin_tag(true);
    return reconsume_in(State::tag_name);
  }
  switch (c) {
    case '>': return consume_to(State::data);
    case kEnd: emit("</"); return reconsume_in(State::data);
    default: begin_comment(""); return reconsume_in(State::bogus_comment);
  }
}

// https://html.spec.whatwg.org/#tag-name-state
Machine::Next Machine::tag_name_state(int c) {
  switch (c) {
    case '\t':
    case '\n':
    case '\f':
    case ' ': return consume_to(State::before_attribute_name);
    case '/': return consume_to(State::self_closing_start_tag);
    case '>': return emit_tag();
    case '\0':
      append_bounded(tag_name_, kReplacementCharacter, limits_.name_bytes_max);
      return Next::consumed;
    case kEnd: return reconsume_in(State::data);
    default:
      if (tag_name_.size() < limits_.name_bytes_max) {
        const char byte = static_cast<char>(c);
        append_lower_case(tag_name_, {&byte, 1});
      }
      return Next::consumed;
  }
}

// https://html.spec.whatwg.org/#before-attribute-name-state
Machine::Next Machine::before_attribute_name_state(int c) {
  switch (c) {
    case '\t':
    case '\n':
    case '\f':
    case ' ': return Next::consumed;
    case '/':
    case '>':
    case kEnd: end_tag_name(); return reconsume_in(State::after_attribute_name);
    case '=':
      begin_attribute();
      attribute_name_ = "=";
      return consume_to(State::attribute_name);
    default: begin_attribute(); return reconsume_in(State::attribute_name);
  }
}

// https://html.spec.whatwg.org/#attribute-name-state
Machine::Next Machine::attribute_name_state(int c) {
  switch (c) {
    case '\t':
    case '\n':
    case '\f':
    case ' ':
    case '/':
    case '>':
    case kEnd: end_attribute_name(); return reconsume_in(State::after_attribute_name);
    case '=': end_attribute_name(); return consume_to(State::before_attribute_value);
    case '\0':
      append_bounded(attribute_name_, kReplacementCharacter, limits_.name_bytes_max);
      return Next::consumed;
    default:
      if (attribute_name_.size() < limits_.name_bytes_max) {
        const char byte = static_cast<char>(c);
        append_lower_case(attribute_name_, {&byte, 1});
      }
      return Next::consumed;
  }
}

// https://html.spec.whatwg.org/#after-attribute-name-state
Machine::Next Machine::after_attribute_name_state(int c) {
  switch (c) {
    case '\t':
    case '\n':
    case '\f':
    case ' ': return Next::consumed;
    case '/': return consume_to(State::self_closing_start_tag);
    case '=': return consume_to(State::before_attribute_value);
    case '>': return emit_tag();
    case kEnd: return reconsume_in(State::data);
    default: begin_attribute(); return reconsume_in(State::attribute_name);
  }
}

// https://html.spec.whatwg.org/#before-attribute-value-state
Machine::Next Machine::before_attribute_value_state(int c) {
  switch (c) {
    case '\t':
    case '\n':
    case '\f':
    case ' ': return Next::consumed;
    case '"': return consume_to(State::attribute_value_double_quoted);
    case '\'': return consume_to(State::attribute_value_single_quoted);
    case '>': return emit_tag();
    default: return reconsume_in(State::attribute_value_unquoted);
  }
}

// https://html.spec.whatwg.org/#attribute-value-(double-quoted)-state
Machine::Next Machine::attribute_value_double_quoted_state(int c) {
  switch (c) {
    case '"': return consume_to(State::after_attribute_value_quoted);
    case '&': return begin_reference(State::attribute_value_double_quoted, true);
    case '\0': append_value(kReplacementCharacter); return Next::consumed;
    case kEnd: return reconsume_in(State::data);
    default: append_value(take_run('"', '&')); return Next::consumed;
  }
}

// https://html.spec.whatwg.org/#attribute-value-(single-quoted)-state
Machine::Next Machine::attribute_value_single_quoted_state(int c) {
  switch (c) {
    case '\'': return consume_to(State::after_attribute_value_quoted);
    case '&': return begin_reference(State::attribute_value_single_quoted, true);
    case '\0': append_value(kReplacementCharacter); return Next::consumed;
    case kEnd: return reconsume_in(State::data);
    default: append_value(take_run('\'', '&')); return Next::consumed;
  }
}

// https://html.spec.whatwg.org/#attribute-value-(unquoted)-state
Machine::Next Machine::attribute_value_unquoted_state(int c) {
  switch (c) {
    case '\t':
    case '\n':
    case '\f':
    case ' ': return consume_to(State::before_attribute_name);
    case '&': return begin_reference(State::attribute_value_unquoted, true);
    case '>': return emit_tag();
    case '\0': append_value(kReplacementCharacter); return Next::consumed;
    case kEnd: return reconsume_in(State::data);
    default: append_value(take_run('\t', '\n', '\f', ' ', '&', '>')); return Next::consumed;
  }
}

// https://html.spec.whatwg.org/#after-attribute-value-(quoted)-state
Machine::Next Machine::after_attribute_value_quoted_state(int c) {
  switch (c) {
    case '\t':
    case '\n':
    case '\f':
    case ' ': return consume_to(State::before_attribute_name);
    case '/': return consume_to(State::self_closing_start_tag);
    case '>': return emit_tag();
    case kEnd: return reconsume_in(State::data);
    default: return reconsume_in(State::before_attribute_name);
  }
}

// https://html.spec.whatwg.org/#self-closing-start-tag-state
Machine::Next Machine::self_closing_start_tag_state(int c) {
  switch (c) {
    case '>': self_closing_ = true; return emit_tag();
    case kEnd: return reconsume_in(State::data);
    default: return reconsume_in(State::before_attribute_name);
  }
}

}  // namespace gossamer::html
