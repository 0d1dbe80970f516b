#include "failure.hpp"

#include <cerrno>
#include <system_error>

namespace eciscope::cli {

namespace {

std::string remedy_for(int error_number) {
    switch (error_number) {
        case ENOENT:
            return "Check the spelling; a folder that does not exist is not made.";
        case EACCES:
        case EPERM:
            return "Ask for the permission, or use another folder.";
        case ENOSPC:
        case EDQUOT:
            return "Make room or write elsewhere; 'eciscope recover' makes a whole file of an EWF that was cut.";
        case EISDIR:
            return "Give a file, not a folder.";
        case EROFS:
            return "The file system cannot be written to; write elsewhere.";
        case EFBIG:
            return "The file system or a limit (ulimit -f) does not allow larger files.";
        case EMFILE:
        case ENFILE:
            return "Too many files are open; raise the limit (ulimit -n) or give fewer inputs at once.";
        default:
            return {};
    }
}

}  // namespace

Failure system_failure(const std::string& doing, int error_number) {
    Failure failure;
    failure.what = doing + ": " + std::generic_category().message(error_number);
    failure.remedy = remedy_for(error_number);
    failure.reader_left = error_number == EPIPE;
    return failure;
}

}  // namespace eciscope::cli
