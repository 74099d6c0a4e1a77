#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "crawl/frontier/target.h"
#include "crawl/page/link_intake.h"
#include "crawl/page/page_link_scratch.h"
#include "crawl/page/page_reading.h"
#include "crawl/scope/skip_reason.h"
#include "html/encoding/encoder.h"
#include "html/links/link.h"
#include "url/url.h"

namespace gossamer::crawler {

// All links of a page on their way into the crawl. Each is resolved, classified and, if it is new
// and nothing is said against it, admitted.
class PageLinks {
 public:
  struct Counts {
    std::uint32_t found = 0;  // distinct, and of the crawl
    std::uint32_t fresh = 0;  // of these, met for the first time
  };

  // `from` is what the page was fetched as. With `refused` no link is followed, for that reason.
  // BORROWS: all.
  PageLinks(LinkIntake& intake, const PageReading& page, const url::Url& url, const Target& from,
            std::optional<SkipReason> refused);

  // BOUND: the links of one step, about so much: each counts its bytes, those of the base, and
  // kLinkWork. A page may have tens of thousands, and other work must have its turn in between.
  static constexpr std::size_t kStepWork = 512 * 1024;
  static constexpr std::size_t kLinkWork = 128;
  // Adds those of one step. True: that was all. Links of other pages may be added between two
  // steps.
  bool add_some();

  const Counts& counts() const noexcept { return counts_; }

 private:
  using Verdict = LinkIntake::Verdict;

  // What becomes of a link that has been resolved.
  enum class Class : std::uint8_t {
    fresh,
    numbered,      // fresh, and of the page's series
    repeated,      // the page has it already
    not_followed,  // something is said against it
    held_back,     // until it is known whether the page adds anything to its series
  };
  struct NotFollowed {
    std::size_t link;  // its number; the URLs themselves may be more than the page
    std::uint64_t fingerprint;
    SkipReason reason;
  };

  // Work that a link is, for kStepWork.
  std::size_t work_of(std::size_t number) const;
  void add_link();
  bool is_wanted(const html::Link& link) const;
  // What is said against following it.
  std::optional<SkipReason> objection(const html::LinkList::Entry& entry) const;
  // The scratch link becomes the URL of a link, and facts_ what is known of it. False: it is not a
  // URL.
  bool resolve(const html::Link& link);
  std::uint64_t fingerprint();
  Class classify(std::uint64_t fingerprint, std::optional<SkipReason> reason);
  Verdict admit(std::uint64_t fingerprint, bool is_of_series);
  // The memo gets the scratch link. It leads where the frontier knows.
  void remember(std::uint64_t fingerprint);
  void end_series();
  void add_held_back(std::size_t number);
  void refuse_link(const NotFollowed& link);
  // Tells the hook of the scratch link, if there is one.
  void show(std::uint64_t fingerprint, bool is_followed);

  LinkIntake& intake_;
  PageLinkScratch& scratch_;
  const PageReading& page_;
  const url::Url& url_;
  const Target& from_;
  const url::Url base_;
  std::optional<html::Encoder> encoder_;
  const std::optional<SkipReason> refused_;  // for what reason none is followed
  Target facts_;                             // of the link whose turn it is
  const Purpose purpose_;                    // of all that are not parts of the page
  PageSet on_page_;
  std::size_t next_ = 0;  // link of the page
  std::size_t end_ = 0;
  std::vector<NotFollowed> not_followed_;
  std::size_t next_not_followed_ = 0;
  const std::uint64_t series_;          // that the page belongs to; 0: none
  std::uint64_t images_ = 0;            // what it shows and we do not fetch
  bool has_news_ = false;               // a new URL of no page of the series
  std::vector<std::size_t> held_back_;  // links to pages of it
  std::size_t next_held_back_ = 0;
  bool has_ended_series_ = false;
  Counts counts_;
};

}  // namespace gossamer::crawler
