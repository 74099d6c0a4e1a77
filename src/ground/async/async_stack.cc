#include "async/async_stack.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "async/routine.h"
#include "base/check.h"
#include "base/message.h"

namespace gossamer::async {

namespace {

std::string_view below_source_root(std::string_view file) {
  for (const std::string_view root : {"/src/", "/examples/", "/tests/", "/bench/"}) {
    const std::string_view folder = root.substr(1);
    const std::size_t slash = file.rfind(root);
    if (slash == file.npos && !file.starts_with(folder)) continue;
    const std::size_t at = slash == file.npos ? 0 : slash + 1;
    return file.substr(root == "/src/" ? at + folder.size() : at);
  }
  return file;
}

std::string frame_line(std::size_t depth, std::source_location at) {
  return "  #" + std::to_string(depth) + " " + describe(at) + "\n";
}

std::string spawn_line(std::source_location at) { return "  spawned at " + describe(at) + "\n"; }

void print_running(std::FILE* out) {
  if (running_frame == nullptr) return;
  std::fputs("async stack:\n", out);
  std::fputs(describe_stack(*running_frame).c_str(), out);
}

}  // namespace

std::string describe(std::source_location at) {
  if (at.line() == 0) return "(has not waited yet)";
  std::string text(below_source_root(at.file_name()));
  text += ":" + std::to_string(at.line()) + " in " + at.function_name();
  return text;
}

std::string describe_stack(const Frame& innermost) {
  std::string text;
  std::size_t depth = 0;
  for (const Frame* frame = &innermost; frame != nullptr; frame = frame->caller) {
    text += frame_line(depth++, frame->awaiting_at);
  }
  if (innermost.started()) text += spawn_line(innermost.scope->routine().spawned_at());
  return text;
}

std::string describe_stack(const Routine& routine) {
  return describe_stack(routine.innermost_frame());
}

StackSnapshot::StackSnapshot(const Frame& innermost) noexcept
    : spawned_at_(innermost.scope->routine().spawned_at()) {
  const Frame* frame = &innermost;
  for (; frame != nullptr && count_ < kFramesMax; frame = frame->caller) {
    frames_[count_++] = frame->awaiting_at;
  }
}

std::string StackSnapshot::to_string() const {
  if (count_ == 0) return "  a callback\n";
  std::string text;
  for (std::size_t depth = 0; depth < count_; ++depth) text += frame_line(depth, frames_[depth]);
  return text + spawn_line(spawned_at_);
}

void die_pending(const Frame& frame) noexcept {
  const Routine& routine = frame.scope->routine();
  CHECK(false, "Task was destroyed but it is pending!\n{}", describe_stack(routine));
  std::abort();
}

void die_awaited_twice(const Frame& caller, std::source_location at) noexcept {
  CHECK(false, "a Task is awaited twice, or after it was moved away, at {}\n{}", describe(at),
        describe_stack(caller));
  std::abort();
}

void print_async_stack_on_check_failure() noexcept { base::set_check_context(print_running); }

}  // namespace gossamer::async
