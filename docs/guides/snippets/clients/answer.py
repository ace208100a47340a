from ledgerline import Ledgerline


def answer(action):
    if action["type"] == "form":
        return {"type": "form", "data": {"city": "Rome", "nights": 2}}
    if action["type"] == "tool_approval":
        return {"type": "tool_approval", "decision": "approve"}
    return {"type": "text", "text": "Rome"}


with Ledgerline() as client:
    result = client.agents.run("acme/planner", "Plan a trip.", on_action=answer)
    print(result.output)
