// CHECK is for our own bugs: it stays on in release builds, prints where and why, and aborts.
// Failures from outside (bytes, peers, disks) are never a CHECK but a Result.
//
//   CHECK(slot.in_flight > 0);
//   CHECK(frames == 0, "{} frames of loop {} are still alive", frames, name);
//   CHECK_EQ(written, record.size());     // also prints both values
//   DCHECK(is_sorted(entries));           // for what is too dear in release
#pragma once

#include <concepts>
#include <cstdio>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/message.h"

// DCHECK is on in debug builds and under the sanitizers; -DGOSSAMER_DCHECKS=0 or 1 overrides.
#ifndef GOSSAMER_DCHECKS
#if !defined(NDEBUG) || __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GOSSAMER_DCHECKS 1
#else
#define GOSSAMER_DCHECKS 0
#endif
#endif

namespace gossamer::base {

// Prints the context of a failure; the runtime registers one that prints the async stack. It runs
// on the failing thread, whose state is suspect, so it should allocate and lock as little as
// possible.
using CheckContextPrinter = void (*)(std::FILE* out);

// Registers the only printer, or none with nullptr. Returns the previous one. Any thread may call
// it.
CheckContextPrinter set_check_context(CheckContextPrinter printer) noexcept;

struct CheckSite {
  const char* file;
  int line;
  const char* expression;
};

// Prints the site, the message and the registered context to stderr, and aborts. A failure inside
// the context printer ends the process immediately. Other threads that fail meanwhile print their
// own line and leave the abort to the first.
[[noreturn, gnu::cold, gnu::noinline]] void check_failed_with(const CheckSite& site,
                                                              std::string_view message) noexcept;

[[noreturn, gnu::cold, gnu::noinline]] void check_failed(const CheckSite& site) noexcept;

template <class... Args>
  requires(sizeof...(Args) < 16)
[[noreturn, gnu::cold, gnu::noinline]] void check_failed(const CheckSite& site,
                                                         MessageFormat<sizeof...(Args)> format,
                                                         const Args&... args) noexcept {
  check_failed_with(site, format_message(format.text(), {Arg(args)...}));
}

namespace check_detail {

template <class T, class... Others>
concept OneOf = (std::same_as<T, Others> || ...);

// The types that std::cmp_equal and its siblings accept: they reject bool and the character types.
template <class T>
concept Number = std::integral<T> && !OneOf<T, bool, char, wchar_t, char8_t, char16_t, char32_t>;

template <class T>
Arg printable(const T& value) noexcept {
  if constexpr (std::is_constructible_v<Arg, const T&>) {
    return Arg(value);
  } else if constexpr (std::is_enum_v<T>) {
    return Arg(static_cast<std::underlying_type_t<T>>(value));
  } else {
    return Arg("(not printable)");
  }
}

[[noreturn, gnu::cold, gnu::noinline]] void compare_failed(const CheckSite& site, Arg left,
                                                           Arg right) noexcept;

// Compares numbers by value, whatever their signs, so CHECK_EQ(list.size(), 3) works.
#define GOSSAMER_CHECK_COMPARISON_(function, op, compare_numbers)                 \
  template <class L, class R>                                                     \
  constexpr void function(const CheckSite& site, const L& left, const R& right) { \
    if constexpr (Number<L> && Number<R>) {                                       \
      if (std::compare_numbers(left, right)) [[likely]]                           \
        return;                                                                   \
    } else {                                                                      \
      if (left op right) [[likely]]                                               \
        return;                                                                   \
    }                                                                             \
    compare_failed(site, printable(left), printable(right));                      \
  }

GOSSAMER_CHECK_COMPARISON_(check_eq, ==, cmp_equal)
GOSSAMER_CHECK_COMPARISON_(check_ne, !=, cmp_not_equal)
GOSSAMER_CHECK_COMPARISON_(check_lt, <, cmp_less)
GOSSAMER_CHECK_COMPARISON_(check_le, <=, cmp_less_equal)
GOSSAMER_CHECK_COMPARISON_(check_gt, >, cmp_greater)
GOSSAMER_CHECK_COMPARISON_(check_ge, >=, cmp_greater_equal)
#undef GOSSAMER_CHECK_COMPARISON_

}  // namespace check_detail
}  // namespace gossamer::base

#define GOSSAMER_CHECK_SITE_(text) (::gossamer::base::CheckSite{__FILE__, __LINE__, text})

// An expression, so that it can be used wherever a call can. The message is built only on failure.
#define GOSSAMER_CHECK_(condition, text, ...)        \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? static_cast<void>(0)                        \
       : ::gossamer::base::check_failed(GOSSAMER_CHECK_SITE_(text) __VA_OPT__(, ) __VA_ARGS__))

#define GOSSAMER_CHECK_OP_(function, left, op, right)                                             \
  ::gossamer::base::check_detail::function(GOSSAMER_CHECK_SITE_(#left " " op " " #right), (left), \
                                           (right))

#define CHECK(condition, ...) GOSSAMER_CHECK_(condition, #condition __VA_OPT__(, ) __VA_ARGS__)

// Both sides are evaluated once.
#define CHECK_EQ(left, right) GOSSAMER_CHECK_OP_(check_eq, left, "==", right)
#define CHECK_NE(left, right) GOSSAMER_CHECK_OP_(check_ne, left, "!=", right)
#define CHECK_LT(left, right) GOSSAMER_CHECK_OP_(check_lt, left, "<", right)
#define CHECK_LE(left, right) GOSSAMER_CHECK_OP_(check_le, left, "<=", right)
#define CHECK_GT(left, right) GOSSAMER_CHECK_OP_(check_gt, left, ">", right)
#define CHECK_GE(left, right) GOSSAMER_CHECK_OP_(check_ge, left, ">=", right)

#if GOSSAMER_DCHECKS
#define DCHECK(condition, ...) GOSSAMER_CHECK_(condition, #condition __VA_OPT__(, ) __VA_ARGS__)
#else
// The condition is compiled, so that it cannot rot, but never evaluated.
#define DCHECK(condition, ...) \
  (true ? static_cast<void>(0) : GOSSAMER_CHECK_(condition, #condition __VA_OPT__(, ) __VA_ARGS__))
#endif
