#include "model/resolver.hpp"

namespace parley::model {

void Resolver::warnings() {}
void Resolver::warn_signals() {}
void Resolver::warn_unused() {}

}  // namespace parley::model
