"""The text of a module with an agent as a typed function."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Mapping
from typing import Any

from .schema import Style, Types, class_name, constant, names_of, python_name, quotable

# Names of the function's own parameters: a property with such a name gets an underscore.
_OWN = {"client", "options", "input", "files", "idempotency_key", "on_event", "on_action", "timeout", "cancel_on_abort"}
_OWN |= {
    "version",
    "visibility",
    "quote_id",
    "session_id",
    "response_format",
    "max_cost_usd",
    "on_limit",
    "if_session_busy",
}
_OWN |= {
    "concurrency",
    "priority",
    "debounce",
    "timeout_seconds",
    "metadata",
    "user",
    "state",
    "webhook_url",
    "webhook_events",
}
_OWN |= {"start_after_seconds", "source"}
# What the function calls.
_OWN |= {"type", "object", "data_of", "run_typed", "run_typed_async"}

STYLE_MARK = "# Types: "


def module_of(agent: Mapping[str, Any], ordered_as: str, style: Style, is_private: bool = False) -> str:
    """
    A module with `name(...)` and `name_async(...)` for an agent, from its schemas and descriptions. Calls of a private one say so.
    """
    slug = ordered_as.partition("/")[2].partition("@")[0]
    function, base = python_name(slug, set()), class_name(slug)
    types = Types(style)
    output = types.add(f"{base}Output", agent["output_schema"]) if agent.get("output_schema") else "None"
    parameters, values = (
        _text_parameters() if not agent.get("input_schema") else _data_parameters(types, base, agent["input_schema"])
    )
    about = _about(agent, parameters)
    options = '{"visibility": "private", **options}' if is_private else "options"
    call = f'"{ordered_as}", {values}, {_type_value(output)}, {options}'
    functions = [_function(function, call, output, parameters, about, is_async) for is_async in (False, True)]
    body = "\n\n\n".join([*types.classes, *functions])
    return f"{_head(ordered_as, style, body, agent, is_private)}\n\n\n{body}\n"


class _Parameter:
    def __init__(self, text: str, name: str, description: str | None) -> None:
        self.text, self.name, self.description = text, name, description


def _text_parameters() -> tuple[list[_Parameter], str]:
    return [_Parameter("input: str | list[dict[str, Any]]", "input", "A text, or a list of items.")], "input"


def _data_parameters(types: Types, base: str, schema: dict[str, Any]) -> tuple[list[_Parameter], str]:
    properties: dict[str, Any] = schema.get("properties") or {}
    if not properties:
        return [_Parameter("data: dict[str, Any]", "data", None)], "data"
    required = [name for name in properties if name in schema.get("required", [])]
    optional = [name for name in properties if name not in required]
    parameters, names = [], names_of([*required, *optional], _OWN)
    for key, name in names.items():
        about = properties[key]
        kind = types.of(about, f"{base}{class_name(key)}", schema)
        text = f"{name}: {kind}" if key in required else f"{name}: {kind.removesuffix(' | None')} | None = None"
        text = text.replace("Any | None", "Any")
        parameters.append(_Parameter(text, name, about.get("description") if isinstance(about, dict) else None))
    first, second = (
        "{" + ", ".join(f"{constant(key)}: {names[key]}" for key in keys) + "}" for keys in (required, optional)
    )
    return parameters, f"data_of({first}, {second})"


def _about(agent: Mapping[str, Any], parameters: list[_Parameter]) -> str:
    lines = [agent["description"]]
    described = [f"    {one.name}: {' '.join(one.description.split())}" for one in parameters if one.description]
    if described:
        lines += ["", "Args:", *described]
    return quotable("\n".join(lines))


def _function(name: str, call: str, output: str, parameters: list[_Parameter], about: str, is_async: bool) -> str:
    client, helper = ("AsyncLedgerline", "run_typed_async") if is_async else ("Ledgerline", "run_typed")
    own = [f"    {one.text}," for one in parameters]
    # A text may be given without its name.
    own = [*own, "    *,"] if parameters[0].name == "input" else ["    *,", *own]
    lines = [
        f"async def {name}_async(" if is_async else f"def {name}(",
        *own,
        f"    client: {client} | None = None,",
        "    **options: Unpack[CallOptions],",
        f") -> RunResult[{output}]:",
        *(f"    {line}" if line else "" for line in f'"""\n{about}\n"""'.split("\n")),
        f"    return {'await ' if is_async else ''}{helper}(client, {call})",
    ]
    return "\n".join(lines)


def _type_value(output: str) -> str:
    return "type(None)" if output == "None" else output if output.isidentifier() and output != "Any" else "object"


def _head(agent: str, style: Style, body: str, about: Mapping[str, Any], is_private: bool) -> str:
    # Names in code alone: docstrings may have any word.
    used = {
        token.string for token in tokenize.generate_tokens(io.StringIO(body).readline) if token.type == tokenize.NAME
    }
    typing = [name for name in ("Any", "Literal") if name in used]
    lines = [
        f'"""{quotable(about["name"])}: the agent {agent} as a typed function."""',
        "",
        f"# Written by: python -m ledgerline add {agent}" + (" --private" if is_private else ""),
        f"{STYLE_MARK}{style}",
        "from __future__ import annotations",
        "",
        f"from typing import {', '.join(['TYPE_CHECKING', *typing])}",
        "",
        "from ledgerline import AsyncLedgerline, Ledgerline, RunResult",
        f"from ledgerline.typed import {'data_of, ' if 'data_of' in used else ''}run_typed, run_typed_async",
    ]
    for package, names in (
        ("pydantic", ("BaseModel", "ConfigDict", "Field")),
        ("typing_extensions", ("NotRequired", "TypedDict")),
    ):
        if used.intersection(names):
            lines.append(f"from {package} import {', '.join(name for name in names if name in used)}")
    lines += [
        "",
        "if TYPE_CHECKING:",
        "    from ledgerline.options import CallOptions",
        "    from typing_extensions import Unpack",
    ]
    return "\n".join(lines)
