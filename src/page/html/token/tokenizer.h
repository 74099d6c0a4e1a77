// The streaming tokenizer: takes a document in pieces of any size and produces tokens.
//
//   class Printer final : public TokenSink { ... };
//   Printer printer;
//   Tokenizer<Printer> tokenizer(printer);
//   while (...) tokenizer.feed(piece);
//   tokenizer.finish();
//
// How the document is divided only affects how its text is divided.
#pragma once

#include <string>
#include <string_view>

#include "html/token/character_reference.h"
#include "html/token/machine.h"
#include "html/token/scan.h"
#include "html/token/tag_reader.h"
#include "html/token/token.h"

namespace gossamer::html {

// Two readers for one grammar: Machine, which follows the standard state by state and can stop at
// any byte, and in front of it TagReader, for whole tags in memory. `Sink` should be final, so that
// calls to it are direct.
//
// The input is UTF-8; other bytes pass through. BORROWS: the sink.
template <class Sink>
class Tokenizer {
 public:
  explicit Tokenizer(Sink& sink, const TokenizerLimits& limits = {})
      : sink_(sink), machine_(sink, limits), tags_(limits) {}

  void feed(std::string_view piece);
  // Ends the document. The tokenizer can then be used again.
  void finish() { machine_.finish(); }
  std::size_t bytes_held() const noexcept { return machine_.bytes_held() + decoded_.capacity(); }

  // Starts in the middle of an element's text. REQUIRES: nothing was fed yet.
  void start_in(TextMode mode, std::string_view last_start_tag) {
    machine_.enter(mode, last_start_tag);
  }

 private:
  const char* read_fast(const char* at, const char* end);
  TagIndex::Places& places();
  const char* read_tags(const char* at, const char* end, bool* is_stopped);
  const char* read_element(TextMode mode, const char* at, const char* end);
  const char* hand_text(const char* begin, const char* end);
  const char* hand_last_text(const char* begin, const char* end);

  Sink& sink_;
  Machine machine_;
  TagReader tags_;
  TagIndex index_;  // covers a part of the current piece
  // The positions of the index that are still to be read: all of them, and those that `judge_`
  // finds worth reading. `judge_` is nullptr before they are judged.
  TagIndex::Places all_;
  TagIndex::Places worth_reading_;
  const Interest* judge_ = nullptr;
  // The first '<' beyond the index, once it was searched for. It is searched only once, however
  // often Machine takes over before it.
  const char* text_end_ = nullptr;
  std::string decoded_;
};

template <class Sink>
void Tokenizer<Sink>::feed(std::string_view piece) {
  const char* at = piece.data();
  const char* const end = at + piece.size();
  while (at != end) {
    if (machine_.at_rest()) at = read_fast(at, end);
    if (at != end) at = machine_.run(at, end);
  }
  index_.clear();
  text_end_ = nullptr;
}

// Reads text and ordinary tags up to something unusual, or to the end of the piece.
template <class Sink>
const char* Tokenizer<Sink>::read_fast(const char* at, const char* end) {
  while (at != end) {
    if (at >= index_.end()) {
      index_.build(at, end);
      all_ = index_.all();
      judge_ = nullptr;
    }
    bool is_stopped = false;
    at = read_tags(at, end, &is_stopped);
    if (is_stopped) return at;
    if (at < index_.end()) {
      // The index has no more tags.
      if (sink_.wants_text()) {
        if (text_end_ < index_.end()) text_end_ = find_any(index_.end(), end, '<');
        if (text_end_ == end) return hand_last_text(at, end);
        hand_text(at, text_end_);
        at = text_end_;
      } else {
        at = index_.end();
      }
    }
  }
  return end;
}

// Returns the positions to read now.
template <class Sink>
TagIndex::Places& Tokenizer<Sink>::places() {
  const Interest& interest = sink_.interest();
  if (sink_.wants_text() || !interest.is_choosy) return all_;
  if (judge_ != &interest) {
    worth_reading_ = index_.worth_reading(interest);
    judge_ = &interest;
  }
  return worth_reading_;
}

// Reads the tags in the index. Stops where Machine must continue.
template <class Sink>
const char* Tokenizer<Sink>::read_tags(const char* at, const char* end, bool* is_stopped) {
  TagIndex::Places* places = &this->places();
  const Interest* interest = &sink_.interest();
  bool wants_text = sink_.wants_text();
  while (!places->empty()) {
    const char* const less_than = index_.begin() + places->front();
    *places = places->subspan(1);
    if (less_than < at) [[unlikely]]
      continue;  // inside an attribute or a comment, or already read
    if (wants_text && at != less_than) hand_text(at, less_than);
    const TagReader::Found found = tags_.read(less_than, end, *interest, index_);
    if (found == TagReader::Found::nothing) [[unlikely]] {
      *is_stopped = true;
      return less_than;
    }
    at = tags_.end_of_tag();
    if (found == TagReader::Found::unwanted) continue;
    const TextMode mode = sink_.tag(tags_.tag());
    const char* after = at;
    if (mode != TextMode::data && !tags_.tag().is_end) after = read_element(mode, at, end);
    if (after == nullptr) [[unlikely]] {
      machine_.enter(mode, tags_.tag().name);
      *is_stopped = true;
      return at;
    }
    at = after;
    if (interest == &sink_.interest() && wants_text == sink_.wants_text()) continue;
    interest = &sink_.interest();
    wants_text = sink_.wants_text();
    places = &this->places();
  }
  return at;
}

// Reads the text of the element whose start tag was read, and its end tag. Returns nullptr if it is
// incomplete or unusual, so that Machine must read it; nothing has been reported then.
template <class Sink>
const char* Tokenizer<Sink>::read_element(TextMode mode, const char* at, const char* end) {
  const char* const close = element_text_end(mode, tags_.tag().name, at, end);
  if (close == nullptr) return nullptr;
  const bool wants_text = sink_.wants_text();
  if (wants_text && find_any(at, close, '&', '\r', '\0') != close) return nullptr;
  const TagReader::Found found = tags_.read(close, end, sink_.interest(), index_);
  if (found == TagReader::Found::nothing) return nullptr;
  if (wants_text && at != close) sink_.text({at, close});
  if (found == TagReader::Found::tag) sink_.tag(tags_.tag());
  return tags_.end_of_tag();
}

// Reports text that ends before '<', so that all references in it are complete.
template <class Sink>
const char* Tokenizer<Sink>::hand_text(const char* begin, const char* end) {
  if (find_any(begin, end, '&', '\r') == end) {
    sink_.text({begin, end});
  } else {
    decoded_.clear();
    append_decoded({begin, end}, false, decoded_);
    sink_.text(decoded_);
  }
  return end;
}

// Reports the text at the end of a piece. Machine takes over where the next piece may matter.
template <class Sink>
const char* Tokenizer<Sink>::hand_last_text(const char* begin, const char* end) {
  const char* const special = find_any(begin, end, '&', '\r');
  if (special != begin) sink_.text({begin, special});
  return special;
}

}  // namespace gossamer::html
