#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/json.h"
#include "record/outcome.h"
#include "serve/api.h"
#include "serve/api_parameters.h"
#include "url/url.h"

namespace gossamer::serve {
namespace {

constexpr std::uint64_t kLevelsMax = 4;
constexpr std::uint64_t kLevelsDefault = 2;
constexpr std::size_t kChildrenMax = 200;

// A folder or a page of the map.
struct Node {
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t errors = 0;
  std::uint64_t depth = 0;
  std::optional<WallTime> captured;
  std::map<std::string, std::unique_ptr<Node>, std::less<>> children;  // folders end with a slash

  void add(const Node& page) {
    pages += page.pages;
    bytes += page.bytes;
    errors += page.errors;
    depth = std::max(depth, page.depth);
    if (page.captured) captured = captured ? std::max(*captured, *page.captured) : page.captured;
  }
  Node& child(std::string_view name) {
    auto found = children.find(name);
    if (found == children.end()) {
      found = children.emplace(std::string(name), std::make_unique<Node>()).first;
    }
    return *found->second;
  }
};

// "museum.example/a/b?q" without its scheme.
std::string place_of(const std::string& address) {
  const auto url = url::Url::parse(address);
  if (!url) return address;
  std::string place(url->host());
  place += url->pathname();
  return place.append(url->search());
}

// The length of the first part of a place, with its slash. A query is not divided.
std::size_t part_of(std::string_view place) {
  const std::size_t slash = place.substr(0, place.find('?')).find('/');
  return slash == std::string_view::npos ? place.size() : slash + 1;
}

std::string to_json(const std::string& path, const std::string& name, const Node& node) {
  std::vector<std::pair<const std::string*, const Node*>> children;
  for (const auto& [child, below] : node.children) children.emplace_back(&child, below.get());
  std::ranges::sort(children, [](const auto& a, const auto& b) {
    return std::pair(a.second->bytes, a.second->pages) >
           std::pair(b.second->bytes, b.second->pages);
  });
  const std::size_t shown = std::min(children.size(), kChildrenMax);
  JsonArray array;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string& part = *children[i].first;
    const std::string label = part.ends_with('/') ? part.substr(0, part.size() - 1) : part;
    array.add(to_json(path + part, label, *children[i].second));
  }
  base::JsonLine line;
  line.text("path", path)
      .text("name", name)
      .number("pages", node.pages)
      .number("bytes", node.bytes)
      .number("errors", node.errors)
      .number("depth", node.depth);
  add_time_or_null(line, "captured", node.captured);
  return line.raw("children", array.finish()).number("left_out", children.size() - shown).finish();
}

// What one URL adds to the map; nothing if it does not belong to the archive.
std::optional<Node> page_of(const captures::UrlEntry& entry, std::optional<std::uint32_t> archive,
                            const std::string& place) {
  const captures::EntryOf known(entry, archive);
  if (known.is_empty()) return {};
  Node page;
  page.pages = 1;
  if (known.last != nullptr) {
    page.bytes = known.last->bytes;
    page.captured = known.last->at;
  }
  page.errors = known.outcome() == crawler::Outcome::error ? 1 : 0;
  page.depth = known.fetched != nullptr
                   ? known.fetched->depth
                   : static_cast<std::uint64_t>(std::ranges::count(place, '/'));
  return page;
}

}  // namespace

server::Response answer_site_map(const captures::Collection& collection,
                                 const server::Request& request, const captures::WorkLimit& limit) {
  ApiParameters parameters(request);
  const auto archive = parameters.archive(collection);
  const std::string path = parameters.text("path");
  const std::uint64_t levels = parameters.number("levels", kLevelsDefault, kLevelsMax);
  if (parameters.is_bad()) return parameters.rejection();
  Node root;
  collection.read([&](const auto&, const captures::CaptureIndex& index) {
    for (const auto& [key, entry] : index.entries()) {
      if (limit.is_over()) break;
      const std::string place = place_of(entry.url);
      if (!place.starts_with(path)) continue;
      const auto page = page_of(entry, archive, place);
      if (!page) continue;
      Node* node = &root;
      node->add(*page);
      std::string_view rest = std::string_view(place).substr(path.size());
      for (std::uint64_t level = 0; level < levels && !rest.empty(); ++level) {
        const std::size_t part = part_of(rest);
        node = &node->child(rest.substr(0, part));
        node->add(*page);
        rest.remove_prefix(part);
      }
    }
    return 0;
  });
  if (limit.is_over()) return slow_response();
  std::string_view name = path;
  if (name.ends_with('/')) name.remove_suffix(1);
  name = name.substr(name.rfind('/') + 1);
  return server::json_response(200, to_json(path, std::string(name), root));
}

}  // namespace gossamer::serve
