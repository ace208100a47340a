import type { DemoKeys } from './keys.ts';
import type { DemoStage } from './demoStage.ts';
import { demoEmails, send, signIn, type Person } from './people.ts';

const QUESTIONS = [
  'What pressure does gripper G2 need?',
  'The arm shows E-417. What do I check first?',
  'Is the calibration of the camera kept over a restart?',
  'Which oil goes into the gearbox of axis 2?',
];

const SUPPORT = { temperature: 0.2, max_completion_tokens: 600 };

const supportOf = (question: string) => [
  {
    role: 'system',
    content:
      'You answer questions about Northwind robots from the manuals. Name the page. Say so when you do not know.',
  },
  { role: 'user', content: question },
];

/** A few calls of each product, a moment ago: answered, streamed, cancelled, failed and refused. */
export async function callNow({ url }: DemoStage, keys: DemoKeys): Promise<void> {
  const { post, chat } = callsTo(url);
  for (const [at, question] of QUESTIONS.entries()) {
    const model = ['deepseek-v3.1', 'qwen3-32b'][at % 2]!;
    await (
      await chat(keys.support, model, question, { ...SUPPORT, messages: supportOf(question), stream: true })
    ).text();
    await (await chat(keys.ci, 'mistral-small-3.2', question)).text();
  }
  await (await chat(keys.reports, 'qwen3-32b', 'Sum up the night shift.')).text();
  await (await post('/v1/embeddings', keys.search, { model: 'ledgerline-embed-1', input: QUESTIONS })).text();
  const said = {
    model: 'ledgerline-speech',
    voice: 'alloy',
    input: 'Pallet seventeen is ready.',
    response_format: 'wav',
  };
  const sound = await (await post('/v1/audio/speech', keys.telephone, said)).blob();
  const form = new FormData();
  form.append('model', 'ledgerline-transcription');
  form.append('file', sound, 'call.wav');
  const headers = { authorization: `Bearer ${keys.telephone.secret}` };
  await (await fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })).text();
  await cancelled(chat(keys.support, 'deepseek-v3.1', 'Read the whole archive of manuals.', { stream: true }));
  await (await chat(keys.dana, 'deepseek-v3.1', 'Open the corrupted trace.')).text();
  await (await chat(keys.dana, 'gpt-4.1-mini', 'Hello')).text();
  await (await chat(keys.ci, 'qwen3-32b', 'Hello', { temperature: 3 })).text();
  await (await chat(keys.telephone, 'qwen3-32b', 'Hello')).text();
}

/** The calls of programs with a key. */
function callsTo(url: string) {
  const post = (path: string, { secret }: { secret: string }, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const chat = (key: { secret: string }, model: string, content: string, members: object = {}) =>
    post('/v1/chat/completions', key, { model, messages: [{ role: 'user', content }], ...members });
  return { post, chat };
}

/** Leaves a stream after its first piece. */
async function cancelled(asked: Promise<Response>): Promise<void> {
  const reader = (await asked).body!.getReader();
  await reader.read();
  await reader.cancel();
}

/** Test mode of the workspace: a key, test money, and some calls. */
export async function callInTestMode(stage: DemoStage): Promise<void> {
  const tester: Person = await signIn(stage, demoEmails.owner);
  await send(tester, 'POST', 'mode', { mode: 'test' });
  const { key: secret } = await send<{ key: string }>(tester, 'POST', 'keys', {
    name: 'Acceptance tests',
    scopes: ['llm'],
  });
  await send(tester, 'POST', 'checkout', { amount: 20 });
  const { chat } = callsTo(stage.url);
  for (const question of QUESTIONS) await (await chat({ secret }, 'qwen3-32b', question)).text();
}
