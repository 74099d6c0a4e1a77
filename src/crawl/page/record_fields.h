// What a record consists of, in one table: the name of each field, what it means, how it is
// written. JSON, CSV, `--fields`, `--list-fields` and the manual all go by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crawl/page/record.h"

namespace gossamer::crawler {

enum class FieldKind : std::uint8_t { text, number, decimal, boolean };

// "text", "number", "true or false", for people.
std::string_view describe(FieldKind kind) noexcept;

// One field of one record.
struct FieldValue {
  enum class State : std::uint8_t {
    given,
    null,    // there is none
    absent,  // nothing came, so there could be none
  };

  static FieldValue of_text(std::string_view text) { return {.text = text}; }
  // An empty text says that there is none.
  static FieldValue of_text_or_null(std::string_view text) {
    return {.state = text.empty() ? State::null : State::given, .text = text};
  }
  static FieldValue of_number(std::uint64_t number) { return {.number = number}; }
  static FieldValue of_decimal(double decimal) { return {.decimal = decimal}; }
  static FieldValue of_boolean(bool boolean) { return {.boolean = boolean}; }

  State state = State::given;
  std::string_view text = {};
  std::uint64_t number = 0;
  double decimal = 0;  // written with three digits behind the point
  bool boolean = false;
};

struct RecordField {
  // Stable: files are read by it. "timings.total" is the member `total` of an object `timings`.
  std::string_view name;
  FieldKind kind;
  std::string_view meaning;
  // BORROWS: a text looks into the record or into `scratch`.
  FieldValue (*value)(const FetchRecord& record, std::string& scratch);
};

// All there are, in the order in which they are written. Members of one object stand together.
std::span<const RecordField> record_fields();

// Some of them, in the order in which they were chosen.
using FieldChoice = std::vector<const RecordField*>;

FieldChoice all_record_fields();
// The field of that name, or all members of the object of that name, at the end of `choice`. False:
// there is none.
bool choose_field(std::string_view name, FieldChoice& choice);

// One object, without a line feed.
std::string to_json(const FetchRecord& record, std::span<const RecordField* const> fields);

}  // namespace gossamer::crawler
