// Which channels a variable may hold: a flow-insensitive inclusion analysis over assignments, arguments of
// run and the fields of messages (andersen1994, chapter 4), arrays and structures collapsed to their leaf.
// Lowering expands a statement on a channel variable into one action per channel of the answer, and adds a
// run-time error for any other value, so a gap here could never go unnoticed.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "front/promela/leaves.hpp"

namespace parley::front::promela {

// A declared channel: the variable that creates it, the leaf in it, and the element of that leaf.
struct DeclaredChannel {
  const Variable* root = nullptr;
  std::string path;
  std::uint32_t element = 0;
  std::uint32_t number = 0;  // in order of declaration; decides comparisons
  const ChannelShape* shape = nullptr;
  friend bool operator<(const DeclaredChannel& a, const DeclaredChannel& b) { return a.number < b.number; }
};

class ChannelSets {
 public:
  explicit ChannelSets(const Program& program);
  // Sorted by order of declaration.
  const std::vector<DeclaredChannel>& of(const Variable* leaf) const;
  const std::vector<DeclaredChannel>& all() const { return all_; }
  // Always holds the channel it was declared with: never assigned, received into or passed as a parameter.
  bool fixed(const Variable* leaf) const { return leaf->channel.has_value() && !written_.count(leaf); }

 private:
  // A variable, or field i of the messages of channel n.
  struct Place {
    const Variable* variable = nullptr;
    std::uint32_t channel = 0, field = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  void statements(const Program& program, const Sequence& sequence);
  void expression(const Program& program, const Expr& e);
  void flow(const Expr& from, const Variable* to);
  void run(const Program& program, const Expr& e);
  void solve();

  struct Copy {
    const Variable *from, *to;
  };
  struct Transfer {  // a statement on a channel variable: `variable` to or from field `field`
    const Variable* channel;
    std::uint32_t field;
    const Variable* variable;
    bool is_send;
  };
  std::vector<Copy> copies_;
  std::vector<Transfer> transfers_;
  std::vector<DeclaredChannel> all_;
  std::map<Place, std::set<DeclaredChannel>> sets_;
  std::map<const Variable*, std::vector<DeclaredChannel>> result_;
  std::set<const Variable*> written_;
};

}  // namespace parley::front::promela
