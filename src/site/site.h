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

// How an answer travels.
struct Pace {
  Duration delay = Duration::zero();    // before the first byte
  std::size_t piece_bytes = 0;          // sent in pieces of so many bytes; 0: at once
  Duration between = Duration::zero();  // between two pieces
  // The connection ends after so many bytes of what would have been sent.
  std::size_t bytes_max = static_cast<std::size_t>(-1);

  bool is_cut() const { return bytes_max != static_cast<std::size_t>(-1); }
};

struct Answer {
  int status = 200;
  // Without those that frame the body.
  std::vector<std::pair<std::string, std::string>> fields = {};
  std::string body = {};
  Pace pace = {};
  bool is_chunked = false;  // for clients that understand it
  // Is the same however often it is asked for.
  bool is_steady = true;
};

struct Question {
  std::string_view host;    // as in the Host field
  std::string_view target;  // as in the request line: path and query
  // How often this was asked before.
  std::uint32_t attempt = 0;
  bool accepts_gzip = false;
};

// A synthetic web site, on one host or on several: a pure function from a seed and a few numbers.
//
//   const Site site(SiteOptions::demo(7));
//   site.answer({.host = "site.example", .target = "/"}).body;   // <!DOCTYPE html>...
//   for (const std::string& url : site.truth().must_fetch()) ...
//
// Pages hang on a tree, so that each can be reached from the root; further links are drawn. The
// same options give the same site, byte for byte, on every machine. Nothing is kept but the
// options: a site of a million pages costs no memory.
class Site {
 public:
  // REQUIRES: validate(options).
  explicit Site(SiteOptions options) : layout_(std::move(options)) {}

  const SiteOptions& options() const { return layout_.options(); }
  const Layout& layout() const { return layout_; }

  // To a GET; a HEAD has the same answer without the body.
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
