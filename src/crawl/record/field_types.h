// How the members of a record are shown, read again and stored, by their types. Only the table of
// fields (record_fields.cc) includes it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/errc.h"
#include "base/json_value.h"
#include "base/packing.h"
#include "record/record.h"
#include "record/record_fields.h"

namespace gossamer::crawler {

inline constexpr FieldValue kNull = {.state = FieldValue::State::null};
inline constexpr FieldValue kAbsent = {.state = FieldValue::State::absent};

template <class T>
concept Number = std::unsigned_integral<T> && !std::same_as<T, bool>;

using Milliseconds = std::chrono::duration<double, std::milli>;

// Codes in records are views of texts with static lifetime. Returns the one that is equal.
inline std::string_view known_code(std::string_view text) {
  constexpr auto kKnown = std::to_array<std::string_view>(
      {"", "HTTP/1.1", "HTTP/2", "HTTP/1.0", kTooManyRedirects, kRedirectLoop, kBadRedirect,
       kUnwantedType, kRenderedAlways, kRenderedEmpty, kRenderedHint});
  for (const std::string_view known : kKnown) {
    if (text == known) return known;
  }
  for (std::size_t i = 0; i < base::kErrcCount; ++i) {
    const std::string_view known = base::name(static_cast<Errc>(i));
    if (text == known) return known;
  }
  return text.starts_with("HTTP/") ? std::string_view() : base::name(Errc::internal);
}

struct Shown {
  static FieldValue show(std::string_view text, std::string&) {
    return FieldValue::of_text_or_null(text);
  }
  static FieldValue show(Number auto number, std::string&) { return FieldValue::of_number(number); }
  static FieldValue show(std::same_as<bool> auto boolean, std::string&) {
    return FieldValue::of_boolean(boolean);
  }
  static FieldValue show(Duration duration, std::string&) {
    return FieldValue::of_decimal(Milliseconds(duration).count());
  }
  static FieldValue show(const WallTime& time, std::string& scratch) {
    scratch = base::to_rfc3339(time, base::SecondDigits::milli);
    return FieldValue::of_text(scratch);
  }
  static FieldValue show(const std::optional<int>& status, std::string&) {
    return status ? FieldValue::of_number(static_cast<std::uint64_t>(*status)) : kNull;
  }
  static FieldValue show(const std::optional<std::uint64_t>& digest, std::string& scratch) {
    if (!digest) return kNull;
    scratch = fmt::format("xxh3:{:016x}", *digest);
    return FieldValue::of_text(scratch);
  }
  static FieldValue show(const async::Endpoint& endpoint, std::string& scratch) {
    scratch = endpoint.address_text();
    return FieldValue::of_text(scratch);
  }
  template <class T>
  static FieldValue show(const std::vector<T>& list, std::string& scratch) {
    if (list.empty()) return kNull;
    scratch = to_json(list);
    return FieldValue::of_json(scratch);
  }
};

template <class T>
constexpr FieldKind kind_of() {
  if constexpr (Number<T> || std::same_as<T, std::optional<int>>) return FieldKind::number;
  if constexpr (std::same_as<T, Duration>) return FieldKind::decimal;
  return std::same_as<T, bool> ? FieldKind::boolean : FieldKind::text;
}

// A value of another type leaves the member as it is. Lists are not read.
struct FromJson {
  using Json = base::JsonValue;

  static void read(const Json& value, std::string& text) {
    if (value.kind == Json::Kind::text) text = value.text;
  }
  static void read(const Json& value, std::string_view& code) {
    if (value.kind == Json::Kind::text) code = known_code(value.text);
  }
  static void read(const Json& value, bool& boolean) { boolean = value.text == "true"; }
  template <Number T>
  static void read(const Json& value, T& number) {
    number = static_cast<T>(value.as_number().value_or(0));
  }
  static void read(const Json& value, std::optional<int>& status) {
    const std::uint64_t number = value.as_number().value_or(0);
    if (number > 0 && number < 1000) status = static_cast<int>(number);
  }
  static void read(const Json& value, Duration& duration) {
    double number = 0;
    const char* const end = value.text.data() + value.text.size();
    const auto [stop, error] = std::from_chars(value.text.data(), end, number);
    const bool is_good = error == std::errc() && stop == end && number >= 0 && number < 1e12;
    if (is_good) duration = std::chrono::duration_cast<Duration>(Milliseconds(number));
  }
  static void read(const Json& value, async::Endpoint& endpoint) {
    if (auto address = async::Endpoint::parse_address(value.text)) endpoint = *address;
  }
};

// Values in rows. An optional value is only there if it is given.
struct InRow {
  using Packer = store::Packer;
  using Unpacker = store::Unpacker;

