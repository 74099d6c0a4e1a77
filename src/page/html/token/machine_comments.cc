// Comments, and constructs that are read as comments.
#include "html/token/machine.h"
#include "html/token/machine_run.h"

namespace gossamer::html {

void Machine::begin_comment(std::string_view data) { comment_ = data; }

void Machine::append_comment(std::string_view text) {
  if (sink_.interest().comments) append_bounded(comment_, text, limits_.comment_bytes_max);
}

Machine::Next Machine::emit_comment(State next) {
  if (sink_.interest().comments) sink_.comment(comment_);
  return consume_to(next);
}

Machine::Next Machine::comment_ended_by_end() {
  emit_comment(State::data);
  return Next::reconsume;
}

// https://html.spec.whatwg.org/#bogus-comment-state
Machine::Next Machine::bogus_comment_state(int c) {
  switch (c) {
    case '>': return emit_comment(State::data);
    case kEnd: return comment_ended_by_end();
    case '\0': append_comment(kReplacementCharacter); return Next::consumed;
    default: append_comment(take_run('>')); return Next::consumed;
  }
}

// https://html.spec.whatwg.org/#markup-declaration-open-state
// Collects characters while they can still become one of three openings.
Machine::Next Machine::markup_declaration_open_state(int c) {
  const auto goes_on = [this](std::string_view opening, int letter) {
    return opening.size() > buffer_.size() && opening[buffer_.size()] == letter &&
           equals_ignoring_case(buffer_, opening.substr(0, buffer_.size()));
  };
  if (goes_on("--", c)) {
    buffer_.push_back('-');
    if (buffer_.size() < 2) return Next::consumed;
    begin_comment("");
    return consume_to(State::comment_start);
  }
  if (c != kEnd && goes_on("doctype", to_lower(static_cast<char>(c)))) {
    buffer_.push_back(static_cast<char>(c));
    return buffer_.size() < 7 ? Next::consumed : consume_to(State::doctype);
  }
  constexpr std::string_view kCdata = "[CDATA[";
  if (kCdata.starts_with(buffer_) && buffer_.size() < kCdata.size() &&
      kCdata[buffer_.size()] == c && sink_.in_foreign_content()) {
    buffer_.push_back(static_cast<char>(c));
    return buffer_.size() < kCdata.size() ? Next::consumed : consume_to(State::cdata_section);
  }
  begin_comment(buffer_);
  return reconsume_in(State::bogus_comment);
}

// https://html.spec.whatwg.org/#comment-start-state
Machine::Next Machine::comment_start_state(int c) {
  if (c == '-') return consume_to(State::comment_start_dash);
  if (c == '>') return emit_comment(State::data);
  return reconsume_in(State::comment);
}

// https://html.spec.whatwg.org/#comment-start-dash-state
Machine::Next Machine::comment_start_dash_state(int c) {
  switch (c) {
    case '-': return consume_to(State::comment_end);
    case '>': return emit_comment(State::data);
    case kEnd: return comment_ended_by_end();
    default: append_comment("-"); return reconsume_in(State::comment);
  }
}

// https://html.spec.whatwg.org/#comment-state
Machine::Next Machine::comment_state(int c) {
  switch (c) {
    case '<': append_comment("<"); return consume_to(State::comment_less_than);
    case '-': return consume_to(State::comment_end_dash);
    case '\0': append_comment(kReplacementCharacter); return Next::consumed;
    case kEnd: return comment_ended_by_end();
    default: append_comment(take_run('<', '-')); return Next::consumed;
  }
}

// https://html.spec.whatwg.org/#comment-less-than-sign-state
Machine::Next Machine::comment_less_than_state(int c) {
  if (c == '!') {
    append_comment("!");
    return consume_to(State::comment_less_than_bang);
  }
  if (c == '<') {
    append_comment("<");
    return Next::consumed;
  }
  return reconsume_in(State::comment);
}

// https://html.spec.whatwg.org/#comment-less-than-sign-bang-state
Machine::Next Machine::comment_less_than_bang_state(int c) {
  if (c == '-') return consume_to(State::comment_less_than_bang_dash);
  return reconsume_in(State::comment);
}

// https://html.spec.whatwg.org/#comment-less-than-sign-bang-dash-state
Machine::Next Machine::comment_less_than_bang_dash_state(int c) {
  if (c == '-') return consume_to(State::comment_less_than_bang_dash_dash);
  return reconsume_in(State::comment_end_dash);
}

// https://html.spec.whatwg.org/#comment-less-than-sign-bang-dash-dash-state
Machine::Next Machine::comment_less_than_bang_dash_dash_state(int /*c*/) {
  return reconsume_in(State::comment_end);
}

// https://html.spec.whatwg.org/#comment-end-dash-state
Machine::Next Machine::comment_end_dash_state(int c) {
  if (c == '-') return consume_to(State::comment_end);
  if (c == kEnd) return comment_ended_by_end();
  append_comment("-");
  return reconsume_in(State::comment);
}

// https://html.spec.whatwg.org/#comment-end-state
Machine::Next Machine::comment_end_state(int c) {
  switch (c) {
    case '>': return emit_comment(State::data);
    case '!': return consume_to(State::comment_end_bang);
    case '-': append_comment("-"); return Next::consumed;
    case kEnd: return comment_ended_by_end();
    default: append_comment("--"); return reconsume_in(State::comment);
  }
}

// https://html.spec.whatwg.org/#comment-end-bang-state
Machine::Next Machine::comment_end_bang_state(int c) {
  switch (c) {
    case '-': append_comment("--!"); return consume_to(State::comment_end_dash);
    case '>': return emit_comment(State::data);
    case kEnd: return comment_ended_by_end();
    default: append_comment("--!"); return reconsume_in(State::comment);
  }
}

}  // namespace gossamer::html
