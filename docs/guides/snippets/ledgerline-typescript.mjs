import { Ledgerline } from 'ledgerline';

const client = new Ledgerline({ baseUrl: process.env.BASE_URL, apiKey: process.env.API_KEY });
const { output, costUsd } = await client.agents.run('ledgerline/writer', 'Write a haiku about rain.');
console.log(output, costUsd);
