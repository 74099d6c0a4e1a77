#include "record/record_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/escape.h"
#include "base/utf8.h"

namespace gossamer::crawler {
namespace {

// Returns the value without quotes; empty if there is none.
std::string plain_text(const RecordField& field, const FieldValue& value) {
  if (value.state != FieldValue::State::given) return {};
  switch (field.kind) {
    case FieldKind::text: return std::string(value.text);
    case FieldKind::number: return fmt::format("{}", value.number);
    case FieldKind::decimal: return fmt::format("{:.3f}", value.decimal);
    case FieldKind::boolean: return value.boolean ? "true" : "false";
  }
  return {};
}

// The characters that start a formula in Excel, LibreOffice and Google Sheets.
bool looks_like_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

bool is_success(const FetchRecord& record) {
  return record.status && *record.status >= 200 && *record.status < 300 &&
         (record.error.empty() || is_cut_by_limit(record));
}

// The page of an item, and its fields: as columns, or as an object.
FieldChoice item_fields(CrawlFormat format, const std::vector<std::string>& names) {
  FieldChoice fields;
  CHECK(choose_field("url", fields));
  if (format != CrawlFormat::csv) CHECK(choose_field(kExtractedField, fields));
  for (const std::string& name : names) {
    const std::string member = std::string(kExtractedField) + "." + name;
    if (format == CrawlFormat::csv) CHECK(choose_field(member, fields));
  }
  return fields;
}

}  // namespace

void append_csv_cell(std::string& line, std::string_view text, bool is_from_outside) {
  const bool is_formula = is_from_outside && looks_like_formula(text);
  const bool is_quoted = text.find_first_of("\",") != std::string_view::npos ||
                         (!text.empty() && (text.front() == ' ' || text.back() == ' '));
  if (is_quoted) line += '"';
  if (is_formula) line += '\'';
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    std::size_t length = 1;
    if (byte >= 0x80) {
      const base::Utf8Sequence decoded = base::decode_utf8(text);
      length = std::max<std::size_t>(decoded.length, 1);
      if (decoded.length == 0) {
        line += "\xEF\xBF\xBD";
      } else {
        base::append_escaped(line, text.substr(0, length));
      }
    } else if (byte < 0x20 || byte == 0x7F) {
      line += ' ';
    } else {
      if (byte == '"') line += '"';
      line += text.front();
    }
    text.remove_prefix(length);
  }
  if (is_quoted) line += '"';
}

RecordFormat::RecordFormat(CrawlFormat format, FieldChoice fields, const CrawlContents& contents)
    : format_(format),
      fields_(std::move(fields)),
      has_items_(contents.has_items && format != CrawlFormat::urls) {
  if (format_ == CrawlFormat::jsonl) fields_ = with_unique_keys(fields_);
  CHECK(format_ != CrawlFormat::urls || fields_.empty());
  if (!fields_.empty()) return;
  if (has_items_) fields_ = item_fields(format_, contents.extracted);
  if (!fields_.empty()) return;
  if (format_ == CrawlFormat::jsonl) fields_ = all_record_fields();
  if (format_ == CrawlFormat::csv) fields_ = flat_record_fields(contents);
}

std::optional<std::string> RecordFormat::header() const {
  if (format_ != CrawlFormat::csv) return std::nullopt;
  std::string line;
  for (const ChosenField& field : fields_) {
    if (!line.empty()) line += ',';
    line += field.name();
  }
  return line + "\r";
}

std::vector<std::string> RecordFormat::lines(const FetchRecord& record) const {
  std::vector<std::string> lines;
  if (!has_items_) {
    if (auto only = line(record)) lines.push_back(std::move(*only));
    return lines;
  }
  if (record.extracted.empty()) return lines;
  FetchRecord row = record;
  for (const auto item : content::rows_of(record.extracted)) {
    row.extracted.assign(item.begin(), item.end());
    for (content::ExtractedField& field : row.extracted) field.item = 0;
    if (auto one = line(row)) lines.push_back(std::move(*one));
  }
  return lines;
}

std::optional<std::string> RecordFormat::line(const FetchRecord& record) const {
  switch (format_) {
    case CrawlFormat::jsonl: return to_json(record, fields_);
    case CrawlFormat::csv: return csv_line(record);
    case CrawlFormat::text: return fields_.empty() ? to_text(record) : text_line(record);
    case CrawlFormat::urls:
      return is_success(record) ? std::optional(base::escape_for_terminal(record.url))
                                : std::nullopt;
    case CrawlFormat::none: return std::nullopt;
  }
  return std::nullopt;
}

std::string RecordFormat::csv_line(const FetchRecord& record) const {
  std::string line;
  std::string scratch;
  bool is_first = true;
  for (const ChosenField& chosen : fields_) {
    if (!std::exchange(is_first, false)) line += ',';
    append_csv_cell(line, plain_text(*chosen.field, chosen.value(record, scratch)),
                    chosen.field->kind == FieldKind::text);
  }
  return line + "\r";
}

std::string RecordFormat::text_line(const FetchRecord& record) const {
  std::string line;
  std::string scratch;
  bool is_first = true;
  for (const ChosenField& chosen : fields_) {
    if (!std::exchange(is_first, false)) line += '\t';
    const std::string text = plain_text(*chosen.field, chosen.value(record, scratch));
    if (text.empty()) {
      line += '-';
    } else {
      base::append_escaped(line, text);
    }
  }
  return line;
}

}  // namespace gossamer::crawler