  static void pack(Packer& to, std::string_view text) { to.text(text); }
  static void pack(Packer& to, Number auto number) { to.number(number); }
  static void pack(Packer& to, std::same_as<bool> auto boolean) { to.number(boolean ? 1 : 0); }
  static void pack(Packer& to, Duration duration) { to.signed_number(duration.count()); }
  static void pack(Packer& to, const std::optional<int>& status) { to.signed_number(*status); }
  static void pack(Packer& to, const std::optional<std::uint64_t>& digest) { to.fixed64(*digest); }
  static void pack(Packer& to, const async::Endpoint& endpoint) { to.text(endpoint.to_string()); }
  static void pack(Packer& to, const WallTime& time) {
    to.signed_number(time.seconds);
    to.number(time.nanoseconds);
  }
  static void pack(Packer& to, const std::optional<WallTime>& time) {
    to.signed_number(time->seconds);
  }
  static void pack(Packer& to, const std::shared_ptr<const content::TextSketch>& sketch) {
    to.fixed64(sketch->digest);
    to.text(as_text(std::as_bytes(std::span(sketch->values))));
  }
  static void pack(Packer& to, const content::ExtractedField& field) {
    to.text(field.name);
    to.number(2 * std::uint64_t{field.item} + (field.is_list ? 1 : 0));
    pack(to, field.values);
  }
  template <class T>
  static void pack(Packer& to, const std::vector<T>& list) {
    to.number(list.size());
    for (const T& item : list) pack(to, item);
  }
  template <class Item>
    requires std::is_aggregate_v<Item>
  static void pack(Packer& to, const Item& item) {
    std::apply([&](const auto&... member) { (pack(to, member), ...); }, members_of(item));
  }

  static void unpack(Unpacker& from, std::string& text) { text = from.text(); }
  static void unpack(Unpacker& from, std::string_view& code) { code = known_code(from.text()); }
  template <Number T>
  static void unpack(Unpacker& from, T& number) {
    number = static_cast<T>(from.number());
  }
  static void unpack(Unpacker& from, bool& boolean) { boolean = from.number() != 0; }
  static void unpack(Unpacker& from, Duration& duration) {
    duration = Duration(from.signed_number());
  }
  static void unpack(Unpacker& from, std::optional<int>& status) {
    status = static_cast<int>(from.signed_number());
  }
  static void unpack(Unpacker& from, std::optional<std::uint64_t>& digest) {
    digest = from.fixed64();
  }
  static void unpack(Unpacker& from, async::Endpoint& endpoint) {
    if (auto parsed = async::Endpoint::parse(from.text())) endpoint = *parsed;
  }
  static void unpack(Unpacker& from, WallTime& time) {
    time.seconds = from.signed_number();
    time.nanoseconds = static_cast<std::uint32_t>(from.number());
  }
  static void unpack(Unpacker& from, std::optional<WallTime>& time) {
    time = WallTime{.seconds = from.signed_number()};
  }
  static void unpack(Unpacker& from, std::shared_ptr<const content::TextSketch>& sketch) {
    content::TextSketch read = {.digest = from.fixed64()};
    const Bytes values = as_bytes(from.text());
    std::ranges::copy(values.first(std::min(values.size(), read.values.size())),
                      std::as_writable_bytes(std::span(read.values)).begin());
    sketch = std::make_shared<const content::TextSketch>(read);
  }
  static void unpack(Unpacker& from, content::ExtractedField& field) {
    field.name = from.text();
    const std::uint64_t item_and_list = from.number();
    field.is_list = item_and_list % 2 == 1;
    field.item = static_cast<std::uint32_t>(item_and_list / 2);
    unpack(from, field.values);
  }
  template <class T>
  static void unpack(Unpacker& from, std::vector<T>& list) {
    for (std::uint64_t left = from.number(); left > 0 && from.is_good(); --left) {
      unpack(from, list.emplace_back());
    }
  }
  template <class Item>
    requires std::is_aggregate_v<Item>
  static void unpack(Unpacker& from, Item& item) {
    std::apply([&](auto&... member) { (unpack(from, member), ...); }, members_of(item));
  }

