#include "render/browser_process.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "async/descriptor.h"
#include "base/escape.h"
#include "base/log.h"
#include "render/browser_words.h"
#include "render/process_memory.h"

namespace gossamer::render {
namespace {

constexpr std::array kBrowsers = {"/usr/lib/chromium/chromium-headless-shell",
                                  "/usr/lib/chromium/chromium"};
constexpr std::string_view kSealedProfile = "/tmp/browser";  // a file system that only it sees
constexpr std::string_view kProfilePrefix = "gossamer-browser-";
constexpr std::uint64_t kNobody = 65534;
constexpr std::size_t kReadBytes = 256 * 1024;
constexpr std::size_t kLastWordsBytes = 16 * 1024;
// BOUND: the memory of each process of a browser, which is that of a page. A page that wants more
// gets an error, or crashes.
constexpr rlim_t kProcessBytesMax = rlim_t{1536} * 1024 * 1024;
constexpr int kCommands = 3;  // where a browser expects them, and
constexpr int kAnswers = 4;   // where it writes

// A descriptor that is closed with this object.
class Owned {
 public:
  Owned() = default;
  explicit Owned(int descriptor) : descriptor_(descriptor) {}
  Owned(Owned&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Owned& operator=(Owned&& other) noexcept {
    Owned old(std::move(*this));
    descriptor_ = std::exchange(other.descriptor_, -1);
    return *this;
  }
  ~Owned() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

std::uint64_t namespaces_of(Isolation isolation) {
  std::uint64_t flags = 0;
  switch (isolation) {
    case Isolation::sealed: flags |= CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC; [[fallthrough]];
    case Isolation::no_network: flags |= CLONE_NEWNET; break;
    case Isolation::flags:
    case Isolation::none: return 0;
  }
  // Only a namespace of users gives others the right to make those.
  return geteuid() == 0 ? flags : flags | CLONE_NEWUSER;
}

// Everything the new process needs, made before it starts.
struct Plan {
  Isolation isolation = Isolation::sealed;
  std::uint64_t namespaces = 0;
  std::vector<std::string> words;
  std::vector<std::string> environment;
  std::string user_map;
  std::string group_map;
  int pipe = -1;
  int words_file = -1;
  int trouble = -1;  // a pipe; a byte in it says that the process could not start
};

bool write_file(const char* path, std::string_view text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const bool is_written =
      file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0) close(file);
  return is_written;
}

// The user stays who it is.
bool enter_user_namespace(const Plan& plan) {
  return write_file("/proc/self/setgroups", "deny") &&
         write_file("/proc/self/uid_map", plan.user_map) &&
         write_file("/proc/self/gid_map", plan.group_map);
}

// Its profile and its shared memory are in the memory of the machine, and gone with it.
bool make_own_files() {
  constexpr unsigned kFlags = MS_NOSUID | MS_NODEV;
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", "/tmp", "tmpfs", kFlags, "mode=1777") == 0 &&
         mount("tmpfs", "/dev/shm", "tmpfs", kFlags, "mode=1777") == 0 &&
         mount("proc", "/proc", "proc", kFlags | MS_NOEXEC, nullptr) == 0;
}

bool drop_rights(const Plan& plan) {
  if (geteuid() == 0) {
    if (syscall(SYS_setgroups, 0, nullptr) != 0) return false;
    if (syscall(SYS_setresgid, kNobody, kNobody, kNobody) != 0) return false;
    if (syscall(SYS_setresuid, kNobody, kNobody, kNobody) != 0) return false;
  }
  // Without namespaces the browser's sandbox may need a program with rights.
  if (plan.isolation == Isolation::flags) return true;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

void reset_signals() {
  for (const int each : {SIGINT, SIGTERM, SIGPIPE, SIGCHLD, SIGHUP, SIGQUIT}) signal(each, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void place_descriptors(const Plan& plan) {
  // Out of the way first, for one of them may be where another goes.
  const int pipe = fcntl(plan.pipe, F_DUPFD_CLOEXEC, 16);
  const int words = fcntl(plan.words_file, F_DUPFD_CLOEXEC, 16);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(words, STDERR_FILENO);
  dup2(pipe, kCommands);
  dup2(pipe, kAnswers);
}

// Between clone and exec: only what a signal handler may do. It ends with the thread that started
// it, and so does all that it starts if it is the first process of a namespace.
[[noreturn]] void become(const Plan& plan, char* const* words, char* const* environment) {
  const bool is_ready = ((plan.namespaces & CLONE_NEWUSER) == 0 || enter_user_namespace(plan)) &&
                        ((plan.namespaces & CLONE_NEWNS) == 0 || make_own_files()) &&
                        drop_rights(plan);
  if (is_ready) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    reset_signals();
    setpgid(0, 0);
    constexpr rlimit kNoCore = {0, 0};
    setrlimit(RLIMIT_CORE, &kNoCore);
    constexpr rlimit kMemory = {kProcessBytesMax, kProcessBytesMax};
    setrlimit(RLIMIT_DATA, &kMemory);
    const int trouble = fcntl(plan.trouble, F_DUPFD_CLOEXEC, 16);
    place_descriptors(plan);
    execve(words[0], words, environment);
    static_cast<void>(!write(trouble, "x", 1));
    _exit(127);
  }
  static_cast<void>(!write(plan.trouble, "n", 1));
  _exit(127);
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Returns the process, or 0 if the system forbids the namespaces.
pid_t start_process(Plan& plan) {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return 0;
  const Owned reader(ends[0]);
  Owned writer(ends[1]);
  plan.trouble = writer.get();
  const std::vector<char*> words = pointers_to(plan.words);
  const std::vector<char*> environment = pointers_to(plan.environment);
  clone_args arguments = {};
  arguments.flags = plan.namespaces;
  arguments.exit_signal = SIGCHLD;
  // Not fork(), which knows no namespaces.
  const long process =
      plan.namespaces == 0 ? fork() : syscall(SYS_clone3, &arguments, sizeof(arguments));
  if (process == 0) become(plan, words.data(), environment.data());
  if (process < 0) return 0;
  writer = Owned();
  char trouble = 0;
  ssize_t count = 0;
  while ((count = read(reader.get(), &trouble, 1)) < 0 && errno == EINTR) continue;
  if (count == 0) return static_cast<pid_t>(process);
  while (waitpid(static_cast<pid_t>(process), nullptr, 0) < 0 && errno == EINTR) continue;
  return 0;
}

// Removes the profiles of processes that were killed: nothing holds their locks.
void remove_old_profiles(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (!entry.path().filename().string().starts_with(kProfilePrefix)) continue;
    const Owned found(open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (found.get() < 0 || flock(found.get(), LOCK_EX | LOCK_NB) != 0) continue;
    std::filesystem::remove_all(entry.path(), ignored);
  }
}

// An empty folder that the browser's user can write to. It is locked while this process runs.
struct Profile {
  std::string path;  // empty: there is none
  Owned lock;
};

Result<Profile> make_profile() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  remove_old_profiles(folder);
  Profile profile = {.path = folder / (std::string(kProfilePrefix) + "XXXXXX"), .lock = {}};
  if (mkdtemp(profile.path.data()) == nullptr) {
    return fail(Error::from_errno(errno, "mkdtemp " + profile.path));
  }
  profile.lock = Owned(open(profile.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  static_cast<void>(flock(profile.lock.get(), LOCK_EX | LOCK_NB));
  if (geteuid() == 0) static_cast<void>(!chown(profile.path.c_str(), kNobody, kNobody));
  return profile;
}

void remove(const Profile& profile) {
  std::error_code ignored;
  if (!profile.path.empty()) std::filesystem::remove_all(profile.path, ignored);
}

class BrowserProcess final : public BrowserPipe {
 public:
  BrowserProcess(Isolation isolation, pid_t process, Owned reader, Owned writer, Owned words,
                 Profile profile)
      : isolation_(isolation),
        process_(process),
        reader_(std::move(reader)),
        writer_(std::move(writer)),
        words_(std::move(words)),
        profile_(std::move(profile)) {}
  BrowserProcess(const BrowserProcess&) = delete;
  BrowserProcess& operator=(const BrowserProcess&) = delete;
  ~BrowserProcess() override {
    kill(-process_, SIGKILL);
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
    remove(profile_);
  }

  async::Task<Result<std::string>> receive() override;
  async::Task<Result<void>> send(std::string bytes) override;
  Isolation isolation() const override { return isolation_; }
  std::string last_words() override;
  std::uint64_t memory_bytes() override;

 private:
  const Isolation isolation_;
  const pid_t process_;
  const Owned reader_;
  const Owned writer_;
  const Owned words_;
  const Profile profile_;
};

bool has_to_wait(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

async::Task<Result<std::string>> BrowserProcess::receive() {
  std::string bytes(kReadBytes, '\0');
  for (;;) {
    const ssize_t count = recv(reader_.get(), bytes.data(), bytes.size(), 0);
    if (count >= 0) {
      bytes.resize(static_cast<std::size_t>(count));
      co_return bytes;
    }
    if (errno == EINTR) continue;
    if (errno == ECONNRESET) co_return std::string();
    if (!has_to_wait(errno)) co_return fail(Error::from_errno(errno, "recv"));
    auto ready = co_await async::readiness(reader_.get(), async::Readiness::readable);
    if (!ready) co_return fail(std::move(ready).error());
  }
}

async::Task<Result<void>> BrowserProcess::send(std::string bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t count = ::send(writer_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
      continue;
    }
    if (errno == EINTR) continue;
    if (!has_to_wait(errno)) co_return fail(Error::from_errno(errno, "send"));
    auto ready = co_await async::readiness(writer_.get(), async::Readiness::writable);
    if (!ready) co_return fail(std::move(ready).error());
  }
  co_return {};
}

std::string BrowserProcess::last_words() {
  std::string text(kLastWordsBytes, '\0');
  const ssize_t count = pread(words_.get(), text.data(), text.size(), 0);
  text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  text.erase(std::min(text.find('\0'), text.size()));
  while (text.ends_with('\n')) text.pop_back();
  return base::escape_for_terminal(text.substr(text.rfind('\n') + 1));
}

std::uint64_t BrowserProcess::memory_bytes() { return memory_of_processes(process_); }

// Its standard error. It cannot grow, so that a page cannot fill the memory.
Result<Owned> open_last_words() {
  Owned file(memfd_create("browser", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.get() < 0 || ftruncate(file.get(), kLastWordsBytes) != 0 ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_GROW) != 0) {
    return fail(Error::from_errno(errno, "memfd_create"));
  }
  return file;
}

Plan make_plan(Isolation isolation, const std::string& program, const std::string& profile,
               const LaunchOptions& options) {
  Plan plan;
  plan.isolation = isolation;
  plan.namespaces = namespaces_of(isolation);
  plan.words = browser_words(program, profile, options);
  plan.environment = {"HOME=" + profile, "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC"};
  const std::string user = std::to_string(geteuid());
  const std::string group = std::to_string(getegid());
  plan.user_map = user + " " + user + " 1";
  plan.group_map = group + " " + group + " 1";
  return plan;
}

Result<std::unique_ptr<BrowserPipe>> launch_with(Isolation isolation, const std::string& program,
                                                 const LaunchOptions& options) {
  Profile profile;
  if (isolation != Isolation::sealed) {
    auto made = make_profile();
    if (!made) return fail(std::move(made).error());
    profile = std::move(*made);
  }
  std::array<int, 2> ends = {};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail(Error::from_errno(errno, "socketpair"));
  }
  Owned reader(ends[0]);
  const Owned theirs(ends[1]);
  Owned writer(fcntl(reader.get(), F_DUPFD_CLOEXEC, 0));  // a descriptor for each wait
  fcntl(reader.get(), F_SETFL, O_NONBLOCK);
  auto words = open_last_words();
  if (!words) return fail(std::move(words).error());
  const std::string folder = profile.path.empty() ? std::string(kSealedProfile) : profile.path;
  Plan plan = make_plan(isolation, program, folder, options);
  plan.pipe = theirs.get();
  plan.words_file = words->get();
  const pid_t process = start_process(plan);
  if (process == 0) {
    remove(profile);
    return fail(Errc::denied, "cannot start " + program);
  }
  return std::make_unique<BrowserProcess>(isolation, process, std::move(reader), std::move(writer),
                                          std::move(*words), std::move(profile));
}

// Once: a process may have many loops, and each has browsers.
void tell_weakness() {
  static std::atomic_flag was_told;
  if (was_told.test_and_set()) return;
  LOG(warn,
      "this system allows no network namespace, so only options of the browser keep pages "
      "from the network");
}

}  // namespace

Result<std::string> find_browser() {
  for (const char* program : kBrowsers) {
    if (access(program, X_OK) == 0) return std::string(program);
  }
  return fail(Errc::not_found,
              "no browser is installed; run `apt install chromium-headless-shell`");
}

Result<void> ProcessLauncher::check() {
  auto program = find_browser();
  if (!program) return fail(std::move(program).error());
  return {};
}

async::Task<Result<std::unique_ptr<BrowserPipe>>> ProcessLauncher::launch(LaunchOptions options) {
  auto program = find_browser();
  if (!program) co_return fail(std::move(program).error());
  for (const Isolation isolation : {Isolation::sealed, Isolation::no_network}) {
    if (isolation > strongest_) continue;
    auto launched = launch_with(isolation, *program, options);
    if (launched || launched.error() != Errc::denied) co_return launched;
  }
  tell_weakness();
  co_return launch_with(Isolation::flags, *program, options);
}

}  // namespace gossamer::render
