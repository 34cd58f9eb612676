"""Reads a model of the text language into plain Python values, after the grammar in docs/language.md.

Written from the documentation alone: nothing here was taken from the program under test. Used by interpreter.py, which
gives the values a meaning. It reads what the random models and the plain examples use; anything else (do-activities,
connection points, joins, temporal formulas, …) raises Unsupported, and the model is then left out of a comparison.

Expressions and statements are tuples whose first element names them: ("+", a, b), ("send", signal, arguments, target).
"""
import re


class Unsupported(Exception):
    """The model uses something that this reader or the interpreter leaves to the program."""


TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<text>\"[^\"]*\")|(?P<number>0[xX][0-9a-fA-F_]+|[0-9][0-9_]*)"
    r"|(?P<name>[A-Za-z_$][A-Za-z0-9_$]*)"
    r"|(?P<sign>>>>=|<<=|>>=|>>>|<->|\.\.|->|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|.)", re.DOTALL)


class Region:
    def __init__(self, owner):
        self.owner = owner  # the state around it, None for the machine
        self.vertices, self.initial = [], None
        self.index = None  # of its location among those of the object


class Vertex:
    def __init__(self, kind, name, region):
        self.kind, self.name, self.region = kind, name, region
        self.waiting = False
        self.regions, self.transitions, self.defers = [], [], set()
        self.entry = self.exit = None

    def around(self):
        """The states around this vertex, innermost first."""
        state = self.region.owner
        while state is not None:
            yield state
            state = state.region.owner


class Transition:
    def __init__(self, source, triggers, names, guard, effect, target):
        self.source, self.triggers, self.names = source, triggers, names
        self.guard, self.effect, self.target = guard, effect, target
        self.timer = None  # of `after`: its index among the timers of the object


class Class:
    def __init__(self, name):
        self.name = name
        self.attributes = {}  # name -> (type, size or None, initial expression or None)
        self.operations = {}  # name -> (parameter names, block)
        self.top, self.regions, self.vertices = [], [], []


class Model:
    def __init__(self):
        self.constants, self.enums, self.signals, self.classes = {}, {}, {}, {}
        self.objects = []  # (name, size or None, class, [(attribute, index or None, expression)])
        self.threads, self.queue_options, self.default_options = [], [], {}
        self.environment = []  # (signal, arguments, target, when, at most)
        self.switches, self.checks = {}, []  # checks: (name, kind, expression or None)


