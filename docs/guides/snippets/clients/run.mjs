import { Ledgerline } from 'ledgerline';

const client = new Ledgerline();
const { output, costUsd } = await client.agents.run('ledgerline/writer', 'Write a haiku about rain.', {
  maxCostUsd: 0.05,
});
console.log(output, costUsd);
