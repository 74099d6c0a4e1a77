#include "settings/job_signature.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "store/beneath.h"
#include "warc/digest.h"

namespace gossamer::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSecretBytes = 32;
constexpr std::string_view kMark = "# signature ";
// Says what is signed, so that the key can sign other things later.
constexpr std::string_view kPurpose = "gossamer job.toml\n";
constexpr const char* kKeyName = "key";

// The folder for states of programs, and the folder of it that must exist and belong to the user.
struct StatePlace {
  std::string home;
  std::string folder;
};

std::optional<StatePlace> state_place() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  // The XDG specification says to ignore relative paths.
  if (state != nullptr && state[0] == '/') {
    return StatePlace{.home = state, .folder = std::string(state) + "/gossamer"};
  }
  const char* const home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') return std::nullopt;
  return StatePlace{.home = home, .folder = std::string(home) + "/.local/state/gossamer"};
}

Error no_place() {
  return {Errc::not_found, "there is no state folder: neither XDG_STATE_HOME nor HOME is set"};
}

Result<std::string> read_secret(const store::Folder& folder) {
  const auto file = folder.file(kKeyName, O_RDONLY);
  if (!file) return fail(file.error().copy());
  const std::string path = folder.path_of(kKeyName);
  struct stat status = {};
  if (fstat(file->get(), &status) != 0) return fail(Error::from_errno(errno, path));
  if (status.st_uid != geteuid() || (status.st_mode & 077) != 0) {
    return fail(Errc::denied, path + " must belong to you, and only you may read it");
  }
  auto secret = folder.read(kKeyName);
  if (secret && secret->size() != kSecretBytes) {
    return fail(Errc::malformed, path + " is damaged; remove it");
  }
  return secret;
}

// Appears complete: another process may make it at the same time, and then that one counts.
Result<void> make_secret(const store::Folder& folder) {
  std::array<unsigned char, kSecretBytes> secret = {};
  if (RAND_bytes(secret.data(), static_cast<int>(secret.size())) != 1) {
    return fail(Errc::unavailable, "there are no random numbers for a key");
  }
  const std::string draft = fmt::format("{}.{}.part", kKeyName, getpid());
  static_cast<void>(folder.remove(draft));
  {
    const auto file = folder.file(draft, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (!file) return fail(file.error().copy());
    const bool is_written =
        write(file->get(), secret.data(), secret.size()) == ssize_t{kSecretBytes} &&
        fsync(file->get()) == 0;
    if (!is_written) return fail(Error::from_errno(errno, folder.path_of(draft)));
  }
  const bool is_made =
      linkat(folder.descriptor(), draft.c_str(), folder.descriptor(), kKeyName, 0) == 0 ||
      errno == EEXIST;
  const int error_number = errno;
  static_cast<void>(folder.remove(draft));
  if (!is_made) return fail(Error::from_errno(error_number, folder.path_of(kKeyName)));
  return folder.sync();
}

// The text before the signature, and the signature in hexadecimal digits; empty: it has none.
struct SignedText {
  std::string_view text;
  std::string_view signature;
};

SignedText split(std::string_view text) {
  std::string_view rest = text;
  if (rest.ends_with('\n')) rest.remove_suffix(1);
  const std::size_t begin = rest.rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view last = rest.substr(begin);
  if (!last.starts_with(kMark)) return {.text = text, .signature = {}};
  return {.text = text.substr(0, begin), .signature = last.substr(kMark.size())};
}

}  // namespace

Result<JobKey> JobKey::find() {
  const auto place = state_place();
  if (!place) return fail(no_place());
  const auto folder = store::Folder::open(place->folder);
  if (!folder) return fail(folder.error().copy());
  auto secret = read_secret(*folder);
  if (!secret) return fail(std::move(secret).error());
  return JobKey(std::move(*secret));
}

Result<JobKey> JobKey::find_or_make() {
  auto found = find();
  if (found || found.error() != Errc::not_found) return found;
  const auto place = state_place();
  if (!place) return found;
  std::error_code error;
  // With sudo, the home may be that of another user, who could not use the key.
  struct stat status = {};
  if (stat(place->home.c_str(), &status) == 0 && status.st_uid != geteuid()) {
    return fail(Errc::denied, place->home + " belongs to another user");
  }
  fs::create_directories(fs::path(place->folder).parent_path(), error);
  if (mkdir(place->folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return fail(Error::from_errno(errno, place->folder));
  }
  const auto folder = store::Folder::open(place->folder);
  if (!folder) return fail(folder.error().copy());
  if (auto made = make_secret(*folder); !made) return fail(std::move(made).error());
  return find();
}

std::string JobKey::mac(std::string_view text) const {
  const std::string message = std::string(kPurpose) + std::string(text);
  std::array<unsigned char, EVP_MAX_MD_SIZE> value = {};
  unsigned size = 0;
  const auto* const made = HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()),
                                reinterpret_cast<const unsigned char*>(message.data()),
                                message.size(), value.data(), &size);
  CHECK(made != nullptr);
  return warc::base16(std::as_bytes(std::span(value)).first(size));
}

std::string JobKey::sign(std::string_view text) const {
  std::string signed_text(split(text).text);
  if (!signed_text.empty() && !signed_text.ends_with('\n')) signed_text += '\n';
  const std::string signature = mac(signed_text);
  return signed_text.append(kMark).append(signature).append("\n");
}

bool JobKey::has_signed(std::string_view text) const {
  const SignedText parts = split(text);
  const std::string wanted = mac(parts.text);
  return parts.signature.size() == wanted.size() &&
         CRYPTO_memcmp(parts.signature.data(), wanted.data(), wanted.size()) == 0;
}

std::string doubt_about(std::string_view path, std::string_view text) {
  const auto key = JobKey::find();
  if (key && key->has_signed(text)) return {};
  const bool is_signed = !split(text).signature.empty();
  return fmt::format("{}, whose settings {}", path,
                     is_signed ? "were changed, or written by another user or on another machine"
                               : "were written by an earlier version or another program");
}

}  // namespace gossamer::run
