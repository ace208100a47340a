from ledgerline import Ledgerline

with Ledgerline() as client:
    result = client.agents.run("acme/analyst", "Sum the sales.", files=["sales.csv"])
    print(result.output)
    for file in result.files:
        client.files.download(file.id, file.filename)
