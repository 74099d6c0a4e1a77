// The records of a check: the position of each link, the result for each URL, and finally the
// faults.
//
//   book.add_link(page, link, url);     as documents are read
//   book.answer(url, answer);           in any order, before or after
//   Findings findings = std::move(book).close();
//
// BOUND: kPlacesMax positions per URL, and none once it is known to be valid; beyond the bounds of
// LinkBookLimits, links are only counted.
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

struct LinkBookLimits {
  std::size_t urls_max = 2'000'000;
  // Distinct links with fragments that are not verified yet.
  std::size_t fragments_max = 1'000'000;
  std::size_t ids_max = 16'000'000;    // four bytes each
  std::size_t words_max = 16'000'000;  // the same
  // Pages whose words are not read yet, in bytes.
  std::size_t bodies_max = 64 * 1024 * 1024;
  // Steps that are spent on finding quoted texts. Hostile ones would take hours.
  std::uint64_t text_steps_max = 4'000'000'000;
};

class LinkBook {
 public:
  explicit LinkBook(const url::IdentityRules& identity = {}, LinkBookLimits limits = {});

  // Adds a document and returns its number, by which its links refer to it. `shown` is its name in
  // the result: its URL, or its path.
  std::uint32_t add_page(std::string shown, bool is_https);
  // Adds a link of that page. `shown` is the name of the target; empty means its URL.
  void add_link(std::uint32_t page, const LinkPlace& link, const url::Url& target,
                std::string_view shown = {});
  // Adds a link that is faulty as written.
  void add_faulty_link(std::uint32_t page, const LinkPlace& link, Answer answer);
  // Adds the ids of a document, so that its fragments can be checked.
  void add_ids(const url::Url& document, const std::vector<std::string>& ids);
  // Adds the words of a document, so that texts that links quote can be checked (#:~:text=).
  void add_words(const url::Url& document, std::vector<std::uint32_t> words) {
    add_words(key_of(document), std::move(words));
  }
  // The same for an HTML page, whose words are only read if a link quotes it: hardly any is quoted.
  void add_body(const url::Url& document, std::string body, std::string charset);
  // Otherwise add_body() reads the words.
  bool has_room_for(const std::string& body) const noexcept {
    return bodies_held_ + body.capacity() <= limits_.bodies_max;
  }

  // `is_source` means that the user named it, so it matters even without links to it.
  void answer(const url::Url& url, Answer answer, bool is_source = false);
  // Returns whether there is no result for it so far.
  bool is_open(const url::Url& url) const;
  std::uint64_t urls() const noexcept { return targets_.size(); }

  // Call it once.
  Findings close(bool checks_fragments) &&;

 private:
  struct StoredPlace {
    std::uint32_t page = 0;
    Position at;
    std::string text;
  };
  // The first positions of something, and the number of all.
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
    std::string name;  // undecoded, as in the URL; of a quoted text with its ":~:text="
    bool is_text = false;
    Places places;
  };
  struct Body {
    std::string bytes;
    std::string charset;
  };
  struct Page {
    std::string shown;
    bool is_https = false;
  };

  std::uint64_t key_of(const url::Url& url) const;
  Target* target_for(std::uint64_t key, const url::Url& url, std::string_view shown);
  void add_fragment(std::uint64_t key, std::string name, bool is_text, StoredPlace place);
  // Returns whether the page has an id equal to the name as written in the URL, or to the decoded
  // name. https://html.spec.whatwg.org/#find-a-potential-indicated-element
  bool has_place(std::uint64_t key, std::string_view name, bool& is_known) const;
  void add_words(std::uint64_t key, std::vector<std::uint32_t> words);
  static std::vector<std::uint32_t> words_of(const Body& body);
  void read_quoted_bodies();
  // Returns whether the page lacks a quoted text. If its words are not known, it does not.
  bool lacks_text(std::uint64_t key, std::string_view quotation) const;

  struct Resolved {
    Answer answer;             // at the end of the redirects
    std::uint64_t key = 0;     // of the last URL
    std::string permanent_to;  // the permanent new URL; empty if there is none
  };
  Resolved resolve(std::uint64_t key) const;
  Finding finding(FindingKind kind, std::string url, const Places& places) const;
  void judge(std::uint64_t key, const Target& target, Findings& into) const;
  void judge(const Fragment& fragment, Findings& into) const;
  static void put(Finding finding, Findings& into);

  mutable url::CrawlIdentity identity_;
  const LinkBookLimits limits_;
  std::vector<Page> pages_;
  std::unordered_map<std::uint64_t, Target> targets_;
  std::unordered_map<std::uint64_t, Fragment> fragments_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> ids_;  // sorted hashes
  std::size_t ids_held_ = 0;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> words_;
  std::size_t words_held_ = 0;
  std::unordered_map<std::uint64_t, Body> bodies_;
  std::size_t bodies_held_ = 0;
  mutable std::uint64_t text_steps_ = 0;
  std::uint64_t links_ = 0;
};

}  // namespace gossamer::check