  // The members of an item of a list, in their order in rows.
  template <class Item>
  static auto members_of(Item& item) {
    if constexpr (requires { item.value; }) {
      return std::tie(item.name, item.value);
    } else if constexpr (requires { item.level; }) {
      return std::tie(item.level, item.text);
    } else {
      return std::tie(item.language, item.url);
    }
  }
};

// Returns the member at the end of a path: find_member<&FetchRecord::archive, &ArchivePlace::file>.
// nullptr: an object on the way is missing.
template <auto Member, auto... Rest>
const auto* find_member(const auto& object) {
  const auto& member = object.*Member;
  if constexpr (sizeof...(Rest) == 0) {
    return &member;
  } else if constexpr (requires { *member; }) {
    return member ? find_member<Rest...>(*member) : nullptr;
  } else {
    return find_member<Rest...>(member);
  }
}

// The same, and makes objects that are missing. REQUIRES: no other record has them.
template <auto Member, auto... Rest>
auto& make_member(auto& object) {
  auto& member = object.*Member;
  if constexpr (sizeof...(Rest) == 0) {
    return member;
  } else if constexpr (requires { member.emplace(); }) {
    return make_member<Rest...>(member ? *member : member.emplace());
  } else if constexpr (requires { *member; }) {
    using Object = std::remove_cvref_t<decltype(*member)>;
    if (!member) member = std::make_shared<Object>();
    return make_member<Rest...>(const_cast<Object&>(*member));
  } else {
    return make_member<Rest...>(member);
  }
}

template <auto... Path>
using MemberType =
    std::remove_cvref_t<decltype(*find_member<Path...>(std::declval<const FetchRecord&>()))>;

template <auto... Path>
bool is_given(const FetchRecord& record) {
  const auto* const member = find_member<Path...>(record);
  return member != nullptr && *member != MemberType<Path...>();
}

// Shows a member; absent if an object on the way is missing.
template <auto... Path>
FieldValue show_member(const FetchRecord& record, std::string& scratch) {
  const auto* const member = find_member<Path...>(record);
  return member == nullptr ? kAbsent : Shown::show(*member, scratch);
}

// A field that rows have, but no output.
template <auto... Path>
constexpr RecordField stored(RowPlace row) {
  using Type = MemberType<Path...>;
  RecordField field = {.kind = kind_of<Type>(), .row = row};
  if (row.flag != 0 && row.is_there == nullptr) field.row.is_there = is_given<Path...>;
  if constexpr (std::same_as<Type, bool>) {  // its flag says it
    field.pack = [](store::Packer&, const FetchRecord&) {};
    field.unpack = [](store::Unpacker&, FetchRecord& record) {
      make_member<Path...>(record) = true;
    };
  } else {
    field.pack = [](store::Packer& to, const FetchRecord& record) {
      InRow::pack(to, *find_member<Path...>(record));
    };
    field.unpack = [](store::Unpacker& from, FetchRecord& record) {
      InRow::unpack(from, make_member<Path...>(record));
    };
  }
  return field;
}

template <auto... Path>
constexpr RecordField field(std::string_view name, std::string_view meaning, RowPlace row = {},
                            RecordField::Show show = show_member<Path...>) {
  RecordField field = stored<Path...>(row);
  field.name = name;
  field.meaning = meaning;
  field.value = show;
  if constexpr (requires(const base::JsonValue& value, MemberType<Path...>& member) {
                  FromJson::read(value, member);
                }) {
    field.read = [](const base::JsonValue& value, FetchRecord& record) {
      FromJson::read(value, make_member<Path...>(record));
    };
  }
  return field;
}

}  // namespace gossamer::crawler
