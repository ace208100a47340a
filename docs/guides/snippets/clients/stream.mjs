import { Ledgerline } from 'ledgerline';

const client = new Ledgerline();
const { id } = await client.agents.start('ledgerline/writer', 'Write a haiku about rain.');
const stream = client.runs.stream(id);
for await (const event of stream) {
  if (event.type === 'run.output_text.delta') process.stdout.write(event.data.delta);
}
const run = await stream.finalRun();
console.log(`\n${run.status}`, stream.costUsd);
