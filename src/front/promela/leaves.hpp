// The scalars a variable consists of: a structure is the sum of its fields, at any depth, arrays are
// dimensions. Used wherever whole structures travel (messages, arguments) and to lay variables out as cells.
#pragma once

#include <string>
#include <vector>

#include "front/promela/ast.hpp"

namespace parley::front::promela {

struct Leaf {
  std::string path;                    // "" for a plain variable, ".f.g" inside a structure
  const Variable* variable = nullptr;  // the field, or the variable itself
  std::vector<std::uint32_t> dims;     // sizes of the arrays on the way, outermost first
  std::uint32_t elements() const;
};

// More elements than this in one variable is a mistake in the model.
inline constexpr std::uint32_t kMaxElements = 1u << 20;

std::vector<Leaf> leaves(const Program& program, const Variable& v);
// The leaves below what a reference names, without the dimensions that its indices have fixed.
std::vector<Leaf> message_leaves(const Program& program, const Ref& ref);
std::string path_of(const Ref& ref);  // of the leaf that a reference names

}  // namespace parley::front::promela
