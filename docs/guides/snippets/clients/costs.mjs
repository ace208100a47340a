import { costOf, Ledgerline } from 'ledgerline';

const client = new Ledgerline();
const { data, response } = await client.api.POST('/v1/chat/completions', {
  body: { model: 'MODEL_ID', messages: [{ role: 'user', content: 'What is the capital of France?' }] },
});
console.log(data.choices[0].message.content, costOf(response));
const { data: balance } = await client.api.GET('/platform/v1/billing/balance');
console.log(balance);
