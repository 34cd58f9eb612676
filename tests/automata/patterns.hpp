// The property specification patterns of dwyer1999 that need no Next: absence, existence, universality,
// precedence, response, bounded existence and chains, each globally, before r, after q, between q and r, and
// after q until r. What people write; for the comparison of automata with Spin's and for tests.
#pragma once

#include <array>
#include <string_view>

namespace parley::ltl {

inline constexpr std::array<std::string_view, 37> kPatterns = {
    // Absence.
    "G !p",
    "F r -> (!p U r)",
    "G (q -> G !p)",
    "G ((q && !r && F r) -> (!p U r))",
    "G (q && !r -> (!p W r))",
    // Existence.
    "F p",
    "!r W (p && !r)",
    "G !q || F (q && F p)",
    "G (q && !r -> (!r W (p && !r)))",
    "G (q && !r -> (!r U (p && !r)))",
    // Bounded existence: p at most twice.
    "!p W (p W (!p W (p W G !p)))",
    "F r -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r)))))))))",
    "F q -> (!q U (q && (!p W (p W (!p W (p W G !p))))))",
    "G ((q && F r) -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || "
    "(!p U r))))))))))",
    // Universality.
    "G p",
    "F r -> (p U r)",
    "G (q -> G p)",
    "G ((q && !r && F r) -> (p U r))",
    "G (q && !r -> (p W r))",
    // Precedence: s before p.
    "!p W s",
    "F r -> (!p U (s || r))",
    "G !q || F (q && (!p W s))",
    "G ((q && !r && F r) -> (!p U (s || r)))",
    "G (q && !r -> (!p W (s || r)))",
    // Response: p leads to s.
    "G (p -> F s)",
    "F r -> (p -> (!r U (s && !r))) U r",
    "G (q -> G (p -> F s))",
    "G ((q && !r && F r) -> (p -> (!r U (s && !r))) U r)",
    "G (q && !r -> ((p -> (!r U (s && !r))) W r))",
    // Chains: t after s after p, and p after s and t.
    "F p -> (!p U (s && !p && F t))",
    "F p -> (!p U (s && !p && (!p U t)))",
    "G (p -> F (s && F t))",
    "F r -> (p -> (!r U (s && !r && (!r U t)))) U r",
    "G (q -> G (p -> (s && F t)))",
    // Fairness, as assumptions are written.
    "G F p -> G F s",
    "G F p && G F s -> G (q -> F r)",
    "F G p || F G s || G F q",
};

}  // namespace parley::ltl
