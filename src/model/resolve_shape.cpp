#include "model/resolver.hpp"

namespace parley::model {

void Resolver::shape(Machine&, ClassId) {}

}  // namespace parley::model