class Reader:
    def __init__(self, text):
        self.tokens = [(m.lastgroup, m.group()) for m in TOKEN.finditer(text) if m.lastgroup != "space"]
        self.tokens.append(("end", ""))
        self.at, self.model = 0, Model()

    # --- tokens
    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1][1]

    def accept(self, *words):
        if [self.peek(i) for i in range(len(words))] != list(words):
            return False
        self.at += len(words)
        return True

    def expect(self, word):
        if self.next() != word:
            raise Unsupported(f"expected {word!r} before {' '.join(t for _, t in self.tokens[self.at - 1:self.at + 5])}")

    def name(self):
        if self.tokens[self.at][0] != "name":
            raise Unsupported(f"expected a name instead of {self.peek()!r}")
        return self.next()

    def list_of(self, item, end):
        items = []
        while not self.accept(end):
            items.append(item())
            if not self.accept(","):
                self.expect(end)
                break
        return items

    # --- declarations
    def read(self):
        m = self.model
        while self.peek():
            if self.accept("const"):
                self.type()
                while True:
                    constant = self.name()
                    self.expect("=")
                    m.constants[constant] = self.expression()
                    if not self.accept(","):
                        break
                self.expect(";")
            elif self.accept("enum"):
                enum = self.name()
                self.expect("{")
                m.enums[enum] = self.list_of(self.name, "}")
            elif self.accept("signal"):
                while True:
                    signal = self.name()
                    m.signals[signal] = self.parameters() if self.peek() == "(" else []
                    if not self.accept(","):
                        break
                self.expect(";")
            elif self.accept("class"):
                self.a_class()
            elif self.accept("system"):
                self.system()
            elif self.accept("check"):
                self.check()
            elif not self.accept(";"):
                raise Unsupported(f"a declaration that starts with {self.peek()!r}")
        return m

    def type(self):
        word = self.name()
        if word in ("int", "timer") and self.accept("("):
            low = self.expression()
            high = self.expression() if self.accept("..") else None
            self.expect(")")
            return (word, low, high)
        return (word,)

    def parameters(self):
        self.expect("(")
        return self.list_of(lambda: (self.type(), self.name()), ")")

    def a_class(self):
        c = Class(self.name())
        if self.peek() == ":":
            raise Unsupported("generalisation")
        self.expect("{")
        while not self.accept("}"):
            if self.accept("machine"):
                c.top = self.vertices(c, None)
            elif not self.accept(";"):
                kind, name = self.type(), self.name()
                if self.peek() == "(":
                    c.operations[name] = ([p for _, p in self.parameters()], self.block())
                    continue
                while True:
                    size = None
                    if self.accept("["):
                        size = self.expression()
                        self.expect("]")
                    c.attributes[name] = (kind, size, self.expression() if self.accept("=") else None)
                    if not self.accept(","):
                        break
                    name = self.name()
                self.expect(";")
        self.model.classes[c.name] = c

    # --- machines
    def vertices(self, c, owner):
        """The body of a machine; the one of a state is read by `state`, which shares `item`."""
        regions = []
        self.expect("{")
        while not self.accept("}"):
            self.item(c, owner, regions)
        return regions

    def plain_region(self, c, owner, regions):
        if not regions:
            regions.append(self.new_region(c, owner))
        return regions[0]

    @staticmethod
    def new_region(c, owner):
        region = Region(owner)
        region.index = len(c.regions)
        c.regions.append(region)
        return region

    def item(self, c, owner, regions):
        if self.accept(";"):
            return
        if self.peek() == "region":
            self.next()
            if self.peek() != "{":
                self.next()
            region = self.new_region(c, owner)
            regions.append(region)
            inner = [region]
            self.expect("{")
            while not self.accept("}"):
                self.item(c, owner, inner)
            return
        region = self.plain_region(c, owner, regions)
        waiting = self.accept("waiting")
        word = self.next()
        if word == "deep":
            self.expect("history")
            word = "deep history"
        elif word == "final":
            self.accept("state")
        if word not in ("state", "initial", "final", "terminate", "choice", "junction", "fork", "history", "deep history"):
            raise Unsupported(f"a vertex that starts with {word!r}")
        named = word != "initial" or self.tokens[self.at][0] == "name"
        vertex = Vertex(word, self.name() if named else "", region)
        vertex.waiting = waiting
        region.vertices.append(vertex)
        c.vertices.append(vertex)
        if word == "initial":
            region.initial = vertex
        if word == "state":
            if not self.accept(";"):
                self.state(c, vertex)
        elif self.accept("{"):
            while not self.accept("}"):
                self.transition(vertex)
        elif not self.accept(";"):
            self.transition(vertex)

    def state(self, c, vertex):
        self.expect("{")
        while not self.accept("}"):
            if self.peek() in ("entry", "exit") and self.peek(1) in ("/", "{"):
                where = self.next()
                setattr(vertex, where, self.behaviour())
                self.accept(";")
            elif self.accept("defer"):
                vertex.defers |= set(self.list_of(self.name, ";"))
            elif self.peek() in ("on", "after", "when", "[", "->", "/") or self.peek(1) == ":":
                self.transition(vertex)
            else:
                self.item(c, vertex, vertex.regions)

    def behaviour(self):
        self.accept("/")
        if self.tokens[self.at][0] == "text":
            self.next()
        return self.block()

    def transition(self, source):
        if self.peek(1) == ":":
            self.at += 2
        triggers, names, guard, effect, target = [], None, None, None, None
        if self.accept("on"):
            while True:
                if self.accept("timeout"):
                    triggers.append(("timeout", self.name()))
                else:
                    triggers.append(("message", self.name()))
                    if self.accept("("):
                        names = self.list_of(self.name, ")")
                if not self.accept(","):
                    break
        elif self.accept("after"):
            triggers.append(("after", self.primary()))
        elif self.accept("when"):
            raise Unsupported("change triggers")
        if self.accept("["):
            guard = ("else",) if self.accept("else") else self.expression()
            self.expect("]")
        if self.peek() == "/":
            effect = self.behaviour()
        if self.accept("->"):
            target = [self.name()]
            if target == ["local"] and self.peek() not in (";", "."):
                raise Unsupported("local transitions")
            while self.accept("."):
                target.append(self.name())
        if not self.accept(";") and (target is not None or effect is None):
            self.expect(";")
        source.transitions.append(Transition(source, triggers, names, guard, effect, target))

    # --- the system and the checks
    def system(self):
        m = self.model
        self.expect("{")
        while not self.accept("}"):
            if self.accept(";"):
                pass
            elif self.accept("thread"):
                self.name()
                self.expect("{")
                m.threads.append(self.list_of(self.postfix, "}"))
            elif self.accept("queues", ":"):
                m.default_options = self.options()
            elif self.accept("queue", "of"):
                names = self.list_of(self.postfix, ":")
                m.queue_options.append((names, self.options()))
            elif self.accept("environment", "sends"):
                messages = []
                while True:
                    signal = self.name()
                    messages.append((signal, self.list_of(self.argument, ")") if self.accept("(") else []))
                    if not self.accept(","):
                        break
                self.expect("to")
                target, when, most = self.postfix(), None, None
                if self.accept("when"):
                    when = self.expression()
                if self.accept("at", "most"):
                    most = self.expression()
                self.expect(";")
                m.environment += [(signal, arguments, target, when, most) for signal, arguments in messages]
            elif self.accept("semantics"):
                self.expect("{")
                while not self.accept("}"):
                    switch = "_".join(self.words("="))
                    m.switches[switch] = "_".join(self.words(";"))
            else:
                self.object()

    def words(self, end):
        words = [self.name()]
        while not self.accept(end):
            self.accept("-")
            words.append(self.name())
        return words

    def object(self):
        name, size = self.name(), None
        if self.accept("["):
            size = self.expression()
            self.expect("]")
        self.expect(":")
        of_class, wiring = self.name(), []
        if self.accept("{"):
            while not self.accept("}"):
                attribute, index = self.name(), None
                if self.accept("["):
                    index = self.expression()
                    self.expect("]")
                self.expect("=")
                wiring.append((attribute, index, self.expression()))
                self.accept(";") or self.accept(",")
        self.accept(";")
        self.model.objects.append((name, size, of_class, wiring))

    def options(self):
        options = {}
        while True:
            option = self.name()
            options[option] = self.expression() if option == "capacity" else self.name()
            if not self.accept(","):
                break
        self.expect(";")
        return options

    def argument(self):
        if self.peek() == "any" and self.peek(1) != "(":
            self.next()
            return ("any",)
        low = self.expression()
        return ("range", low, self.expression()) if self.accept("..") else ("value", low)

    def check(self):
        label = None
        if self.peek(1) == ":":
            label = self.name()
            self.expect(":")
        begin = self.at
        if self.accept("no"):
            while not self.accept(";"):
                self.next()
            words = " ".join(t for _, t in self.tokens[begin:self.at - 1]).replace("run - time", "run-time")
            self.model.checks.append((label or words, words, None))
            return
        kind = self.next()
        if kind not in ("always", "never", "reachable"):
            raise Unsupported("temporal formulas")
        predicate = self.implication()
        self.expect(";")
        self.model.checks.append((label or kind, kind, predicate))

    # --- statements
    def block(self):
        self.expect("{")
        body = []
        while not self.accept("}"):
            body.append(self.statement())
        return ("block", body)

    def statement(self):
        if self.peek() == "{":
            return self.block()
        if self.accept(";"):
            return ("block", [])
        if self.accept("send"):
            signal = self.name()
            arguments = self.list_of(self.expression, ")") if self.accept("(") else []
            return self.ended(("send", signal, arguments, self.expression() if self.accept("to") else ("this",)))
        if self.accept("assert"):
            e = self.expression()
            if self.accept(":"):
                self.next()
            return self.ended(("assert", e))
        if self.accept("if"):
            condition, then = self.in_parentheses(), self.statement()
            return ("if", condition, then, self.statement() if self.accept("else") else ("block", []))
        if self.accept("for"):
            self.expect("(")
            variable = self.name()
            self.expect("in")
            low = self.expression()
            self.expect("..")
            high = self.expression()
            self.expect(")")
            return ("for", variable, low, high, self.statement())
        if self.accept("while"):
            condition = self.in_parentheses()
            self.expect("limit")
            return ("while", condition, self.expression(), self.statement())
        if self.accept("either"):
            branches = [self.block()]
            while self.accept("or"):
                branches.append(self.block())
            return ("either", branches)
        if self.accept("return"):
            return self.ended(("return", None if self.peek() == ";" else self.expression()))
        if self.accept("start"):
            timer = self.name()
            self.expect("=")
            return self.ended(("start", timer, self.expression()))
        if self.peek() == "stop" and self.peek(2) == ";":
            self.next()
            return self.ended(("stop", self.name()))
        if self.peek() == "havoc":
            raise Unsupported("havoc")
        if self.tokens[self.at + 1][0] == "name" or self.peek() == "int":
            kind, variable = self.type(), self.name()
            return self.ended(("local", kind, variable, self.expression() if self.accept("=") else None))
        place = self.postfix()
        if self.accept("++"):
            return self.ended(("assign", place, ("+", place, ("value", 1))))
        if self.accept("--"):
            return self.ended(("assign", place, ("-", place, ("value", 1))))
        if self.peek() == ";" and place[0] == "call":
            return self.ended(("do", place))
        operator = self.next()
        value = self.expression()
        return self.ended(("assign", place, value if operator == "=" else (operator[:-1], place, value)))

    def ended(self, statement):
        self.expect(";")
        return statement

    def in_parentheses(self):
        self.expect("(")
        e = self.expression()
        self.expect(")")
        return e

    # --- expressions, loosest first
    LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">=", "in", "has"),
              ("<<", ">>", ">>>"), ("+", "-"), ("*", "/", "%"))

    def implication(self):
        left = self.expression()
        if self.accept("->"):
            return ("||", ("!", left), self.implication())
        return left

    def expression(self):
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        then = self.expression()
        self.expect(":")
        return ("?", condition, then, self.expression())

    def binary(self, level):
        if level == len(self.LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in self.LEVELS[level]:
            operator = self.next()
            if operator == "in":
                path = [self.name()]
                while self.accept("."):
                    path.append(self.name())
                left = ("in", left, path)
            elif operator == "has":
                left = ("has", left, self.name())
            else:
                left = (operator, left, self.binary(level + 1))
        return left

    def unary(self):
        if self.accept("!"):  # `!o in s` means `!(o in s)`
            inner = self.unary()
            if self.peek() in ("in", "has"):
                raise Unsupported("negation before in or has")
            return ("!", inner)
        if self.accept("-"):
            return ("negate", self.unary())
        if self.accept("~"):
            return ("~", self.unary())
        return self.postfix()

    def postfix(self):
        e = self.primary()
        while True:
            if self.accept("["):
                e = ("index", e, self.expression())
                self.expect("]")
            elif self.peek() == "." and self.tokens[self.at + 1][0] == "name":
                self.next()
                field = self.name()
                e = ("call", e, field, self.list_of(self.expression, ")")) if self.accept("(") else ("field", e, field)
            else:
                return e

    def primary(self):
        kind, word = self.tokens[self.at]
        if self.peek() == "(":
            self.next()
            e = self.implication()
            self.expect(")")
            return e
        self.next()
        if kind == "number":
            value = int(word.replace("_", ""), 0)
            return ("value", value - (1 << 32) if value >= 1 << 31 and word[:2].lower() == "0x" else value)
        if word in ("true", "false"):
            return ("value", word == "true")
        if word == "null":
            return ("value", None)
        if word == "this":
            return ("this",)
        if word == "any" and self.accept("("):
            low = self.expression()
            high = self.expression() if self.accept("..") else None
            self.expect(")")
            return ("any", low, high)
        if word == "len" and self.accept("("):
            e = self.expression()
            self.expect(")")
            return ("len", e)
        if word in ("forall", "exists") and self.accept("("):
            variable = self.name()
            self.expect(":")
            of = self.name()
            self.expect(")")
            return (word, variable, of, self.implication())
        if kind != "name":
            raise Unsupported(f"an expression that starts with {word!r}")
        return ("call", None, word, self.list_of(self.expression, ")")) if self.accept("(") else ("name", word)


def read(text):
    return Reader(text).read()
