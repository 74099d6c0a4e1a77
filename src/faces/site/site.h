#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "site/layout.h"
#include "site/resource.h"
#include "site/site_options.h"
#include "site/truth.h"

namespace gossamer::site {

// The timing of a response.
struct Pace {
  Duration delay = Duration::zero();    // before the first byte
  std::size_t piece_bytes = 0;          // 0: sent in one piece
  Duration between = Duration::zero();  // between two pieces
  // The connection ends after this many bytes of the response.
  std::size_t bytes_max = static_cast<std::size_t>(-1);

  bool is_cut() const { return bytes_max != static_cast<std::size_t>(-1); }
};

struct Answer {
  int status = 200;
  // Without the framing fields.
  std::vector<std::pair<std::string, std::string>> fields = {};
  std::string body = {};
  Pace pace = {};
  bool is_chunked = false;  // for clients that support it
  // Every request gets the same response.
  bool is_steady = true;
};

struct Question {
  std::string_view host;    // as in the Host field
  std::string_view target;  // as in the request line: path and query
  // The number of earlier requests for it.
  std::uint32_t attempt = 0;
  bool accepts_gzip = false;
};

// A synthetic web site, on one host or several: a pure function of a seed and a few numbers.
//
//   const Site site(SiteOptions::demo(7));
//   site.answer({.host = "site.example", .target = "/"}).body;   // <!DOCTYPE html>...
//   for (const std::string& url : site.truth().must_fetch()) ...
//
// Pages form a tree, so that each can be reached from the root; more links are drawn. The same
// options give the same site, byte for byte, on every machine. Only the options are stored: a site
// of a million pages costs no memory.
class Site {
 public:
  // REQUIRES: validate(options) succeeded.
  explicit Site(SiteOptions options) : layout_(std::move(options)) {}

  const SiteOptions& options() const { return layout_.options(); }
  const Layout& layout() const { return layout_; }

  // Answers a GET; a HEAD gets the same response without the body.
  Answer answer(const Question& question) const;

  // The URL of the root: "http://site.example/".
  std::string root(std::uint32_t host = 0) const { return layout_.origin(host) + "/"; }

  Truth truth(const TruthOptions& options = {}) const { return find_truth(layout_, options); }

 private:
  void add_page(Answer& answer, const Resource& resource, bool accepts_gzip) const;
  void add_outcome(Answer& answer, const Resource& resource, std::uint32_t attempt) const;

  Layout layout_;
};

}  // namespace gossamer::site
