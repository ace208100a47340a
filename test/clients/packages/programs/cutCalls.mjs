// What a customer's program does, in lanes that each have a connection of their own: calls and runs, one after another. The plan comes in
// the environment; the last line of the output is what came of it, as JSON.
import OpenAI from 'openai';
import { Ledgerline } from 'ledgerline';

const { lanes, textModel, embeddingModel, agent } = JSON.parse(process.env.PLAN);
const results = { answers: [], runs: [], failures: [] };

const textOf = (number) => `Answer ${number}: ${Array.from({ length: 30 }, (_, at) => `wörd${at}`).join(' ')}.`;
const scripted = (number) => JSON.stringify({ scripted: { text: textOf(number) } });
const orderOf = (number) => ({ model: textModel, messages: [{ role: 'user', content: scripted(number) }] });

const calls = [
  async function chat({ openai }, number) {
    const { id, choices } = await openai.chat.completions.create(orderOf(number));
    return { id, isWhole: choices[0].message.content === textOf(number) };
  },
  async function streamedChat({ openai }, number) {
    let [id, text, finish] = ['', '', null];
    for await (const chunk of await openai.chat.completions.create({ ...orderOf(number), stream: true })) {
      id = chunk.id;
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    return { id, isWhole: text === textOf(number) && finish === 'stop' };
  },
  async function embedding({ openai }, number) {
    const { data, response } = await openai.embeddings
      .create({ model: embeddingModel, input: `Text ${number}` })
      .withResponse();
    return { id: response.headers.get('x-request-id'), isWhole: data.data[0].embedding.length > 0 };
  },
  async function plainChat({ client }, number) {
    const { data } = await client.api.POST('/v1/chat/completions', { body: orderOf(number) });
    return { id: data.id, isWhole: data.choices[0].message.content === textOf(number) };
  },
  async function plainRead({ client }) {
    const { data } = await client.api.GET('/v1/models');
    return { id: null, isWhole: data.data.length > 0 };
  },
];

async function run({ client }, number) {
  const { id } = await client.agents.start(agent, scripted(number), { maxCostUsd: 0.1 });
  const stream = client.runs.stream(id);
  const events = [];
  for await (const event of stream) events.push(event.id);
  const { output, usage } = await client.runs.wait(id);
  const isWhole =
    stream.text === output[0].text && stream.text === textOf(number) && new Set(events).size === events.length;
  return { id, isWhole, costUsd: usage.total_usd };
}

async function work({ baseUrl, callNumbers, runNumbers }) {
  const client = new Ledgerline({ baseUrl });
  const clients = { client, openai: client.openai(OpenAI) };
  const attempt = (kind, number, list, work) =>
    work.then(
      (result) => list.push({ kind, number, ...result }),
      (error) => results.failures.push({ kind, number, error: String(error.stack) }),
    );
  for (const number of callNumbers) {
    const call = calls[number % calls.length];
    await attempt(call.name, number, results.answers, call(clients, number));
  }
  for (const number of runNumbers) await attempt('run', number, results.runs, run(clients, number));
}

await Promise.all(lanes.map(work));
console.log(JSON.stringify(results));
