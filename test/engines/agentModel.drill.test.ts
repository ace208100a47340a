import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { fetchEngine } from '../../engines/fetching/fetchEngine.ts';
import { qwenCoder } from '../../engines/fetching/textEngines.ts';
import { startEmbeddedModel, type EmbeddedModel } from '../support/embeddedModel.ts';
import { until } from '../support/until.ts';

const model = 'qwen2.5-coder-1.5b';
let embedded: EmbeddedModel;
const figures: string[] = [];

beforeAll(async () => {
  await fetchEngine(qwenCoder, { dataDir: '.data', onProgress: (text) => void figures.push(text) });
  embedded = await startEmbeddedModel({ EMBEDDED_AGENT_MODEL: model, EMBEDDED_ENGINES: 'basic' });
  const isLoaded = () =>
    ask([{ role: 'user', content: 'Say hello.' }]).then(
      () => true,
      () => false,
    );
  await until(isLoaded, { timeoutMs: 120_000 });
}, 900_000);
afterAll(async () => {
  process.stdout.write(`${figures.slice(-24).join('\n')}\n`);
  await embedded?.stop();
});

function tool(name: string, description: string, properties: Record<string, object>): ChatCompletionTool {
  const parameters = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { type: 'function', function: { name, description, parameters } };
}

const text = (description: string) => ({ type: 'string', description });
const tools = [
  tool('get_weather', 'The weather in a city today', { city: text('The name of the city') }),
  tool('calculate', 'The value of an arithmetic expression', { expression: text('For example 2 * (3 + 4)') }),
  tool('search_web', 'Searches the web', { query: text('What to look for') }),
  tool('send_email', 'Sends an email', {
    to: text('The address'),
    subject: text('The subject'),
    body: text('The text'),
  }),
  tool('read_file', 'Reads a file of the session', { path: text('The path of the file') }),
];

const ask = (messages: ChatCompletionMessageParam[]) =>
  embedded.client.chat.completions.create({ model, messages, tools, max_tokens: 300 });

/** A question, the tool that it requires (none: an answer in words), and the required content of the arguments or words. */
const tasks: [question: string, tool: string | undefined, pattern: RegExp][] = [
  ['What is the weather in Paris?', 'get_weather', /paris/i],
  ['Do I need an umbrella in Tokyo today?', 'get_weather', /tokyo/i],
  ['What is 1234 times 5678?', 'calculate', /1234\s*[*x×]\s*5678/],
  ['Add 17.5 and 22.25, then divide the sum by 3.', 'calculate', /17\.5.*22\.25.*\/\s*3/],
  ['Search the web for the population of Iceland.', 'search_web', /iceland/i],
  ['Who won the football match last night between Arsenal and Chelsea?', 'search_web', /arsenal/i],
  ['Tell anna@example.com by email that the meeting is moved to Friday.', 'send_email', /anna@example\.com.*friday/is],
  ['What does the file notes/todo.txt say?', 'read_file', /notes\/todo\.txt/],
  ['Hello, who are you?', undefined, /\w{3}/],
  ['Translate "good morning" into French.', undefined, /bonjour/i],
];

test('calls the tool that a task needs, and answers in words where none is needed', async () => {
  let hits = 0;
  let tokens = 0;
  const startMs = performance.now();
  for (const [question, wanted, pattern] of tasks) {
    const { choices, usage } = await ask([{ role: 'user', content: question }]);
    const { tool_calls: [call] = [], content } = choices[0]!.message;
    tokens += usage!.completion_tokens;
    const [name, said] =
      call?.type === 'function' ? [call.function.name, call.function.arguments] : [undefined, content];
    const isRight = name === wanted && pattern.test(said ?? '');
    hits += Number(isRight);
    figures.push(`${isRight ? 'right' : 'WRONG'}: ${question} -> ${name ?? 'words'} ${said?.slice(0, 100)}`);
  }
  const seconds = (performance.now() - startMs) / 1000;
  figures.push(
    `${hits} of ${tasks.length}, ${(seconds / tasks.length).toFixed(1)} s a task, ${(tokens / seconds).toFixed(1)} tokens/s`,
  );
  expect(hits).toBeGreaterThanOrEqual(8);
}, 600_000);

/** A question, its tool's answer, and the required content of the answer in words. */
const trips: [question: string, results: Record<string, string>, pattern: RegExp][] = [
  ['What is the weather in Paris?', { get_weather: '{"temperature_c": 18, "sky": "light rain"}' }, /18|rain/i],
  ['How warm is it in Cairo?', { get_weather: '{"temperature_c": 34, "sky": "clear"}' }, /34/],
  ['What is 1234 times 5678?', { calculate: '7006652' }, /7,?006,?652/],
  ['Add 17.5 and 22.25, then divide the sum by 3.', { calculate: '13.25' }, /13\.25/],
  [
    'Search the web for the population of Iceland.',
    { search_web: '[{"title": "Iceland", "snippet": "Iceland has a population of 387,758 (2024)."}]' },
    /387/,
  ],
  [
    'Who won the football match last night between Arsenal and Chelsea?',
    { search_web: '[{"title": "Arsenal 2-1 Chelsea", "snippet": "Arsenal beat Chelsea 2-1 last night."}]' },
    /arsenal/i,
  ],
  [
    'Tell anna@example.com by email that the meeting is moved to Friday.',
    { send_email: '{"status": "sent", "id": "m_17"}' },
    /sent|friday|email/i,
  ],
  ['What does the file notes/todo.txt say?', { read_file: 'Buy milk. Call the dentist on Monday.' }, /milk/i],
  ['What is in the file team.txt?', { read_file: 'Anna: design. Boris: sales.' }, /anna|boris/i],
  ['How many people live in Malta?', { search_web: '[{"snippet": "Malta has 563,443 inhabitants (2023)."}]' }, /563/],
];
const STEPS_MAX = 3;

async function roundTrip(
  question: string,
  results: Record<string, string>,
): Promise<{ said: string; calls: string[] }> {
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  const calls: string[] = [];
  for (let step = 0; step < STEPS_MAX; step++) {
    const { message } = (await ask(messages)).choices[0]!;
    messages.push(message);
    if (!message.tool_calls?.length) return { said: message.content ?? '', calls };
    for (const call of message.tool_calls) {
      const { name } = (call as { function: { name: string } }).function;
      calls.push(name);
      messages.push({ role: 'tool', tool_call_id: call.id, content: results[name] ?? 'Error: there is nothing.' });
    }
  }
  return { said: '', calls };
}

test('answers a question from the result of its tool', async () => {
  let hits = 0;
  for (const [question, results, pattern] of trips) {
    const { said, calls } = await roundTrip(question, results);
    const isRight = calls.some((name) => name in results) && pattern.test(said);
    hits += Number(isRight);
    figures.push(`${isRight ? 'right' : 'WRONG'}: ${question} -> ${calls.join(', ')} -> ${said.slice(0, 100)}`);
  }
  figures.push(`${hits} of ${trips.length} round trips`);
  expect(hits).toBeGreaterThanOrEqual(7);
}, 1_200_000);
