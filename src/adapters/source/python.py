"""
Reads Python with Python's own parser: JSON in, edits out. Only the standard library, any Python from
3.8 on; what it reads is parsed and never run.
"""

import ast, json, sys

request = json.load(sys.stdin)
text, nonce = request["text"], request.get("nonce", "")
lines = text.splitlines(True)
starts = [0]
for line in lines:
    starts.append(starts[-1] + len(line.encode("utf-16-le")) // 2)

def offset(line, column):
    if line > len(lines):
        return starts[-1]
    part = lines[line - 1].encode("utf-8")[:column].decode("utf-8", "ignore")
    return starts[line - 1] + len(part.encode("utf-16-le")) // 2

def start(node): return offset(node.lineno, node.col_offset)
def end(node): return offset(node.end_lineno, node.end_col_offset)
def source(node): return ast.get_source_segment(text, node) or ""
def edit(node, new): return {"start": start(node), "end": end(node), "text": new}

def literal(value): return repr(value)

def other(node):
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool): return edit(node, repr(not value))
        if isinstance(value, (int, float)): return edit(node, repr(value + 4211 if value + 4211 != value else 1))
        if isinstance(value, str): return edit(node, repr(value + nonce))
        if isinstance(value, bytes): return edit(node, repr(value + nonce.encode()))
        return edit(node, repr(nonce))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        if isinstance(node.operand.value, (int, float)): return edit(node, repr(4211 - node.operand.value))
    if isinstance(node, (ast.List, ast.Tuple)):
        items = [item for item in node.elts if not isinstance(item, ast.Starred)]
        if items: return other(items[0])
        return edit(node, "[%r]" % nonce if isinstance(node, ast.List) else "(%r,)" % nonce)
    if isinstance(node, ast.Dict):
        values = [value for key, value in zip(node.keys, node.values) if key is not None]
        return other(values[0]) if values else edit(node, "{%r: %r}" % (nonce, nonce))
    return edit(node, repr(nonce))

EQUALS = {"assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual",
          "assertSetEqual", "assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual", "assertIs"}
BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.ExceptHandler, ast.IfExp, ast.BoolOp,
            ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
edits, cases, top, wide = [], {}, [], text.encode("utf-16-le")

def expected(node):
    if isinstance(node, ast.Assert):
        test = node.test
        while isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And): test = test.values[0]
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            right = test.comparators[0]
            if isinstance(test.ops[0], ast.Eq): return right
            if isinstance(test.ops[0], ast.Is) and isinstance(right, ast.Constant) and isinstance(right.value, bool):
                return right
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in EQUALS:
        if len(node.args) >= 2: return node.args[1]
    return None

def unsure(node):
    if isinstance(node, BRANCHES): return True
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return any(word in source(item.context_expr) for item in node.items for word in ("raises", "suppress", "subTest", "warns", "assertRaises"))
    return False

def leaves(function):
    return any(isinstance(each, (ast.Return, ast.Yield, ast.YieldFrom)) for each in ast.walk(function))

def alter(node, names, in_test, in_code, sure):
    if isinstance(node, FUNCTIONS):
        marks = " ".join(source(each) for each in node.decorator_list)
        if "fixture" in marks or "skip" in marks or "xfail" in marks or "expectedFailure" in marks: return
        if node.name in ("setUp", "tearDown", "setUpClass", "tearDownClass", "setup_method", "teardown_method"): return
        is_test = node.name.startswith("test") and not in_code
        names = names + [node.name] if is_test else names
        sure = is_test and not leaves(node)
        for child in node.body: alter(child, names, is_test, True, sure)
        return
    if isinstance(node, ast.ClassDef) and not in_code:
        for child in node.body: alter(child, names + [node.name], False, False, True)
        return
    value = expected(node)
    if value is not None and in_code:
        edits.append(other(value))
        if in_test:
            key = "\n".join(names)
            known = cases.get(key, {"names": names, "line": node.lineno, "isSure": False})
            known["isSure"] = known["isSure"] or sure
            cases[key] = known
    if isinstance(node, ast.Lambda): in_code, sure = True, False
    inner = sure and not unsure(node)
    for child in ast.iter_child_nodes(node): alter(child, names, in_test, in_code, inner)

def get_alterations():
    tree = ast.parse(text)
    for node in tree.body: alter(node, [], False, False, True)
    names = ["test_%s_1" % nonce, "test_%s_2" % nonce]
    tests = "\n\ndef %s():\n    raise RuntimeError(%r)\n\n\ndef %s():\n    assert 1 == 2\n" % (names[0], nonce, names[1])
    unit = [node for node in tree.body if isinstance(node, ast.ClassDef) and "TestCase" in " ".join(source(base) for base in node.bases)]
    if unit:
        names.append("test_%s_3" % nonce)
        tests += "\n\nclass Test%s(%s):\n    def %s(self):\n        self.assertEqual(1, 2)\n" % (
            nonce.title().replace("_", ""), source(unit[0].bases[0]), names[2])
    return {"edits": edits, "tests": list(cases.values()), "nonceNames": names, "nonceText": tests}

COMPARES = {ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Lt: ("<", ">="), ast.Gt: (">", "<="),
            ast.LtE: ("<=", ">"), ast.GtE: (">=", "<"), ast.Is: ("is", "is not"), ast.In: ("in", "not in")}
BINARIES = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
            ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"), ast.Pow: ("**", "*")}
breaks = []

def swap(left, right, pair, line, unit, kind):
    begin, stop = end(left), start(right)
    between = text.encode("utf-16-le")[begin * 2:stop * 2].decode("utf-16-le")
    at = between.find(pair[0])
    if at >= 0:
        put({"start": begin + at, "end": begin + at + len(pair[0]), "text": pair[1]}, line, "%s became %s" % pair, unit, kind)

