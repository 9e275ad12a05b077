// A module as the interpreter runs it: every name has become the number of a slot, every opcode what to do.
//
// A thread has one flat array of 64-bit slots. It holds the registers of the kernel and of all functions of the module
// (which do not recurse), the constants, and the special registers, so that an operand is a slot whatever it was in the
// text. Slots are typed by who reads them: a value lies in the low bits.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warptile::emulator {

struct Instruction;

/// Computes from slots to slots.
using Compute = void (*)(uint64_t *slots, const Instruction &);

/// The new value of memory that held `old`.
using Combine = uint64_t (*)(uint64_t old, uint64_t first, uint64_t second);

enum class Op : uint8_t {
    Compute,
    Load,
    Store,
    Atomic,
    Branch,
    BranchByIndex,
    Barrier,
    WarpBarrier,
    Shuffle,
    Vote,
    Call,
    Return,
    Trap,
    Nothing,
};

enum class Space : uint8_t { Global, Shared, Local, Param, Generic };

enum class ShuffleMode : uint8_t { Up, Down, Butterfly, Index };
enum class VoteMode : uint8_t { All, Any, Same, Ballot };
enum class Rounding : uint8_t { Nearest, Zero, Down, Up };

/// Slots that every program has.
constexpr uint32_t slot_true = 0, slot_zero = 1, slot_sink = 2, slot_carry = 3, first_free_slot = 4;

struct Instruction {
    Compute compute = nullptr;  ///< of Compute
    Combine combine = nullptr;  ///< of Atomic
    Op op = Op::Nothing;
    Space space = Space::Generic;  ///< of an access
    uint8_t bytes = 0;             ///< of one element of an access or of a packed value
    uint8_t count = 1;             ///< elements of an access or of a packed value
    uint8_t mode = 0;              ///< ShuffleMode or VoteMode
    Rounding rounding = Rounding::Nearest;
    bool to_integer = false;  ///< rounds to an integral value: .rni, .rzi, .rmi, .rpi
    bool flush = false;       ///< .ftz
    bool saturate = false;    ///< .sat
    bool sign = false;        ///< a load that extends the sign
    bool strong = false;      ///< .volatile, .relaxed and their like: orders like an atomic
    bool constant = false;    ///< ld.global.nc: of memory that nobody writes while the kernel runs
    bool compares = false;    ///< atom.cas
    bool sync = false;        ///< a shuffle with a mask of its members
    bool guard_value = true;  ///< done where slot `guard` is this
    uint32_t guard = slot_true;
    std::array<uint32_t, 4> d = {slot_sink, slot_sink, slot_sink, slot_sink};  ///< results, or what is stored
    uint32_t a = slot_zero, b = slot_zero, c = slot_zero, e = slot_zero;
    int64_t offset = 0;   ///< of an address
    uint32_t target = 0;  ///< instruction to go on with, or the table of `Program::tables`
    int line = 0;         ///< of the text
};

enum class Special : uint8_t {
    ThreadX,
    ThreadY,
    ThreadZ,
    BlockX,
    BlockY,
    BlockZ,
    ThreadsX,
    ThreadsY,
    ThreadsZ,
    BlocksX,
    BlocksY,
    BlocksZ,
    Lane,
    Warp,
    WarpSize,
    LanesEqual,
    LanesLess,
    LanesLessEqual,
    LanesGreater,
    LanesGreaterEqual,
    DynamicShared,
    TotalShared
};

/// Values that slots hold before a thread starts.
struct Preset {
    std::vector<std::pair<uint32_t, uint64_t>> constants;
    std::vector<std::pair<uint32_t, Special>> specials;
};

struct Parameter {
    uint64_t offset = 0, bytes = 0;
};

struct Kernel {
    std::string name;
    uint32_t entry = 0;
    uint32_t slots = 0;
    uint64_t local_bytes = 0;
    uint64_t shared_bytes = 0;  ///< declared; dynamic memory lies behind it
    uint64_t parameter_bytes = 0;
    std::vector<Parameter> parameters;
    Preset preset;
};

struct Program {
    std::vector<Instruction> code;
    std::vector<std::vector<uint32_t>> tables;  ///< of BranchByIndex
    std::vector<Kernel> kernels;
    Preset preset;  ///< of the functions that kernels call
    int target = 0;
};

}  // namespace warptile::emulator
