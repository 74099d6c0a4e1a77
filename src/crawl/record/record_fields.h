// The table of all fields of a record: name, meaning, format and place in stored rows. It writes
// and reads JSON and rows, and is the source of CSV, SQLite, `--fields`, `--list-fields`, the
// manual and the attributes in Python. A new field is a line of the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/record.h"

namespace gossamer::base {
struct JsonValue;
}
namespace gossamer::store {
class Packer;
class Unpacker;
}  // namespace gossamer::store

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

// The place of a field in stored rows, which must not change: rows have no names. A field with a
// flag is only there if it has a value.
struct RowPlace {
  std::uint8_t order = 0;                                 // 0: it is not stored
  std::uint64_t flag = 0;                                 // 0: every row has it
  bool (*is_there)(const FetchRecord& record) = nullptr;  // nullptr: if it is not empty
};

// Where a field is besides JSON.
enum class FieldUse : std::uint8_t {
  normal,
  unstored,  // not in crawl directories, and not in CSV unless it is named
  named,     // nowhere unless it is named
};

struct RecordField {
  using Show = FieldValue (*)(const FetchRecord& record, std::string& scratch);

  // Stable, since programs read it. "timings.total" is the member `total` of an object `timings`.
  std::string_view name;
  FieldKind kind = FieldKind::text;
  std::string_view meaning;
  // nullptr: it is only stored. BORROWS: a text points into the record or into `scratch`.
  Show value = nullptr;
  // Reads the value from a line of output. nullptr: it cannot be read again.
  void (*read)(const base::JsonValue& value, FetchRecord& record) = nullptr;
  RowPlace row = {};
  // nullptr unless it has a place in rows.
  void (*pack)(store::Packer& packer, const FetchRecord& record) = nullptr;
  void (*unpack)(store::Unpacker& from, FetchRecord& record) = nullptr;
  FieldUse use = FieldUse::normal;

  bool is_stored() const { return use == FieldUse::normal; }
};

// All fields that are shown, in the order of the output. Members of one object are adjacent.
std::span<const RecordField> record_fields();
// The fields of stored rows, in their order.
std::span<const RecordField* const> row_fields();

// The field with the values of Settings::extract. Its members have the names of the user.
inline constexpr std::string_view kExtractedField = "extracted";
// The fields that records have only if Settings::keeps_links and keeps_heads are set.
inline constexpr std::string_view kLinksField = "links";
inline constexpr std::string_view kHeadersField = "headers";
// The object with what pages state about themselves (Settings::keeps_metadata).
inline constexpr std::string_view kMetadataField = "metadata";
// The object with what a browser did (Settings::renders).
inline constexpr std::string_view kRenderedField = "rendered";

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
// All that crawl directories have.
FieldChoice stored_record_fields();
// The contents that a crawl adds to its records.
struct CrawlContents {
  std::vector<std::string> extracted = {};  // names of the fields of Settings::extract
  bool has_metadata = false;                // Settings::keeps_metadata
  bool has_rendering = false;               // Settings::renders
  bool has_items = false;                   // Settings::items
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
