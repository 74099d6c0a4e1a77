#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/page/link_intake.h"
#include "engine/page/page_link_scratch.h"
#include "engine/page/page_reading.h"
#include "frontier/target.h"
#include "html/encoding/encoder.h"
#include "html/links/link.h"
#include "record/skip_reason.h"
#include "url/url.h"

namespace gossamer::crawler {

// Adds the links of a page to the crawl. Each is resolved, classified and, if it is new and
// allowed, admitted.
class PageLinks {
 public:
  struct Counts {
    std::uint32_t found = 0;  // distinct links of the crawl
    std::uint32_t fresh = 0;  // of these, new ones
  };

  // `from` is the target of the page. With `refused`, no link is followed, for that reason.
  // BORROWS: all.
  PageLinks(LinkIntake& intake, const PageReading& page, const url::Url& url, const Target& from,
            std::optional<SkipReason> refused);

  // BOUND: about the work of one step: each link counts its bytes, those of the base, and
  // kLinkWork. A page may have tens of thousands of links, and other tasks must run in between.
  static constexpr std::size_t kStepWork = 512 * 1024;
  static constexpr std::size_t kLinkWork = 128;
  // Adds the links of one step. Returns true at the end. Links of other pages may be added between
  // two steps.
  bool add_some();

  // A URL that add_some() would add.
  struct Candidate {
    std::string url;
    std::uint64_t fingerprint = 0;
  };
  // Lists the candidates of one step. Returns true at the end. REQUIRES: add_some() was not called.
  bool list_some(std::vector<Candidate>& into);

  const Counts& counts() const noexcept { return counts_; }

 private:
  // The decision about a resolved link.
  enum class Class : std::uint8_t {
    fresh,
    numbered,      // fresh, and in the page's series
    repeated,      // the page already has it
    not_followed,  // it is skipped
    held_back,     // until it is known whether the page adds something to its series
  };
  struct NotFollowed {
    std::size_t link;  // its index; the URLs together may be larger than the page
    std::uint64_t fingerprint;
    SkipReason reason;
  };

  // The work of a link, for kStepWork.
  std::size_t work_of(std::size_t number) const;
  // Starts again with the links of scripts and data, once.
  bool begins_guesses();
  void add_link();
  void list_link(const html::LinkList::Entry& entry, std::vector<Candidate>& into);
  bool is_wanted(const html::Link& link) const;
  bool is_wanted_guess(const html::Link& link) const;
  // Returns why it is not followed.
  std::optional<SkipReason> objection(const html::LinkList::Entry& entry) const;
  // Sets the scratch link and facts_. Returns false if the link is not a URL.
  bool resolve(const html::Link& link);
  std::uint64_t fingerprint();
  Class classify(std::uint64_t fingerprint, std::optional<SkipReason> reason);
  Verdict admit(std::uint64_t fingerprint, bool is_of_series);
  // Adds the scratch link to the memo. REQUIRES: the frontier knows it.
  void remember(std::uint64_t fingerprint);
  void end_series();
  void add_held_back(std::size_t number);
  void refuse_link(const NotFollowed& link);
  // Calls the hook with the scratch link, if there is a hook.
  void show(std::uint64_t fingerprint, bool is_followed);

  LinkIntake& intake_;
  PageLinkScratch& scratch_;
  const PageReading& page_;
  const url::Url& url_;
  const Target& from_;
  const url::Url base_;
  std::optional<html::Encoder> encoder_;
  const std::optional<SkipReason> refused_;  // why no link is followed
  Target facts_;                             // of the current link
  const Purpose purpose_;                    // of all links that are not parts of the page
  PageSet on_page_;
  PageSet listed_;
  PageSet passed_;  // of these, those that add_some() would add
  std::size_t next_listed_ = 0;
  std::size_t next_ = 0;  // index of the next link
  std::size_t end_ = 0;
  bool adds_guesses_ = false;  // the links of scripts come last: they may be links of the page, too
  std::vector<NotFollowed> not_followed_;
  std::size_t next_not_followed_ = 0;
  const std::uint64_t series_;          // of the page; 0: none
  std::uint64_t images_ = 0;            // a digest of images that we do not fetch
  bool has_news_ = false;               // there is a new URL outside the series
  std::uint32_t numbered_ = 0;          // new URLs of the series, before has_ended_series_
  std::vector<std::size_t> held_back_;  // links to pages of the series
  std::size_t next_held_back_ = 0;
  bool has_ended_series_ = false;
  Counts counts_;
};

}  // namespace gossamer::crawler
