// The book of a check: which links stand where, what was learned of each address, and in the end
// what of that is a fault.
//
//   ledger.add_link(page, link, url);     as documents are read
//   ledger.answer(url, answer);           in any order, before or after
//   Findings findings = std::move(ledger).close();
//
// BOUND: of each address kPlacesMax places, and none once it is known to be good; the bounds of
// LedgerLimits, beyond which links are counted only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check/answer.h"
#include "check/document.h"
#include "check/findings.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::check {

struct LedgerLimits {
  std::size_t urls_max = 2'000'000;
  std::size_t fragments_max =
      1'000'000;                     // links to places, distinct ones that are not verified yet
  std::size_t ids_max = 16'000'000;  // four bytes each
};

class Ledger {
 public:
  explicit Ledger(const url::IdentityRules& identity = {}, LedgerLimits limits = {});

  // A document that is read: it gets a number, by which its links refer to it. `shown` is how
  // places call it: its URL, or its path.
  std::uint32_t add_page(std::string shown, bool is_https);
  // A link that stands there. `shown` is how the address is called; empty: by its URL.
  void add_link(std::uint32_t page, const LinkPlace& link, const url::Url& target,
                std::string_view shown = {});
  // One that leads nowhere as it is written.
  void add_faulty_link(std::uint32_t page, const LinkPlace& link, Answer answer);
  // The ids of a document: from here on it is known which places it has.
  void add_ids(const url::Url& document, const std::vector<std::string>& ids);

  // `is_source`: the user named it, so it matters even if nobody links to it.
  void answer(const url::Url& url, Answer answer, bool is_source = false);
  // Nothing has been learned of it so far.
  bool is_open(const url::Url& url) const;
  std::uint64_t urls() const noexcept { return targets_.size(); }

  // Once.
  Findings close(bool checks_fragments) &&;

 private:
  struct StoredPlace {
    std::uint32_t page = 0;
    Position at;
    std::string text;
  };
  // The first places of something, and how many there are.
  struct Places {
    std::vector<StoredPlace> first;
    std::uint64_t count = 0;
    void add(StoredPlace place);
  };
  struct Target {
    std::string url;
    Answer answer;
    Places places;
    Places insecure;
    Places mixed;
    bool is_source = false;
  };
  struct Fragment {
    std::uint64_t target = 0;
    std::string name;  // as it is in the URL
    Places places;
  };
  struct Page {
    std::string shown;
    bool is_https = false;
  };

  std::uint64_t key_of(const url::Url& url) const;
  Target* target_for(std::uint64_t key, const url::Url& url, std::string_view shown);
  void add_fragment(std::uint64_t key, std::string name, StoredPlace place);
  // Whether the page has an id that is the name as it is in a URL, or else without its escapes.
  // https://html.spec.whatwg.org/#find-a-potential-indicated-element
  bool has_place(std::uint64_t key, std::string_view name, bool& is_known) const;

  struct Resolved {
    Answer answer;             // of the end of the way
    std::uint64_t key = 0;     // of the last address on it
    std::string permanent_to;  // where it moved for good; empty: nowhere
  };
  Resolved resolve(std::uint64_t key) const;
  Finding finding(FindingKind kind, std::string url, const Places& places) const;
  void judge(std::uint64_t key, const Target& target, Findings& into) const;
  void judge(const Fragment& fragment, Findings& into) const;
  static void put(Finding finding, Findings& into);

  mutable url::CrawlIdentity identity_;
  const LedgerLimits limits_;
  std::vector<Page> pages_;
  std::unordered_map<std::uint64_t, Target> targets_;
  std::unordered_map<std::uint64_t, Fragment> fragments_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> ids_;  // sorted hashes
  std::size_t ids_held_ = 0;
  std::uint64_t links_ = 0;
};

}  // namespace gossamer::check
