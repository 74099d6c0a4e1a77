// The table of all fields of a record: name, meaning and format. It is the source of JSON, CSV,
// `--fields`, `--list-fields` and the manual.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/record.h"

namespace gossamer::crawler {

enum class FieldKind : std::uint8_t { text, number, decimal, boolean };

// "text", "number", "true or false", for people.
std::string_view describe(FieldKind kind) noexcept;

// One field of one record.
struct FieldValue {
  enum class State : std::uint8_t {
    given,
    null,    // no value
    absent,  // no response, so there cannot be a value
  };

  static FieldValue of_text(std::string_view text) { return {.text = text}; }
  // An empty text means no value.
  static FieldValue of_text_or_null(std::string_view text) {
    return {.state = text.empty() ? State::null : State::given, .text = text};
  }
  static FieldValue of_number(std::uint64_t number) { return {.number = number}; }
  static FieldValue of_decimal(double decimal) { return {.decimal = decimal}; }
  static FieldValue of_boolean(bool boolean) { return {.boolean = boolean}; }
  static FieldValue of_json(std::string_view json) { return {.text = json, .is_json = true}; }

  State state = State::given;
  std::string_view text = {};
  std::uint64_t number = 0;
  double decimal = 0;  // written with three decimals
  bool boolean = false;
  bool is_json = false;  // the text is JSON: an object or a list
};

struct RecordField {
  // Stable, since programs read it. "timings.total" is the member `total` of an object `timings`.
  std::string_view name;
  FieldKind kind;
  std::string_view meaning;
  // BORROWS: a text points into the record or into `scratch`.
  FieldValue (*value)(const FetchRecord& record, std::string& scratch);
  bool is_stored = true;  // in crawl directories
};

// All fields, in the order of the output. Members of one object are adjacent.
std::span<const RecordField> record_fields();

// The field with the values of Settings::extract. Its members have the names of the user.
inline constexpr std::string_view kExtractedField = "extracted";
// The object with what pages state about themselves (Settings::keeps_metadata).
inline constexpr std::string_view kMetadataField = "metadata";

// A field, or one member of "extracted".
struct ChosenField {
  const RecordField* field = nullptr;
  std::string member = {};  // empty: the whole field

  // "status", "extracted.price".
  std::string name() const;
  // BORROWS: like RecordField::value.
  FieldValue value(const FetchRecord& record, std::string& scratch) const;
};

// A selection of fields, in the user's order.
using FieldChoice = std::vector<ChosenField>;

FieldChoice all_record_fields();
// The contents that a crawl adds to its records.
struct CrawlContents {
  std::vector<std::string> extracted = {};  // names of the fields of Settings::extract
  bool has_metadata = false;                // Settings::keeps_metadata
};
// All that fit into a line, with members of "extracted" instead of the whole object. Fields that
// no page of the crawl can have are left out.
FieldChoice flat_record_fields(const CrawlContents& contents);
// Appends the field of that name, or all members of the object of that name, to `choice`. Returns
// false if there is none. Any member of "extracted" is accepted.
bool choose_field(std::string_view name, FieldChoice& choice);

// Returns the fields in an order in which each object is whole, at the place of its first member;
// a repeated field is left out.
FieldChoice with_unique_keys(std::span<const ChosenField> fields);

// One object, without a line feed. REQUIRES: unique keys, or one would occur twice.
std::string to_json(const FetchRecord& record, std::span<const ChosenField> fields);

}  // namespace gossamer::crawler
