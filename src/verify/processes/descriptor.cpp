#include "verify/processes/descriptor.h"

#include <cerrno>
#include <unistd.h>

namespace warptile {

Descriptor::~Descriptor() {
    if (number >= 0)
        close(number);
}

bool write_all(int descriptor, const std::string &text) {
    for (size_t done = 0; done < text.size();) {
        const ssize_t n = write(descriptor, text.data() + done, text.size() - done);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            done += size_t(n);
    }
    return true;
}

}  // namespace warptile
