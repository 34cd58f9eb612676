#include "front/promela/leaves.hpp"

namespace parley::front::promela {
namespace {

void collect(const Program& program, const Variable& v, Leaf so_far, std::vector<Leaf>& out) {
  if (v.is_array) so_far.dims.push_back(v.size);
  if (v.type.base != Base::Struct) {
    so_far.variable = &v;
    out.push_back(std::move(so_far));
    return;
  }
  for (const VariablePtr& f : program.typedefs[v.type.typedef_index].fields) {
    Leaf inner = so_far;
    inner.path += "." + f->name;
    collect(program, *f, std::move(inner), out);
  }
}

}  // namespace

std::uint32_t Leaf::elements() const {
  std::uint64_t n = 1;
  for (std::uint32_t d : dims) n = n * d > kMaxElements ? kMaxElements + 1ull : n * d;
  return static_cast<std::uint32_t>(n);
}

std::vector<Leaf> leaves(const Program& program, const Variable& v) {
  std::vector<Leaf> out;
  collect(program, v, {}, out);
  return out;
}

std::vector<Leaf> message_leaves(const Program& program, const Ref& ref) {
  Variable v = ref.leaf();
  v.is_array = false;
  if (v.type.base != Base::Struct) return {Leaf{"", &ref.leaf(), {}}};
  return leaves(program, v);
}

std::string path_of(const Ref& ref) {
  std::string path;
  for (std::size_t i = 1; i < ref.parts.size(); ++i) path += "." + ref.parts[i].variable->name;
  return path;
}

}  // namespace parley::front::promela
