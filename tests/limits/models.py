"""Models that are heavy in one way each: written into a folder, by name."""

# One step that counts to two thousand million.
LONG_STEP = """
signal tick;
class C {
  int x = 0;
  machine {
    initial -> a;
    waiting state a { on tick / { while (x < 2000000000) limit 2000000000 { x++; } } -> b; }
    waiting state b;
  }
}
system { c : C; environment sends tick to c when (len(c) == 0); }
check always (c.x >= 0);
"""

# Two states: bounded model checking goes on for ever.
TWO_STATES = """
signal t;
class C {
  machine {
    initial -> a;
    waiting state a { on t -> b; }
    waiting state b { on t -> a; }
  }
}
system { c : C; environment sends t to c when (len(c) == 0); }
check never (c in a && c in b);
"""

# A violation after a few steps, and a state space that nobody sees the end of.
EARLY_VIOLATION = """
signal up(int(0..3) n);
signal done;
class C {
  int a = 0; int b = 0; int d = 0;
  machine {
    initial -> s;
    waiting state s {
      on up(n) / { a = a + 1; b = b * 7 + n; d = d + b; };
      on done -> e;
    }
    waiting state e { on up(n) -> s; on done; }
  }
}
system { c : C; environment sends up(0..3), done to c when (len(c) == 0); }
check never (c in e);
check always (c.d != 123456789);
"""

# A step with 2^32 successors.
WIDE_CHOICE = """
signal t;
class C {
  int x = 0;
  machine { initial -> a; waiting state a { on t / { havoc x; }; } }
}
system { c : C; environment sends t to c when (len(c) == 0); }
check always (c.x != 123456789);
"""


def write_all(folder):
    """{name: path}"""
    texts = {"long-step": LONG_STEP, "two-states": TWO_STATES, "early-violation": EARLY_VIOLATION, "wide-choice": WIDE_CHOICE}
    paths = {}
    for name, text in texts.items():
        paths[name] = folder / f"{name}.ply"
        paths[name].write_text(text)
    return paths
