import { Ledgerline } from 'ledgerline';

const client = new Ledgerline();
for await (const run of client.pages('/v1/runs', { query: { status: 'completed' } })) {
  console.log(run.id, run.agent, run.usage.total_usd);
}
