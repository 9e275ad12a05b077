// The little of the CUDA driver that the bench itself needs, found at run time: a machine without it is no error until
// somebody asks for a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warptile::bench {

/// A device with a context of its own, for this process. Not to be made before a fork whose child uses the GPU.
class CudaDevice {
public:
    /// The device that Halide's runtime takes: HL_GPU_DEVICE of the environment, or the first.
    /// Throws `std::runtime_error` where there is no driver or no device.
    CudaDevice();
    CudaDevice(const CudaDevice &) = delete;
    CudaDevice &operator=(const CudaDevice &) = delete;

    std::string name() const;
    std::string pci_bus_id() const;  // empty where the driver has none
    int driver_version() const;      // 13000 for CUDA 13.0
    int capability() const;          // 90 for 9.0
    int sms() const;

    /// Device memory, until the process ends.
    uint64_t allocate(size_t bytes);

    /// A kernel of a module of PTX.
    void *load(const std::string &ptx, const char *kernel);

    /// Starts a kernel in one dimension; `arguments` point to its parameters.
    void launch(void *kernel, unsigned blocks, unsigned threads, void **arguments);

    void synchronise();

private:
    void *library_;
    int device_ = 0;

    template<typename... Arguments>
    void call(const char *function, Arguments... arguments) const;
    int attribute(int number) const;
};

}  // namespace warptile::bench
