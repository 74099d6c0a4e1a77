#include "bench/profile/parts.h"

#include <array>

namespace gossamer::bench {
namespace {

enum Part : std::size_t {
  kKernel,
  kRuntime,
  kClient,
  kEncoding,
  kDigest,
  kTokens,
  kFacts,
  kLinks,
  kUrl,
  kSeen,
  kFrontier,
  kVisit,
  kMemory,
  kBytes,
  kRest,
  kCount,
};

constexpr std::array<std::string_view, kCount> kNames = {
    "kernel: send, receive, TCP, copying",
    "runtime: loop, driver, timers, clock",
    "client: request, head, framing, pool",
    "encoding: sniffed and checked",
    "digest of the body",
    "tokens: tags, attributes",
    "title and other facts",
    "links found and kept",
    "URLs: resolved, normalised, fingerprinted",
    "links: seen before? allowed?",
    "frontier and politeness",
    "visit and record",
    "allocating",
    "strings: copying and searching bytes",
    "everything else",
};

// The first matching rule wins. Names are compared by prefix.
struct Rule {
  std::string_view object;  // contained in the object's name; empty: any
  std::string_view name;    // begins the function's name; empty: any
  Part part;
};

constexpr Rule kRules[] = {
    {"[kernel", "", kKernel},
    {"[vdso]", "", kRuntime},
    // Libraries, by the names of their functions: they may be linked statically.
    {"", "io_uring_", kRuntime},
    {"", "__io_uring_", kRuntime},
    {"", "_io_uring_", kRuntime},
    {"", "XXH3_64bits_update", kDigest},
    {"", "XXH3_64bits_digest", kDigest},
    {"", "XXH3_64bits_reset", kDigest},
    {"", "XXH", kUrl},
    {"libc.so", "malloc", kMemory},
    {"libc.so", "_int_malloc", kMemory},
    {"libc.so", "_int_free", kMemory},
    {"libc.so", "cfree", kMemory},
    {"libc.so", "free", kMemory},
    {"libc.so", "realloc", kMemory},
    {"libc.so", "_int_realloc", kMemory},
    {"libc.so", "calloc", kMemory},
    {"libc.so", "tcache", kMemory},
    {"libc.so", "unlink_chunk", kMemory},
    {"libc.so", "sysmalloc", kMemory},
    {"", "operator new", kMemory},
    {"", "operator delete", kMemory},
    {"libc.so", "__mem", kBytes},
    {"libc.so", "mem", kBytes},
    {"libc.so", "__GI_mem", kBytes},
    {"libc.so", "__str", kBytes},
    {"libc.so", "clock_gettime", kRuntime},
    {"libc.so", "__clock_gettime", kRuntime},
    {"libc.so", "", kRuntime},  // the rest are wrappers of system calls
    {"", "gossamer::async::FramePool", kMemory},
    {"", "gossamer::async::", kRuntime},
    {"", "gossamer::http::", kClient},
    {"", "gossamer::wire::", kClient},
    {"", "gossamer::net::", kClient},
    {"", "gossamer::html::FactScanner", kFacts},
    {"", "gossamer::html::append_collapsed", kFacts},
    {"", "gossamer::html::LinkScanner", kLinks},
    {"", "gossamer::html::LinkList", kLinks},
    {"", "gossamer::html::CssUrls", kLinks},
    {"", "gossamer::html::parse_rel", kLinks},
    {"", "gossamer::html::Decod", kEncoding},
    {"", "gossamer::html::Encod", kEncoding},
    {"", "gossamer::html::encoding_", kEncoding},
    {"", "gossamer::html::valid_utf8", kEncoding},
    {"", "gossamer::html::(anonymous namespace)::plain_ascii_end", kEncoding},
    {"", "gossamer::html::(anonymous namespace)::plain_valid_end", kEncoding},
    {"", "gossamer::html::(anonymous namespace)::wide_ascii_end", kEncoding},
    {"", "gossamer::html::(anonymous namespace)::wide_valid_end", kEncoding},
    {"", "gossamer::html::(anonymous namespace)::MetaScanner", kEncoding},
    {"", "gossamer::html::document_base", kUrl},
    {"", "gossamer::html::", kTokens},
    {"", "gossamer::url::", kUrl},
    {"", "gossamer::base::hash64", kUrl},
    {"", "gossamer::base::Hasher64", kDigest},
    {"", "gossamer::base::update_with_avx2", kDigest},
    {"", "gossamer::crawler::PageReading::BoundedLinks", kLinks},
    {"", "gossamer::crawler::LinkIntake", kSeen},
    {"", "gossamer::crawler::LinkMemo", kSeen},
    {"", "gossamer::crawler::SeenSet", kSeen},
    {"", "gossamer::crawler::PageLinks", kSeen},
    {"", "gossamer::crawler::PageSet", kSeen},
    {"", "gossamer::crawler::Scope", kSeen},
    {"", "gossamer::crawler::Traps", kSeen},
    {"", "gossamer::crawler::UrlBudgets", kSeen},
    {"", "gossamer::crawler::CountTable", kSeen},
    {"", "gossamer::crawler::FirstSeen", kSeen},
    {"", "gossamer::crawler::SpilledKeys", kSeen},
    {"", "gossamer::crawler::UrlParts", kSeen},
    {"", "gossamer::crawler::UrlPatterns", kSeen},
    {"", "gossamer::crawler::PathSegments", kSeen},
    {"", "gossamer::crawler::has_cycle", kSeen},
    {"", "gossamer::crawler::has_frequent_segment", kSeen},
    {"", "gossamer::crawler::mark_dates", kSeen},
    {"", "gossamer::crawler::Frontier::knows", kSeen},
    {"", "gossamer::robots::", kSeen},
    {"", "gossamer::crawler::DeeperTargets", kFrontier},
    {"", "gossamer::crawler::Frontier", kFrontier},
    {"", "gossamer::crawler::Claim", kFrontier},
    {"", "gossamer::crawler::HostManners", kFrontier},
    {"", "gossamer::crawler::HostMemory", kFrontier},
    {"", "gossamer::crawler::HostPace", kFrontier},
    {"", "gossamer::crawler::HostTurns", kFrontier},
    {"", "gossamer::crawler::OpenWork", kFrontier},
    {"", "gossamer::crawler::Origin", kFrontier},
    {"", "gossamer::crawler::SharedGap", kFrontier},
    {"", "gossamer::crawler::SharedPauses", kFrontier},
    {"", "gossamer::crawler::TargetQueue", kFrontier},
    {"", "gossamer::crawl::", kVisit},
    {"", "std::", kBytes},  // strings, mostly
};

bool fits(const Rule& rule, const SampledFunction& function) {
  return (rule.object.empty() || function.object.find(rule.object) != std::string::npos) &&
         function.name.starts_with(rule.name);
}

}  // namespace

std::span<const std::string_view> part_names() { return kNames; }

std::size_t part_of(const SampledFunction& function) {
  for (const Rule& rule : kRules) {
    if (fits(rule, function)) return rule.part;
  }
  return kRest;
}

}  // namespace gossamer::bench
