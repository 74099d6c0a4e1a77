#include "net/hosts_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "async/file.h"

namespace gossamer::net {

namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";
constexpr std::size_t kReadBytesMin = 4 * 1024;

// Removes the next word from a line and returns it; empty at the end.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

// BORROWS: the file and the text, while it is awaited.
async::Task<Result<void>> read_all(async::File& file, std::string& text) {
  for (;;) {
    const std::size_t begin = text.size();
    if (begin >= HostsFile::kBytesMax) co_return Result<void>();
    // Most files are short; for a long one each read doubles the text.
    const std::size_t wanted =
        std::min(std::max(begin, kReadBytesMin), HostsFile::kBytesMax - begin);
    text.resize(begin + wanted);
    auto count =
        co_await file.read_at(begin, {reinterpret_cast<std::byte*>(text.data()) + begin, wanted});
    text.resize(begin + (count ? *count : 0));
    if (!count) co_return fail(std::move(count).error());
    if (*count == 0) co_return Result<void>();
  }
}

}  // namespace

HostsFile HostsFile::parse(std::string_view text) {
  HostsFile file;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    file.read_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return file;
}

void HostsFile::read_line(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const std::string_view first = take_word(line);
  // Addresses with a zone ("fe80::1%eth0") are skipped, because an endpoint has none.
  const auto address = async::Endpoint::parse_address(first);
  if (!address) return;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    if (is_domain_name(word)) add(word, *address);
  }
}

void HostsFile::add(std::string_view name, const async::Endpoint& address) {
  Addresses& addresses = names_[canonical_host(name)];
  addresses.ttl = Duration::max();
  const bool is_v6 = address.family == async::Endpoint::Family::v6;
  auto& family = is_v6 ? addresses.v6 : addresses.v4;
  async::Endpoint bare = address;
  bare.port = 0;
  const bool is_new = std::ranges::find(family, bare) == family.end();
  if (is_new && family.size() < kAddressesMax) family.push_back(bare);
}

const Addresses* HostsFile::find(std::string_view host) const {
  const auto found = names_.find(canonical_host(host));
  return found == names_.end() ? nullptr : &found->second;
}

async::Task<Result<HostsFile>> HostsFile::load(std::string path) {
  auto file = co_await async::File::open(path, async::OpenMode::read);
  if (!file) {
    if (file.error() == Errc::not_found) co_return HostsFile();
    co_return fail(std::move(file).error(), "while reading " + path);
  }
  std::string text;
  if (auto read = co_await read_all(*file, text); !read) {
    co_return fail(std::move(read).error(), "while reading " + path);
  }
  co_return parse(text);
}

}  // namespace gossamer::net
