"""Types of Python from a JSON Schema. What a type cannot say is `Any`: the service checks the data in any case."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from typing import Any, Literal

Style = Literal["pydantic", "typed-dict"]
Schema = dict[str, Any]

_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
# Members of pydantic's models, which a field would hide.
_TAKEN = {"copy", "dict", "json", "schema", "construct", "validate", "fields"}
# Names that annotations and defaults read, which a field before them would hide.
_TAKEN |= {"str", "int", "float", "bool", "list", "Any", "Literal", "Field", "BaseModel", "ConfigDict"}


class Types:
    """The classes that schemas need, in the order of their definition."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.classes: list[str] = []
        self._names: set[str] = set()
        self._known: dict[int, str] = {}

    def add(self, name: str, root: Schema) -> str:
        """The type of a whole schema: a class of this name for an object."""
        return self.of(root, name, root)

    def of(self, schema: Any, name: str, root: Schema) -> str:
        if not isinstance(schema, dict):
            return "Any"
        if "$ref" in schema:
            return self._referred(schema["$ref"], root)
        if "const" in schema or "enum" in schema:
            return _literal(schema["enum"] if "enum" in schema else [schema["const"]])
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return _union([self.of(one, f"{name}{at or ''}", root) for at, one in enumerate(schema[key])])
        if "allOf" in schema:
            return self.of(schema["allOf"][0], name, root) if len(schema["allOf"]) == 1 else "Any"
        kinds = schema.get("type")
        if isinstance(kinds, list):
            return _union([self.of({**schema, "type": kind}, name, root) for kind in kinds])
        if kinds == "array":
            return f"list[{self.of(schema.get('items'), _singular(name), root)}]"
        if kinds == "object" or "properties" in schema:
            return self._object(schema, name, root)
        return _PLAIN.get(str(kinds), "Any")

    def _referred(self, reference: str, root: Schema) -> str:
        if reference == "#":
            return "Any"
        target: Any = root
        for part in reference.removeprefix("#/").split("/"):
            target = target.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
        return self.of(target, class_name(reference.rpartition("/")[2]), root)

    def _object(self, schema: Schema, name: str, root: Schema) -> str:
        if not schema.get("properties"):
            values = schema.get("additionalProperties")
            return f"dict[str, {self.of(values, f'{name}Value', root) if isinstance(values, dict) else 'Any'}]"
        if id(schema) in self._known:
            return self._known[id(schema)]
        unique = self._unique(name)
        self._known[id(schema)] = unique
        names = names_of(schema["properties"], _TAKEN)
        fields = [self._field(key, one, names[key], unique, schema, root) for key, one in schema["properties"].items()]
        self.classes.append(self._class(unique, schema.get("description"), fields))
        return unique

    def _field(self, key: str, schema: Any, name: str, owner: str, parent: Schema, root: Schema) -> Field:
        described = schema if isinstance(schema, dict) else {}
        kind = self.of(schema, owner + class_name(key), root)
        return Field(key, name, kind, key in parent.get("required", []), described.get("description"))

    def _class(self, name: str, description: str | None, fields: list[Field]) -> str:
        about = [_docstring(description)] if description else []
        if self.style == "typed-dict":
            if any(not field.key.isidentifier() or keyword.iskeyword(field.key) for field in fields):
                listed = ", ".join(f"{constant(field.key)}: {field.optional('NotRequired[{}]')}" for field in fields)
                return f'{name} = TypedDict("{name}", {{{listed}}})'
            lines = [
                line for field in fields for line in (f"{field.key}: {field.optional('NotRequired[{}]')}", *field.about)
            ]
            return _indented(f"class {name}(TypedDict):", [*about, *lines])
        lines = [line for field in fields for line in (_model_field(field), *field.about)]
        config = ["model_config = ConfigDict(populate_by_name=True)"] if any(f.name != f.key for f in fields) else []
        return _indented(f"class {name}(BaseModel):", [*about, *config, *lines])

    def _unique(self, name: str) -> str:
        found = next(one for one in (name, *(f"{name}{at}" for at in range(2, 10_000))) if one not in self._names)
        self._names.add(found)
        return found


class Field:
    """A property of an object, with its name in Python."""

    def __init__(self, key: str, name: str, kind: str, is_required: bool, description: str | None) -> None:
        self.key, self.name, self.kind, self.is_required = key, name, kind, is_required
        self.about = [_docstring(description)] if description else []

    def optional(self, form: str) -> str:
        return self.kind if self.is_required else form.format(self.kind)


def names_of(keys: Iterable[str], taken: set[str]) -> dict[str, str]:
    """A name for each of several keys, none of them twice."""
    names: dict[str, str] = {}
    for key in keys:
        names[key] = python_name(key, taken.union(names.values()))
        while names[key] in [*names.values()][:-1]:
            names[key] += "_"
    return names


def python_name(key: str, taken: set[str]) -> str:
    """A name for a property or a parameter: with an underscore at its end where Python or the class has the name."""
    name = re.sub(r"\W", "_", key, flags=re.ASCII).lstrip("_") or "field"
    name = f"field_{name}" if name[0].isdigit() else name
    return f"{name}_" if keyword.iskeyword(name) or name in taken or name.startswith("model_") else name


def class_name(words: str) -> str:
    name = "".join(word[0].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", words) if word)
    return f"Type{name}" if not name or name[0].isdigit() else name


def _model_field(field: Field) -> str:
    alias = f"alias={constant(field.key)}" if field.name != field.key else ""
    kind = field.kind if field.is_required else _union([field.kind, "None"])
    if field.is_required:
        return f"{field.name}: {kind}" + (f" = Field({alias})" if alias else "")
    return f"{field.name}: {kind} = " + (f"Field(default=None, {alias})" if alias else "None")


def _literal(values: list[Any]) -> str:
    if not values or not all(value is None or isinstance(value, (str, int, bool)) for value in values):
        return "Any"
    return f"Literal[{', '.join(constant(value) for value in values)}]"


def constant(value: Any) -> str:
    """A value as Python writes it: no text of an agent's publisher can end its quotes."""
    return '"' + repr(value)[1:-1].replace('"', '\\"') + '"' if isinstance(value, str) else repr(value)


def _union(kinds: list[str]) -> str:
    parts = list(dict.fromkeys(part for kind in kinds for part in ([kind] if "[" in kind else kind.split(" | "))))
    if "Any" in parts:
        return "Any"
    return " | ".join([*(part for part in parts if part != "None"), *(["None"] if "None" in parts else [])])


def _singular(name: str) -> str:
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else f"{name}Item"


def quotable(text: str) -> str:
    """A text within a docstring, which it cannot end."""
    return "\n".join(text.strip().splitlines()).replace("\\", "\\\\").replace('"""', "'''")


def _docstring(text: str) -> str:
    safe = quotable(text)
    return f'"""{safe} """' if safe.endswith('"') else f'"""{safe}"""'


def _indented(head: str, lines: list[str]) -> str:
    body = "\n".join(lines) or "pass"
    return head + "\n" + "\n".join(f"    {line}" if line else "" for line in body.split("\n"))
