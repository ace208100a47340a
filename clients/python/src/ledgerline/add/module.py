"""The text of a module with an agent as a typed function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .schema import Style, Types, class_name, python_name

if TYPE_CHECKING:
    from ..generated.types import Agent

# Names of the function's own parameters: a property with such a name gets an underscore.
_OWN = {"client", "options", "input", "files", "idempotency_key", "on_event", "on_action", "timeout", "cancel_on_abort"}
_OWN |= {"version", "visibility", "quote_id", "session_id", "response_format", "max_cost_usd", "on_limit", "if_session_busy"}
_OWN |= {"concurrency", "priority", "debounce", "timeout_seconds", "metadata", "user", "state", "webhook_url", "webhook_events"}
_OWN |= {"start_after_seconds", "source"}

STYLE_MARK = "# Types: "


def module_of(agent: Agent, ordered_as: str, style: Style) -> str:
    """A module with `name(...)` and `name_async(...)` for an agent, from its schemas and descriptions."""
    slug = ordered_as.partition("/")[2].partition("@")[0]
    function, base = python_name(slug, set()), class_name(slug)
    types = Types(style)
    output = types.add(f"{base}Output", agent["output_schema"]) if agent["output_schema"] else "None"
    parameters, values = _text_parameters() if not agent["input_schema"] else _data_parameters(types, base, agent["input_schema"])
    about = _about(agent, parameters)
    functions = [_function(function, ordered_as, output, parameters, values, about, is_async) for is_async in (False, True)]
    body = "\n\n\n".join([*types.classes, *functions])
    return f"{_head(ordered_as, style, body, agent)}\n\n\n{body}\n"


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
    parameters = []
    for key in [*required, *optional]:
        about, name = properties[key], python_name(key, _OWN)
        kind = types.of(about, f"{base}{class_name(key)}", schema)
        text = f"{name}: {kind}" if key in required else f"{name}: {kind.removesuffix(' | None')} | None = None"
        text = text.replace("Any | None", "Any")
        parameters.append(_Parameter(text, name, about.get("description") if isinstance(about, dict) else None))
    first, second = ("{" + ", ".join(f'"{key}": {python_name(key, _OWN)}' for key in keys) + "}" for keys in (required, optional))
    return parameters, f"data_of({first}, {second})"


def _about(agent: Agent, parameters: list[_Parameter]) -> str:
    lines = [agent["description"].strip()]
    described = [f"    {one.name}: {' '.join(one.description.split())}" for one in parameters if one.description]
    if described:
        lines += ["", "Args:", *described]
    return "\n".join(lines).replace("\\", "\\\\").replace('"""', "'''")


def _function(
    name: str, agent: str, output: str, parameters: list[_Parameter], values: str, about: str, is_async: bool
) -> str:
    client, helper = ("AsyncLedgerline", "run_typed_async") if is_async else ("Ledgerline", "run_typed")
    first = ["    input: str | list[dict[str, Any]],", "    *,"] if values == "input" else ["    *,"]
    own = [] if values == "input" else [f"    {one.text}," for one in parameters]
    lines = [
        f"async def {name}_async(" if is_async else f"def {name}(",
        *first,
        *own,
        f"    client: {client} | None = None,",
        "    **options: Unpack[CallOptions],",
        f") -> RunResult[{output}]:",
        *(f"    {line}" if line else "" for line in f'"""\n{about}\n"""'.split("\n")),
        f"    return {'await ' if is_async else ''}{helper}(client, \"{agent}\", {values}, {_type_value(output)}, options)",
    ]
    return "\n".join(lines)


def _type_value(output: str) -> str:
    return "type(None)" if output == "None" else output if output.isidentifier() and output != "Any" else "object"


def _head(agent: str, style: Style, body: str, about: Agent) -> str:
    uses = {name: f"{name}[" in body or f"{name}," in body or f": {name}" in body for name in ("Any", "Literal", "NotRequired")}
    typing = [name for name in ("Any", "Literal") if uses[name]]
    lines = [
        f'"""{about["name"]}: the agent {agent} as a typed function."""',
        "",
        f"# Written by: python -m ledgerline add {agent}",
        f"{STYLE_MARK}{style}",
        "from __future__ import annotations",
        "",
        f"from typing import {', '.join(['TYPE_CHECKING', *typing])}",
        "",
        "from ledgerline import AsyncLedgerline, Ledgerline, RunResult",
        f"from ledgerline.typed import {'data_of, ' if 'data_of(' in body else ''}run_typed, run_typed_async",
    ]
    if "(BaseModel)" in body:
        names = ["BaseModel", *(["ConfigDict"] if "ConfigDict(" in body else []), *(["Field"] if " Field(" in body else [])]
        lines.append(f"from pydantic import {', '.join(names)}")
    if "TypedDict" in body:
        lines.append(f"from typing_extensions import {'NotRequired, ' if uses['NotRequired'] else ''}TypedDict")
    lines += ["", "if TYPE_CHECKING:", "    from ledgerline.options import CallOptions", "    from typing_extensions import Unpack"]
    return "\n".join(lines)
