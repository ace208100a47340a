"""python -m ledgerline add acme/poet: writes a module with an agent as a typed function."""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ._sync.client import Ledgerline
from .add.module import STYLE_MARK, module_of
from .add.schema import Style, python_name
from .errors import LedgerlineError, NotFoundError

_NAME = re.compile(r"[\w.-]+/[\w.-]+(@[\w.-]+)?", re.ASCII)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m ledgerline", description="Agents as typed functions.")
    add = parser.add_subparsers(dest="command", required=True).add_parser(
        "add",
        help="write a module with an agent as a typed function",
        description="Writes a module with models of an agent's input and output, and the agent as a function.",
        epilog="The key is read from LEDGERLINE_API_KEY, the address from LEDGERLINE_BASE_URL.",
    )
    add.add_argument("agent", help="a name, such as acme/poet or acme/poet@beta")
    add.add_argument("--out", type=Path, help="the file to write (default: the agent's name, in this folder)")
    add.add_argument("--types", choices=["pydantic", "typed-dict"], help="default: pydantic when it is installed")
    add.add_argument("--private", action="store_true", help="the workspace's own agent, as it is deployed privately")
    add.add_argument("--check", action="store_true", help="write nothing; exit with 1 when the file is not up to date")
    wish = parser.parse_args(arguments)
    try:
        return _add(wish.agent, wish.out, wish.types, wish.private, wish.check)
    except LedgerlineError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _add(agent: str, out: Path | None, types: Style | None, is_private: bool, is_check: bool) -> int:
    slug = agent.partition("/")[2]
    if not _NAME.fullmatch(agent):
        raise LedgerlineError(f"{agent!r} is not the name of an agent: write namespace/name, such as acme/poet.")
    path = out or Path(f"{python_name(slug.partition('@')[0], set())}.py")
    before = path.read_text(encoding="utf-8") if path.exists() else None
    with Ledgerline() as client:
        found, is_private = _described(client, agent, is_private)
        text = module_of(found, agent, types or _style_of(before) or _installed_style(), is_private)
    if is_check:
        if text == before:
            return 0
        print(f"{path} is not up to date with {agent}: run python -m ledgerline add {agent} again", file=sys.stderr)
        return 1
    path.write_text(text, encoding="utf-8")
    print(f"{path}: from {path.stem} import {python_name(slug.partition('@')[0], set())}")
    return 0


def _described(client: Ledgerline, agent: str, is_private: bool) -> tuple[Mapping[str, Any], bool]:
    """What an agent takes and gives, and whether it is the private one: an agent that is not public may be that."""
    if is_private:
        return _private_agent(client, agent), True
    try:
        return client.agents.get(agent), False
    except NotFoundError as unknown:
        try:
            return _private_agent(client, agent), True
        except LedgerlineError:
            raise unknown from None


def _private_agent(client: Ledgerline, agent: str) -> Mapping[str, Any]:
    """What the version says that is deployed privately; its key needs the scope `publisher`."""
    own = client.api.iter_publisher_agents()
    deployed = next((one["private_deployment"] for one in own if f"{one['namespace']}/{one['slug']}" == agent), None)
    if not deployed:
        raise LedgerlineError(f"This workspace has no agent {agent} that is deployed privately.")
    return client.api.get_publisher_agent_versions_version_id(deployed["version_id"])["configuration"]


def _style_of(text: str | None) -> Style | None:
    """The style of a file that is there: it stays, whatever is installed."""
    named = [line.removeprefix(STYLE_MARK) for line in (text or "").split("\n")[:10] if line.startswith(STYLE_MARK)]
    return None if not named else "pydantic" if named[0] == "pydantic" else "typed-dict"


def _installed_style() -> Style:
    return "pydantic" if importlib.util.find_spec("pydantic") else "typed-dict"


if __name__ == "__main__":
    sys.exit(main())
