"""Models that nobody writes by hand and every generator can: deep, long, wide, or shared until a walk over the tree
never ends. Each is made from one number. hostile.py gives them to every command."""
import xml.sax.saxutils


# --- text models -------------------------------------------------------------------------------------------------

def ply(effect="", guard="", check="", attributes="", states="", machine=None):
    body = machine if machine is not None else (
        f"initial -> s; state s {{ on go {'[' + guard + ']' if guard else ''} / {{ {effect} }} -> s; }} {states}")
    return (f"signal go;\nclass C {{ int x; bool b; {attributes}\n  machine {{ {body} }} }}\n"
            f"system {{ c : C; environment sends go to c; }}\ncheck always ({check or 'c.x >= 0'});\n")


def ply_sum(n):
    return ply(effect="x = " + " + ".join(["x"] * n) + ";")


def ply_or(n):
    return ply(guard=" || ".join(["b", "x > 3"] * (n // 2)))


def ply_check(n):
    return ply(check=" && ".join(f"c.x != {i + 2}" for i in range(n)))


def ply_parentheses(n):
    return ply(effect="x = " + "(" * n + "x" + ")" * n + ";")


def ply_nots(n):
    return ply(guard="!" * n + "b")


def ply_conditionals(n):
    return ply(effect="x = " + "b ? 1 : " * n + "2;")


def ply_blocks(n):
    return ply(effect="{" * n + "x = 1;" + "}" * n)


def ply_else_ifs(n):
    return ply(effect="".join(f"if (x == {i}) x = {i + 1}; else " for i in range(n)) + "x = 0;")


def ply_statements(n):
    return ply(effect="x = 1 - x;\n" * n)


def ply_doublings(n):
    """Each local is twice the one before: a graph of n nodes, a tree of 2^n."""
    return ply(effect="int v0 = x;" + "".join(f"int v{i + 1} = v{i} ^ (v{i} + 1);" for i in range(n)) + f"x = v{n};")


def ply_nested_states(n):
    return ply(machine="initial -> s;" + "state s { initial -> s;" * n + "state s;" + "}" * n)


def ply_choices(n):
    """n choices, each with two ways to the next: 2^n ways from the first to the last."""
    chain = "".join(f"choice k{i} {{ [b] -> k{i + 1}; [else] / {{ x = {i}; }} -> k{i + 1}; }}" for i in range(n))
    return ply(machine=f"initial -> s; state s {{ on go -> k0; }} {chain} choice k{n} {{ [else] -> s; }}")


def ply_junctions(n):
    return ply_choices(n).replace("choice", "junction")


def ply_states(n):
    chain = "".join(f"state s{i} {{ on go -> s{i + 1}; }}\n" for i in range(n))
    return ply(machine=f"initial -> s0; {chain} state s{n};")


def ply_transitions(n):
    return ply(machine="initial -> s; state s {" + "".join(f"on go [x == {i}] -> s;\n" for i in range(n)) + "}")


def ply_objects(n):
    return ply().replace("c : C;", "c : C; " + "".join(f"c{i} : C;" for i in range(n)))


def ply_attributes(n):
    return ply(attributes="".join(f"int a{i};" for i in range(n)))


def ply_operations(n):
    """Operation i calls operation i + 1 twice."""
    calls = "".join(f"int f{i}() {{ return f{i + 1}() + f{i + 1}(); }}" for i in range(n))
    return ply(effect="x = f0();", attributes=f"{calls} int f{n}() {{ return x; }}")


# --- Promela -----------------------------------------------------------------------------------------------------

def pml(body, head=""):
    return f"int x; bool b; {head}\nactive proctype P() {{ {body} }}\n"


def pml_sum(n):
    return pml("x = " + " + ".join(["x"] * n))


def pml_or(n):
    return pml(" || ".join(["b", "x > 3"] * (n // 2)))


def pml_macros(n):
    """Sixteen doubling macros are 65,536 terms; forty are a bomb."""
    macros = "".join(f"\n#define M{i + 1} (M{i} + M{i})" for i in range(n))
    return pml(f"x = M{n}", f"\n#define M0 x{macros}\n")


def pml_parentheses(n):
    return pml("x = " + "(" * n + "x" + ")" * n)


def pml_nots(n):
    return pml("!" * n + "b")


def pml_conditionals(n):
    return pml("x = " + "(b -> 1 : " * n + "2" + ")" * n)


def pml_blocks(n):
    return pml("{" * n + "x = 1" + "}" * n)


def pml_ifs(n):
    return pml("if :: " * n + "x = 1" + " fi" * n)


def pml_statements(n):
    return pml("x = 1 - x;\n" * n)


def pml_inlines(n):
    inlines = "".join(f"inline i{k}() {{ i{k + 1}(); i{k + 1}() }}\n" for k in range(n))
    return f"int x;\ninline i{n}() {{ x = x + 1 }}\n{inlines}active proctype P() {{ i0() }}\n"


def pml_unless(n):
    return pml("{ " * n + "x = 1" + " } unless { b }" * n)


def pml_options(n):
    return pml("do " + "".join(f":: x == {i} -> x = {i + 1}\n" for i in range(n)) + " od")


def pml_processes(n):
    return "int x;\n" + "".join(f"active proctype P{i}() {{ x = 1 }}\n" for i in range(n))


def pml_variables(n):
    return "".join(f"int v{i};\n" for i in range(n)) + pml("x = 1")


def pml_ltl(n):
    return pml("x = 1") + "ltl p { [] (" + " || ".join(["b", "x < 3"] * (n // 2)) + ") }\n"


def pml_ltl_nesting(n):
    return pml("x = 1") + "ltl p { " + "[] <> " * n + "b }\n"


# --- UML ---------------------------------------------------------------------------------------------------------

UML_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<uml:Model xmi:version="20131001" xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
 xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmi:id="m" name="M">
<packagedElement xmi:type="uml:Signal" xmi:id="sg" name="go"/>
<packagedElement xmi:type="uml:SignalEvent" xmi:id="ev" name="go" signal="sg"/>
<packagedElement xmi:type="uml:Class" xmi:id="c" name="C" classifierBehavior="sm">
<ownedAttribute xmi:id="ax" name="x"><type xmi:type="uml:PrimitiveType"
 href="pathmap://UML_LIBRARIES/UMLPrimitiveTypes.library.uml#Integer"/></ownedAttribute>
<ownedAttribute xmi:id="ab" name="b"><type xmi:type="uml:PrimitiveType"
 href="pathmap://UML_LIBRARIES/UMLPrimitiveTypes.library.uml#Boolean"/></ownedAttribute>
<ownedBehavior xmi:type="uml:StateMachine" xmi:id="sm" name="B"><region xmi:id="r">
<subvertex xmi:type="uml:Pseudostate" xmi:id="v0"/><subvertex xmi:type="uml:State" xmi:id="vs" name="S"/>
<transition xmi:id="t0" source="v0" target="vs"/>
"""
UML_TAIL = """</region></ownedBehavior></packagedElement></uml:Model>
"""


def uml_transition(name, source, target, trigger=False, guard="", effect=""):
    rule = f' guard="g{name}"' if guard else ""
    text = f'<transition xmi:id="{name}" source="{source}" target="{target}"{rule}>'
    if trigger:
        text += f'<trigger xmi:id="tr{name}" event="ev"/>'
    if guard:
        text += (f'<ownedRule xmi:id="g{name}"><specification xmi:type="uml:OpaqueExpression" xmi:id="x{name}">'
                 f"<language>C</language><body>{xml.sax.saxutils.escape(guard)}</body></specification></ownedRule>")
    if effect:
        text += (f'<effect xmi:type="uml:OpaqueBehavior" xmi:id="b{name}"><language>C</language>'
                 f"<body>{xml.sax.saxutils.escape(effect)}</body></effect>")
    return text + "</transition>\n"


def uml(effect="", guard="", inside=""):
    own = uml_transition("t1", "vs", "vs", True, guard, effect) if effect or guard else ""
    return UML_HEAD + own + inside + UML_TAIL


def uml_sum(n):
    return uml(effect="x = " + " + ".join(["x"] * n) + ";")


def uml_or(n):
    return uml(guard=" || ".join(["b", "x > 3"] * (n // 2)))


def uml_parentheses(n):
    return uml(effect="x = " + "(" * n + "x" + ")" * n + ";")


def uml_nots(n):
    return uml(guard="!" * n + "b")


def uml_fields(n):
    return uml(effect="x = this" + ".x" * n + ";")


def uml_blocks(n):
    return uml(effect="{" * n + "x = 1;" + "}" * n)


def uml_else_ifs(n):
    return uml(effect="".join(f"if (x == {i}) x = {i + 1}; else " for i in range(n)) + "x = 0;")


def uml_statements(n):
    return uml(effect="x = 1 - x;\n" * n)


def uml_nested_states(n):
    inside = "".join(f'<subvertex xmi:type="uml:State" xmi:id="n{i}" name="N{i}"><region xmi:id="nr{i}">' for i in range(n))
    return uml(inside=inside + "</region></subvertex>" * n)


def uml_nested_packages(n):
    text = "".join(f'<packagedElement xmi:type="uml:Package" xmi:id="p{i}" name="P{i}">' for i in range(n))
    return uml().replace('<packagedElement xmi:type="uml:Signal"',
                         text + "</packagedElement>" * n + '<packagedElement xmi:type="uml:Signal"')


def uml_choices(n):
    vertices = "".join(f'<subvertex xmi:type="uml:Pseudostate" kind="choice" xmi:id="k{i}" name="k{i}"/>' for i in range(n + 1))
    ways = "".join(uml_transition(f"a{i}", f"k{i}", f"k{i + 1}", guard="b") +
                   uml_transition(f"e{i}", f"k{i}", f"k{i + 1}", guard="else", effect=f"x = {i};") for i in range(n))
    return uml(inside=vertices + ways + uml_transition("first", "vs", "k0", True) +
               uml_transition("last", f"k{n}", "vs", guard="else"))


def uml_states(n):
    vertices = "".join(f'<subvertex xmi:type="uml:State" xmi:id="n{i}" name="N{i}"/>\n' for i in range(n + 1))
    ways = "".join(uml_transition(f"w{i}", f"n{i}", f"n{i + 1}", True) for i in range(n))
    return uml(inside=vertices + ways + uml_transition("first", "vs", "n0", True))


# name: (suffix, maker, sizes). The first size is what a generator may write; the last wants to hurt.
MODELS = {
    name: (name.split("_")[0], maker, sizes)
    for maker, sizes in [
        (ply_sum, (900, 20_000, 66_000)), (ply_or, (900, 20_000)), (ply_check, (900, 20_000)),
        (ply_parentheses, (900, 66_000)), (ply_nots, (900, 66_000)), (ply_conditionals, (900, 66_000)),
        (ply_blocks, (250, 66_000)), (ply_else_ifs, (250, 66_000)), (ply_statements, (2_000, 66_000)),
        (ply_doublings, (40, 2_000)), (ply_nested_states, (100, 1_900, 66_000)), (ply_choices, (8, 40, 2_000)),
        (ply_junctions, (8, 40, 2_000)), (ply_states, (1_000, 100_000)), (ply_transitions, (1_000, 100_000)),
        (ply_objects, (100, 100_000)), (ply_attributes, (1_000, 100_000)), (ply_operations, (8, 40, 2_000)),
        (pml_sum, (900, 20_000, 66_000)), (pml_or, (900, 20_000)), (pml_macros, (8, 16, 40)),
        (pml_parentheses, (300, 66_000)), (pml_nots, (300, 66_000)), (pml_conditionals, (300, 66_000)),
        (pml_blocks, (100, 66_000)), (pml_ifs, (100, 66_000)), (pml_statements, (2_000, 66_000)),
        (pml_inlines, (8, 40)), (pml_unless, (100, 66_000)), (pml_options, (1_000, 66_000)),
        (pml_processes, (100, 66_000)), (pml_variables, (1_000, 66_000)), (pml_ltl, (100, 20_000)),
        (pml_ltl_nesting, (100, 66_000)),
        (uml_sum, (90, 20_000, 66_000)), (uml_or, (90, 20_000)), (uml_parentheses, (20, 66_000)),
        (uml_nots, (90, 66_000)), (uml_fields, (10, 66_000)), (uml_blocks, (90, 66_000)), (uml_else_ifs, (90, 66_000)),
        (uml_statements, (2_000, 66_000)), (uml_nested_states, (50, 66_000)), (uml_nested_packages, (50, 66_000)),
        (uml_choices, (8, 40, 2_000)), (uml_states, (1_000, 50_000)),
    ]
    for name in [maker.__name__]
}
