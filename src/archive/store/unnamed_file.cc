#include "store/unnamed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"

namespace gossamer::store {

Error file_failure(int error_number, const std::string& what) {
  const bool is_full = error_number == ENOSPC || error_number == EDQUOT;
  return {is_full ? Errc::no_space : Errc::io_failed,
          Error::from_errno(error_number, what).message()};
}

Result<int> open_unnamed_file(const std::string& folder) {
  int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  // Not every file system supports unnamed files.
  std::string name = folder + "/unnamed-XXXXXX";
  file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return fail(file_failure(errno, "cannot create a file in " + folder));
  unlink(name.c_str());
  return file;
}

}  // namespace gossamer::store
