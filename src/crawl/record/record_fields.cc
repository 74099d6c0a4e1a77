#include "record/record_fields.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/json.h"
#include "http/facts.h"
#include "record/field_types.h"

namespace gossamer::crawler {
namespace {

using Record = FetchRecord;
using Value = FieldValue;
using Facts = http::ExchangeFacts;
using Connection = http::ConnectionFacts;
using content::Metadata;

constexpr std::string_view kExtractTruncatedField = "extract_truncated";
constexpr std::string_view kPageKindField = "page_kind";

// --- values that depend on others

template <auto Member>
Value text_or_absent(const Record& record, std::string&) {
  return (record.*Member).empty() ? kAbsent : Value::of_text(record.*Member);
}

// The texts are JSON.
template <auto Member>
Value metadata_json(const Record& record, std::string&) {
  if (!record.metadata) return kAbsent;
  const std::string& json = (*record.metadata).*Member;
  return json.empty() ? kNull : Value::of_json(json);
}

template <auto... Path>
Value of_response(const Record& record, std::string& scratch) {
  return record.status ? show_member<&Record::facts, Path...>(record, scratch) : kAbsent;
}

// A reused connection took no time.
template <auto Member>
Value of_connecting(const Record& record, std::string& scratch) {
  const bool took_time = !record.status || !record.facts.reused;
  return took_time ? of_response<&Facts::connection, Member>(record, scratch)
                   : Value::of_decimal(0);
}

Value json_of_extracted(const Record& record, std::string& scratch) {
  return record.extracted.empty() ? kAbsent : Shown::show(record.extracted, scratch);
}

Value similar_page(const Record& record, std::string&) {
  return record.sketch ? Value::of_text_or_null(record.similar_to) : kAbsent;
}

Value why_truncated(const Record& record, std::string&) {
  return record.is_truncated ? Value::of_text(truncation_of(record)) : kAbsent;
}

Value true_for_guesses(const Record& record, std::string&) {
  return record.is_guess ? Value::of_boolean(true) : kAbsent;
}

Value true_if_scripts_are_needed(const Record& record, std::string&) {
  return record.needs_scripts ? Value::of_boolean(true) : kAbsent;
}

Value are_contents_cut(const Record& record, std::string&) {
  const bool has_contents = !record.extracted.empty() || !record.text.empty() ||
                            !record.markdown.empty() || record.metadata;
  return has_contents ? Value::of_boolean(record.is_extract_truncated) : kAbsent;
}

Value kind_of_page(const Record& record, std::string&) {
  return record.metadata ? Value::of_text_or_null(record.metadata->page_kind) : kAbsent;
}

Value links(const Record& record, std::string& scratch) {
  if (!record.links) return kNull;
  scratch = to_json(*record.links);
  return Value::of_json(scratch);
}

Value headers(const Record& record, std::string& scratch) {
  return Shown::show(header_fields(record.head), scratch);
}

Value protocol(const Record& record, std::string&) {
  return record.status ? Value::of_text(record.facts.protocol) : kAbsent;
}

// --- places in rows: the order, and the bit of the flag

constexpr RowPlace at(std::uint8_t order) { return {.order = order}; }
constexpr RowPlace at(std::uint8_t order, int bit) {
  return {.order = order, .flag = std::uint64_t{1} << bit};
}
// Members of one object are there together.
template <auto Member>
constexpr RowPlace with(std::uint8_t order, int bit) {
  return {.order = order, .flag = std::uint64_t{1} << bit, .is_there = is_given<Member>};
}
constexpr RowPlace in_archive(std::uint8_t order) { return with<&Record::archive>(order, 2); }
constexpr RowPlace in_facts(std::uint8_t order) { return with<&Record::status>(order, 3); }
constexpr RowPlace in_metadata(std::uint8_t order) { return with<&Record::metadata>(order, 17); }
constexpr RowPlace in_sketch(std::uint8_t order) { return with<&Record::sketch>(order, 18); }
constexpr RowPlace in_rendering(std::uint8_t order) { return with<&Record::rendering>(order, 23); }
constexpr RowPlace in_later_metadata(std::uint8_t order) {
  return with<&Record::metadata>(order, 20);
}

// A value that is not in rows.
constexpr RecordField computed(std::string_view name, std::string_view meaning,
                               RecordField::Show show, FieldUse use = FieldUse::normal) {
  return {.name = name, .kind = FieldKind::text, .meaning = meaning, .value = show, .use = use};
}

template <auto Member>
constexpr RecordField metadata(std::string_view name, std::string_view meaning, std::uint8_t order,
                               RecordField::Show show = show_member<&Record::metadata, Member>) {
  return field<&Record::metadata, Member>(name, meaning, in_metadata(order), show);
}

template <auto Member>
constexpr RecordField rendering(std::string_view name, std::string_view meaning,
                                std::uint8_t order) {
  return field<&Record::rendering, Member>(name, meaning, in_rendering(order));
}
// In rows, the flag of a member of its own.
template <auto Member>
constexpr RecordField rendering(std::string_view name, std::string_view meaning, std::uint8_t order,
                                int bit) {
  return field<&Record::rendering, Member>(name, meaning, at(order, bit));
}

template <auto... Path>
constexpr RecordField fact(std::string_view name, std::string_view meaning, std::uint8_t order,
                           RecordField::Show show = of_response<Path...>) {
  return field<&Record::facts, Path...>(name, meaning, in_facts(order), show);
}

// How many texts follow that came to metadata later.
constexpr RecordField kLaterMetadata = {
    .row = in_later_metadata(57),
    .pack = [](store::Packer& to, const Record&) { to.number(1); },
    .unpack = [](store::Unpacker& from, Record&) { static_cast<void>(from.number()); }};

constexpr std::array kFields = std::to_array<RecordField>({
    field<&Record::ts>("ts", "time of the last request: RFC 3339, UTC", at(1)),
    field<&Record::url>("url", "the URL without its fragment", at(3)),
    field<&Record::status>("status", "status of the response; null if there was none", at(20, 0)),
    field<&Record::next_url>("next_url", "target of a redirect, resolved; else null", at(4)),
    field<&Record::error>("error", "null, or a short stable code", at(2)),
    field<&Record::error_detail>("error_detail", "null, or a sentence about the error", at(5)),
    field<&Record::bytes>("bytes", "size of the decoded body", at(13)),
    field<&Record::wire_bytes>("wire_bytes", "bytes received: head and encoded body", at(14)),
    field<&Record::mime>("mime", "content type: text/html; null if the server sent none", at(6)),
    field<&Record::charset>("charset", "encoding of the text; null if it was not read as text",
                            at(7)),
    field<&Record::depth>("depth", "number of links from a root", at(15)),
    field<&Record::via>("via", "page with the link, or URL that redirected here; null for a root",
                        at(8)),
    field<&Record::links_found>("links_found", "distinct links of the crawl on the page", at(16)),
    field<&Record::links_new>("links_new", "new ones among these", at(17)),
    field<&Record::tries>("tries", "number of attempts", at(18)),
    field<&Record::digest>("digest", "digest of the decoded body: xxh3:...; null if there is none",
                           at(21, 1)),
    field<&Record::duplicate_of>("duplicate_of", "first URL with the same body, or null", at(9)),
    field<&Record::similar_to>(
        "similar_to", "first URL with nearly the same main text, or null; absent without `similar`",
        in_sketch(56), similar_page),
    field<&Record::title>("title", "title of the page, or null", at(10)),
    field<&Record::is_truncated>("truncated", "whether a part of the body is missing", at(59, 5)),
    computed(
        "truncated_by",
        "why: length (`max-size`), time, disconnect or unspecified; absent if the body is whole",
        why_truncated),
    field<&Record::is_guess>(
        "guess", "true if the URL is a string in data or a script (`js-links`); else absent",
        at(64, 19), true_for_guesses),
    field<&Record::needs_scripts>(
        "needs_scripts", "true if the page shows little or nothing without scripts; else absent",
        at(74, 26), true_if_scripts_are_needed),
    field<&Record::extracted>(
        kExtractedField, "object with the fields of `extract`, or a list of them; absent without",
        at(35, 11), json_of_extracted),
    computed("text", "main text, with `content` text; else absent", text_or_absent<&Record::text>,
             FieldUse::unstored),
    computed("markdown", "main text as Markdown, with `content` markdown; else absent",
             text_or_absent<&Record::markdown>, FieldUse::unstored),
    field<&Record::is_extract_truncated>(
        kExtractTruncatedField,
        "whether the page was too large for `extract`, `content` or `metadata`", at(63, 12),
        are_contents_cut),
    metadata<&Metadata::language>("metadata.language",
                                  "language that the page declares, with `metadata`", 37),
    metadata<&Metadata::detected_language>("metadata.detected_language",
                                           "language of the text: en; or null", 38),
    metadata<&Metadata::canonical>("metadata.canonical",
                                   "canonical URL that the page names, or null", 39),
    metadata<&Metadata::description>("metadata.description", "description of the page, or null",
                                     40),
    field<&Record::metadata, &Metadata::headline>("metadata.headline",
                                                  "headline of the text, without the site, or null",
                                                  in_later_metadata(58)),
    metadata<&Metadata::author>("metadata.author", "names of the authors, or null", 41),
    metadata<&Metadata::published>("metadata.published", "date of publication, or null", 42),
    metadata<&Metadata::modified>("metadata.modified", "date of the last change, or null", 43),
    field<&Record::metadata, &Metadata::page_kind>("metadata.page_kind", "the same as page_kind",
                                                   at(66, 21)),
    metadata<&Metadata::words>("metadata.words", "words of the visible text", 47),
    metadata<&Metadata::headings>("metadata.headings", "list of headings: level and text", 54),
    metadata<&Metadata::translations>("metadata.hreflang", "list of translations: language and url",
                                      51),
    metadata<&Metadata::open_graph>("metadata.open_graph", "object with the og: properties", 52),
    metadata<&Metadata::twitter>("metadata.twitter", "object with the twitter: properties", 53),
    metadata<&Metadata::json_ld>("metadata.json_ld", "list of the JSON-LD of the page", 44,
                                 metadata_json<&Metadata::json_ld>),
    metadata<&Metadata::json_ld_faults>("metadata.json_ld_faults",
                                        "JSON-LD scripts that could not be read", 46),
    metadata<&Metadata::microdata>("metadata.microdata",
                                   "list of microdata, in the form of JSON-LD", 45,
                                   metadata_json<&Metadata::microdata>),
    metadata<&Metadata::images>("metadata.images", "number of images", 48),
    metadata<&Metadata::images_without_alt>("metadata.images_without_alt",
                                            "images without an alt text", 49),
    metadata<&Metadata::scripts>("metadata.scripts", "number of scripts", 50),
    computed(kPageKindField,
             "article, forum, product and so on, or null; absent without `metadata`", kind_of_page),
    field<&Record::robots>("robots", "what the page forbids: noindex, noarchive; absent if nothing",
                           at(36, 16), text_or_absent<&Record::robots>),
    fact<&Facts::connection, &Connection::remote>(
        "ip", "address of the server or proxy; absent without a response", 25),
    fact<&Facts::protocol>("proto", "protocol: HTTP/1.1 or HTTP/2; absent without a response", 26,
                           protocol),
    field<&Record::archive, &ArchivePlace::file>(
        "warc.file", "archive file with the response; absent if there is none", in_archive(22)),
    field<&Record::archive, &ArchivePlace::offset>(
        "warc.offset", "offset of the record in that file", in_archive(23)),
    field<&Record::archive, &ArchivePlace::length>("warc.length", "compressed size of the record",
                                                   in_archive(24)),
    rendering<&Rendering::why>("rendered.why", "always, empty or hint; absent without `render`",
                               68),
    rendering<&Rendering::error>("rendered.error", "null, or why it could not be rendered", 69),
    rendering<&Rendering::took>("rendered.ms", "milliseconds", 70),
    rendering<&Rendering::requests>("rendered.requests", "requests of the page", 71),
    rendering<&Rendering::has_gained>("rendered.gained", "whether it gained links or text", 72, 24),
    rendering<&Rendering::is_cut>("rendered.truncated", "whether the rendered page was cut", 73,
                                  25),
    fact<&Facts::connection, &Connection::dns>("timings.dns", "milliseconds to resolve the name",
                                               27, of_connecting<&Connection::dns>),
    fact<&Facts::connection, &Connection::connect>("timings.connect", "milliseconds to connect", 28,
                                                   of_connecting<&Connection::connect>),
    fact<&Facts::connection, &Connection::handshake>("timings.tls",
                                                     "milliseconds for TLS and the proxy", 29,
                                                     of_connecting<&Connection::handshake>),
    fact<&Facts::first_byte>("timings.ttfb", "milliseconds until the response began", 30),
    fact<&Facts::total>("timings.total", "milliseconds until the response ended", 31),
    computed(kLinksField, "list of all links: url, kind, text, rel; null if the page was not read",
             links, FieldUse::named),
    computed(kHeadersField, "object with the header fields of the response, or null", headers,
             FieldUse::named),
    // Fields without names are only stored.
    stored<&Record::etag>(at(11)),
    stored<&Record::last_modified>(at(12)),
    stored<&Record::confirmed>(at(19, 9)),
    stored<&Record::facts, &Facts::bytes_sent>(in_facts(32)),
    stored<&Record::facts, &Facts::bytes_received>(in_facts(33)),
    stored<&Record::text_digest>(at(34, 10)),
    stored<&Record::sketch>(in_sketch(55)),
    kLaterMetadata,
    stored<&Record::metadata, &Metadata::has_several_canonicals>(at(67, 22)),
    stored<&Record::is_requisite>(at(65, 4)),
    stored<&Record::is_leaf>(at(60, 6)),
    stored<&Record::facts, &Facts::reused>(at(61, 7)),
    stored<&Record::facts, &Facts::connection, &Connection::is_tls>(at(62, 8)),
});

constexpr auto kShownFields = std::ranges::count_if(kFields, &RecordField::value);

constexpr auto order_in_row = [](const RecordField* field) { return field->row.order; };

constexpr auto flag_of = [](const RecordField* field) { return field->row.flag; };

constexpr auto kRow = [] {
  constexpr auto kSize =
      std::ranges::count_if(kFields, [](const RecordField& one) { return one.row.order != 0; });
  std::array<const RecordField*, kSize> row = {};
  std::size_t size = 0;
  for (const RecordField& field : kFields) {
    if (field.row.order != 0) row[size++] = &field;
  }
  std::ranges::sort(row, {}, order_in_row);
  return row;
}();
static_assert(std::ranges::adjacent_find(kRow, {}, order_in_row) == kRow.end());
// A new field takes the next of both, at(75, 27), and this line.
static_assert(kRow.back()->row.order == 74 &&
              std::ranges::max(kRow, {}, flag_of)->row.flag == std::uint64_t{1} << 26);
// A flag belongs to one field, or to members of one object.
static_assert(std::ranges::all_of(kRow, [](const RecordField* one) {
  return std::ranges::all_of(kRow, [one](const RecordField* other) {
    const bool is_shared = one != other && one->row.flag != 0 && one->row.flag == other->row.flag;
    return !is_shared || (one->row.is_there != nullptr && one->row.is_there == other->row.is_there);
  });
}));

// Returns "timings" for "timings.total"; empty for a field outside an object.
std::string_view object_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

// The object that the field is a member of; empty: none.
std::string_view group_of(const ChosenField& chosen) {
  return chosen.member.empty() ? object_of(chosen.field->name) : chosen.field->name;
}

void add_member(base::JsonLine& line, std::string_view name, FieldKind kind, const Value& value) {
  if (value.state == Value::State::absent) return;
  if (value.state == Value::State::null) {
    line.null(name);
    return;
  }
  if (value.is_json) {
    line.raw(name, value.text);
    return;
  }
  switch (kind) {
    case FieldKind::text: line.text(name, value.text); return;
    case FieldKind::number: line.number(name, value.number); return;
    case FieldKind::decimal: line.decimal(name, value.decimal, 3); return;
    case FieldKind::boolean: line.boolean(name, value.boolean); return;
  }
}

}  // namespace

std::string_view describe(FieldKind kind) noexcept {
  switch (kind) {
    case FieldKind::text: return "text";
    case FieldKind::number:
    case FieldKind::decimal: return "number";
    case FieldKind::boolean: return "true or false";
  }
  return {};
}

std::span<const RecordField> record_fields() { return std::span(kFields).first(kShownFields); }

std::span<const RecordField* const> row_fields() { return kRow; }

std::string ChosenField::name() const {
  std::string name(field->name);
  if (!member.empty()) name.append(".").append(member);
  return name;
}

FieldValue ChosenField::value(const FetchRecord& record, std::string& scratch) const {
  if (member.empty()) return field->value(record, scratch);
  if (record.extracted.empty()) return kAbsent;
  const content::ExtractedField* const found = content::find_field(record.extracted, member);
  if (found == nullptr) return kNull;
  if (found->is_list) {
    scratch = content::value_json(*found);
    return Value::of_json(scratch);
  }
  return found->values.empty() ? kNull : Value::of_text(found->values.front());
}

FieldChoice all_record_fields() {
  FieldChoice all;
  for (const RecordField& field : record_fields()) {
    if (field.use != FieldUse::named) all.push_back({.field = &field});
  }
  return all;
}

FieldChoice stored_record_fields() {
  FieldChoice stored;
  for (const RecordField& field : record_fields()) {
    if (field.is_stored()) stored.push_back({.field = &field});
  }
  return stored;
}

namespace {

bool is_of_metadata(const RecordField& field) {
  return field.name == kPageKindField || object_of(field.name) == kMetadataField;
}

bool is_possible(const RecordField& field, const CrawlContents& contents) {
  const bool has_contents = !contents.extracted.empty() || contents.has_metadata;
  if (field.name == kExtractTruncatedField) return has_contents;
  if (is_of_metadata(field)) return contents.has_metadata;
  return object_of(field.name) != kRenderedField || contents.has_rendering;
}

}  // namespace

FieldChoice flat_record_fields(const CrawlContents& contents) {
  FieldChoice flat;
  for (const RecordField& field : record_fields()) {
    if (field.name == kExtractedField) {
      for (const std::string& member : contents.extracted) flat.push_back({&field, member});
      continue;
    }
    if (field.is_stored() && is_possible(field, contents)) flat.push_back({.field = &field});
  }
  return flat;
}

bool choose_field(std::string_view name, FieldChoice& choice) {
  bool is_found = false;
  for (const RecordField& field : record_fields()) {
    if (field.name == kExtractedField && object_of(name) == kExtractedField) {
      choice.push_back({&field, std::string(name.substr(kExtractedField.size() + 1))});
      return true;
    }
    if (field.name != name && (name.empty() || object_of(field.name) != name)) continue;
    choice.push_back({.field = &field});
    is_found = true;
  }
  return is_found;
}

FieldChoice with_unique_keys(std::span<const ChosenField> fields) {
  FieldChoice unique;
  const auto key_of = [](const ChosenField& field) {
    return group_of(field).empty() ? field.field->name : group_of(field);
  };
  for (const ChosenField& first : fields) {
    const auto has_key = [&](const ChosenField& other) { return key_of(other) == key_of(first); };
    if (std::ranges::any_of(unique, has_key)) continue;
    const auto is_whole = [&](const ChosenField& other) {
      return has_key(other) && group_of(other).empty();
    };
    // The whole object has all its members.
    if (const auto whole = std::ranges::find_if(fields, is_whole); whole != fields.end()) {
      unique.push_back(*whole);
      continue;
    }
    for (const ChosenField& member : fields) {
      const auto is_same = [&](const ChosenField& other) { return other.name() == member.name(); };
      if (has_key(member) && std::ranges::none_of(unique, is_same)) unique.push_back(member);
    }
  }
  return unique;
}

std::string to_json(const FetchRecord& record, std::span<const ChosenField> fields) {
  base::JsonLine line;
  base::JsonLine object;
  std::string scratch;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const ChosenField& chosen = fields[i];
    const RecordField& field = *chosen.field;
    const Value value = chosen.value(record, scratch);
    const std::string_view group = group_of(chosen);
    if (group.empty()) {
      add_member(line, field.name, field.kind, value);
      continue;
    }
    const std::string_view member =
        chosen.member.empty() ? field.name.substr(group.size() + 1) : chosen.member;
    add_member(object, member, field.kind, value);
    const bool is_last = i + 1 == fields.size() || group_of(fields[i + 1]) != group;
    if (!is_last) continue;
    const std::string json = object.finish();
    if (value.state != Value::State::absent) line.raw(group, json);
  }
  return line.finish();
}

}  // namespace gossamer::crawler
