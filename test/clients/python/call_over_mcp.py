"""Agents as tools of an MCP server, with the official client: with progress, structured answers and a question to its user."""

import asyncio
import os

import httpx2
from agent_calls import ADDRESS, ASKING, HEADERS, told
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

TOOL = os.environ["TOOL"]


async def answer_question(_context, params):
    assert params.message == "Which city?", params
    return ElicitResult(action="accept", content={"text": "Rome"})


async def call(mode):
    progress = []

    async def on_progress(done, _total, message):
        progress.append((done, message))

    async with httpx2.AsyncClient(headers=HEADERS, timeout=120) as http:
        transport = streamable_http_client(ADDRESS, http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=answer_question) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert "input" in tools[TOOL].input_schema["properties"], tools[TOOL]
            arguments = {"input": told({"text": "Rain falls.", "delayMs": 20})}
            result = await client.call_tool(TOOL, arguments, progress_callback=on_progress)
            assert not result.is_error, result
            assert result.structured_content["text"] == "Rain falls.", result
            assert progress, "there was no progress"
            asked = await client.call_tool(TOOL, {"input": told(ASKING)})
            if asked.structured_content["status"] == "requires_action":
                given = {"run_id": asked.structured_content["run_id"], "text": "Rome"}
                asked = await client.call_tool("answer_run", given)
            assert asked.structured_content["text"] == "Rome, then.", asked
            refused = await client.call_tool(TOOL, {"input": "x", "max_cost_usd": 1000})
            assert refused.is_error and "max_cost_usd" in refused.content[0].text, refused


async def main():
    modes = ["2026-07-28", "legacy"]
    for mode in modes:
        await call(mode)
    print(f"{len(modes)} editions answered")


asyncio.run(main())