def put(change, line, what, unit, kind):
    breaks.append(dict(change, line=line, what=what, unit=unit, kind=kind, top=top[-1]))

def break_node(node, unit, kind):
    line = getattr(node, "lineno", 0)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARES:
        swap(node.left, node.comparators[0], COMPARES[type(node.ops[0])], line, unit, kind)
    elif isinstance(node, ast.BinOp) and type(node.op) in BINARIES:
        swap(node.left, node.right, BINARIES[type(node.op)], line, unit, kind)
    elif isinstance(node, ast.BoolOp):
        pair = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        swap(node.values[0], node.values[1], pair, line, unit, kind)
    elif isinstance(node, ast.Constant) and type(node.value) in (bool, int, float, str):
        value = node.value
        new = (not value) if isinstance(value, bool) else value + 1 if not isinstance(value, str) else ("" if value else "mutated")
        put(edit(node, repr(new)), line, "%.20r became another value" % (value,), unit, kind)
    elif isinstance(node, ast.Return) and node.value is not None:
        put(edit(node.value, "None"), line, "nothing is returned", unit, kind)
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
        put(edit(node.test, "not (%s)" % source(node.test)), line, "a condition was negated", unit, kind)
    elif isinstance(node, ast.Raise):
        put(edit(node, "pass"), line, "an error is no longer raised", unit, kind)
    elif isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.Await)):
        put(edit(node, "pass"), line, "a statement was left out", unit, kind)

def is_docstring(node, parent):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)

def walk_breaks(node, changed, unit, kind):
    if isinstance(node, (ast.Import, ast.ImportFrom)) or is_docstring(node, None): return
    if getattr(node, "lineno", 0) in changed: break_node(node, unit, kind)
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_comment"): continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(node, ast.JoinedStr): walk_breaks(child, changed, unit, kind)

def functions(node):
    if isinstance(node, FUNCTIONS): return [node]
    return [found for child in ast.iter_child_nodes(node) for found in functions(child)]

def names_in(node):
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}

def get_breaks():
    tree, changed = ast.parse(text), set(request["lines"])
    effects = [node for node in tree.body if isinstance(node, (ast.Expr, ast.If, ast.For, ast.With, ast.Try, ast.While, ast.Delete)) and not is_docstring(node, None)]
    started = set().union(*[names_in(node) for node in effects]) if effects else set()
    used = [names_in(node) for node in tree.body if node not in effects]
    for node in tree.body:
        top.append((start(node), end(node)))
        name = getattr(node, "name", "")
        users = sum(name in names for names in used)
        kind = "effect" if node in effects or (name in started and users == 0) else "single"
        for function in functions(node):
            first = next((line for line in range(function.lineno, function.end_lineno + 1) if line in changed), 0)
            if first:
                body = {"start": start(function.body[0]), "end": end(function.body[-1]), "text": "return None"}
                put(body, first, "%s returns nothing" % function.name, "%s:%d" % (name, function.lineno), "body" if kind == "single" else kind)
                for child in function.body: walk_breaks(child, changed, "%s:%d" % (name, function.lineno), kind)
        if not functions(node): walk_breaks(node, changed, name, kind)
    whole = [each for each in breaks if each["kind"] == "body"]
    return {"breaks": [each for each in whole + [one for one in breaks if one["kind"] != "body"][:300] if parses(each)]}

def parses(change):
    first, last = change.pop("top")
    edited = wide[first * 2:change["start"] * 2] + change["text"].encode("utf-16-le") + wide[change["end"] * 2:last * 2]
    try:
        ast.parse(edited.decode("utf-16-le"))
        return True
    except (SyntaxError, ValueError):
        return False

def get_names():
    modules, words = set(), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import): modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module: modules.add(node.module)
        elif isinstance(node, ast.Name): words.add(node.id)
        elif isinstance(node, ast.Attribute): words.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 64: words.add(node.value)
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("__import__", "import_module"): modules.add(str(node.args[0].value))
    return {"modules": sorted(modules), "words": sorted(words)}

def get_problem():
    try:
        if request["syntax"].endswith(".toml"):
            import tomllib
            tomllib.loads(text)
            return {"problem": None, "facts": None}
        return {"problem": None, "facts": get_facts(compile(text, request["syntax"], "exec", ast.PyCF_ONLY_AST))}
    except (SyntaxError, ValueError) as error:
        return {"problem": str(error), "facts": None}

def get_facts(tree):
    names, imports, optional = set(), [], set()
    wild = {"globals", "vars", "exec", "setattr", "__getattr__"}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Try, ast.If)): optional.update(id(child) for child in ast.walk(node))
    sure = not any((isinstance(node, ast.Name) and node.id in wild) or getattr(node, "name", "") in wild for node in ast.walk(tree))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            aliases = [alias.name for alias in node.names]
            if "*" in aliases: sure = False
            specs = [("." * node.level + (node.module or ""), [name for name in aliases if name != "*"])] if isinstance(node, ast.ImportFrom) else [(name, []) for name in aliases]
            imports.extend({"spec": spec, "names": taken, "line": node.lineno, "isOptional": id(node) in optional} for spec, taken in specs)
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, FUNCTIONS + (ast.ClassDef,)): names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store): names.add(node.id)
    return {"imports": imports, "exports": sorted(names), "stars": [], "isSure": sure}

def answer():
    if "syntax" in request: return get_problem()
    if "names" in request: return get_names()
    if "other" in request: return {"same": ast.dump(ast.parse(text)) == ast.dump(ast.parse(request["other"]))}
    return get_breaks() if "lines" in request else get_alterations()

print(json.dumps(answer()))
