import asyncio, base64, json, os, httpx2  # pip install mcp
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

async def main():
    with open("sales.xlsx", "rb") as file:
        workbook = {"name": "sales.xlsx", "data": base64.b64encode(file.read()).decode()}
    headers = {"Authorization": f"Bearer {os.environ['API_KEY']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=120) as http:
        transport = streamable_http_client(os.environ["BASE_URL"] + "/v1/mcp", http_client=http)
        async with Client(transport) as client:
            tool = os.environ["AGENT"].replace("/", "__")
            asked = "Chart the sums by region, and return the totals."
            result = await client.call_tool(tool, {"input": asked, "files": [workbook], "max_cost_usd": 0.1})
            print(json.dumps(result.structured_content))
            for link in [block for block in result.content if block.type == "resource_link"]:
                picture = (await client.read_resource(link.uri)).contents[0]
                with open(link.name, "wb") as file:
                    file.write(base64.b64decode(picture.blob) if hasattr(picture, "blob") else picture.text.encode())

asyncio.run(main())
