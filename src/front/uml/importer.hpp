// The state of one import, shared by the readers of this room: the document, the model under construction,
// and what is known about its classes, signals and ports. Each reader is a function over it; load() in
// uml.cpp runs them in order: types and classes, signals, behaviour, structure. Not visible outside of
// front/uml.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "front/uml/code_meaning.hpp"
#include "front/uml/document.hpp"
#include "front/uml/names.hpp"
#include "front/uml/uml.hpp"
#include "front/uml/unfinished.hpp"

namespace parley::front::uml {

struct PortRecord {
  const Element* element = nullptr;
  std::string name;
  int number = 0;            // within its class, from 1
  long replication = 1;      // -1: any number
  bool is_behaviour = true;  // messages end at this object; false: they are relayed inwards
  bool conjugated = false;
  bool wired = true;  // false: found by registration at run time (UML-RT)
  bool publishes = false;
  const Element* protocol = nullptr;
};

struct ClassRecord {
  const Element* element = nullptr;  // the class; for a machine without a class, the machine
  const Element* machine = nullptr;
  std::string name;                // in the model
  std::vector<std::size_t> bases;  // classes it specialises, in order
  bool is_abstract = false;
  bool has_ports = false;
  bool instantiated_by_default = true;  // false: only there as a type
  Names members;
  std::map<const Element*, std::string> features;  // property element -> model name of the attribute
  std::vector<PortRecord> ports;                   // own ones
  std::vector<const Element*> parts;               // composite properties whose type is a class of the model
};

struct SignalRecord {
  const Element* element = nullptr;                           // signal, operation, or whatever made it
  std::string name;                                           // in the model
  std::vector<std::pair<std::string, ValueType>> parameters;  // without the hidden port; of known types only
  std::vector<std::string> left_out;  // parameters of types that the model does not have
  bool carries_port = false;
  bool used = false;
  std::set<std::string> read;  // parameters that some text reads
};

// Signal -> those that specialise it directly, in document order.
using SpecialSignals = std::map<const Element*, std::vector<const Element*>>;

struct Import {
  Import(const Document& d, diag::Diagnostics& ds, const Options& o, ImportReport& r)
      : document(d), diagnostics(ds), options(o), report(r) {}

  const Document& document;
  diag::Diagnostics& diagnostics;
  const Options& options;
  ImportReport& report;
  model::Model model;
  Library library;
  Names global;                      // types and signals
  std::vector<ClassRecord> classes;  // same order as model.classes
  std::map<const Element*, std::size_t> class_index;
  std::map<const Element*, ValueType> enumerations;
  std::map<std::string, SignalRecord> signals;            // by key
  std::map<const Element*, std::string> signal_keys;      // signal or operation element -> key
  std::optional<SpecialSignals> special_signals;          // once all signals are read
  std::map<std::size_t, std::set<std::string>> accepted;  // class -> keys that its machine has triggers for
  std::map<std::pair<std::size_t, std::string>, std::set<int>> accepted_ports;  // class, key -> port numbers
  std::set<std::string> sent;                                                   // keys
  std::string capsule;  // model name of the common base of classes with ports, or ""
  Names guesses;        // made-up attributes, unique in the whole model
  LeftOut left_out;     // machines that are not read, and why
  std::size_t named_without_trigger = 0,
              waiting_transitions = 0;  // of states; for the habit of names as events
  const Element* named_first = nullptr;
  // What became of each element, for the ledger: the worst of what was said about it.
  std::map<const Element*, Treatment> fate;
  void settle_fate(const Element& e, Treatment treatment);

  // Reporting. `what` is a kind of construct ("effect text"); a rejection is also an error.
  void read(const std::string& what) { report.read(what); }
  // Without effect on behaviour, or refused wherever something uses it.
  void ignore(const char* what, const Element& e, std::string detail = {});
  // With an effect, or what effect it has is not known: every answer assumes something about it.
  void leave_out(const char* what, const Element& e, std::string detail, std::string assumption);
  void approximate(const char* what, const Element& e, std::string detail, std::string assumption);
  // What the file does not say.
  void guess(const char* what, const Element& e, std::string detail, std::string assumption);
  void reject(const char* what, const Element& e, std::string detail, const std::string& message);
  void reject_control(const char* what, const Element& e, std::string detail, const std::string& message);
  // `what` is the kind: assumptions of one kind are one line with a count.
  void assume(diag::AssumptionCode code, const std::string& what, std::string text);
  void state_assumptions();                   // into the model, when everything is read
  std::string label(const Element& e) const;  // "`name` [id]"

 private:
  struct Assumed {
    diag::AssumptionCode code{};
    std::string what, first;
    std::set<std::string> texts;
  };
  std::vector<Assumed> assumed_;
};

// ---- owners.cpp
bool is_class(std::string_view metaclass);
// Which machine a class runs: its classifier behaviour, else the only state machine it owns.
struct Owners {
  std::map<const Element*, const Element*> machine_of_class;
  std::vector<const Element*> free_machines;  // without a class, or a further one of a class
};

Owners find_owners(Import& import);

// ---- types.cpp: classes, attributes, operations, enumerations
void read_classes(Import& import);
ValueType type_of(Import& import, const Element& typed, std::string* written = nullptr);
model::TypeRef type_ref(const ValueType& type, diag::Span span);
void read_operations(Import& import);  // after signals
// The class and those it inherits from, nearest first.
std::vector<std::size_t> lineage(const Import& import, std::size_t index);
const Element* machine_of(const Import& import, std::size_t index);  // own or inherited; null: passive

// ---- events.cpp: signals, operations that are called as events, protocols, events
void read_signals(Import& import);
struct EventTrigger {
  model::Trigger trigger;
  std::string key;  // signal; "" for other kinds
  int port = 0;     // must arrive here; 0: anywhere
};
// What a trigger element means for a class: usually one entry; several for any-receive at a port and for
// signals that others specialise.
std::vector<EventTrigger> read_trigger(Import& import, std::size_t class_index, const Element& trigger);

// A signal of that name, of the model or made up: for tools and people that name an event and draw none.
EventTrigger named_trigger(Import& import, std::size_t class_index, const Element& at,
                           const std::string& name);

// ---- behaviours.cpp: text and activities
struct BehaviourPlace {
  std::size_t class_index = 0;
  const char* what = "";           // "effect", "entry", …
  const Element* owner = nullptr;  // transition or state
};
Scope scope_of(Import& import, std::size_t class_index);
model::Behaviour read_behaviour(Import& import, const Element& behaviour, const BehaviourPlace& place,
                                Scope scope);
// The text of a behaviour or expression; empty if it has none.
std::string text_of(const Import& import, const Element& behaviour);
void read_constraint(Import& import, const Element& constraint, const BehaviourPlace& place,
                     const Scope& scope, model::Transition& transition);

// ---- machines.cpp
void read_machines(Import& import);

// ---- guesses.cpp: free choices in guards, which only this room makes, replaced by guessed attributes
void replace_unknown_guards(Import& import);

// ---- simplify.cpp: free choices that nothing reads
void drop_unread_choices(Import& import);

// ---- account.cpp: what no reader came across is listed, and everything is counted
void account_for_the_rest(Import& import);

// ---- structure.cpp
void read_structure(Import& import);

// ---- environment.cpp
void declare_signals(Import& import);
void declare_environment(Import& import);

}  // namespace parley::front::uml
