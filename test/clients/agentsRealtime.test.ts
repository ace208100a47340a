import { afterAll, expect, test } from '@jest/globals';
import { until } from '../support/until.ts';
import { startClientStage } from './clientStage.ts';
import { installNodeClients } from './nodeClients.ts';

type Event = Record<string, unknown> & {
  type: string;
  response: { status: string; status_details: { reason?: string } | null };
};

const requireClient = await installNodeClients();
/** The type of the package is `any`, because it is installed by the first run of the test. */
const sdk = requireClient('@openai/agents-realtime');
const stage = await startClientStage();
afterAll(() => stage.stop());

const told = (script: object) => JSON.stringify({ scripted: script });

/** A session of the agents SDK over a separate socket. Its default turn detection is `semantic_vad`, which the service does not support. */
async function connect({
  tools = [],
  outputModalities = ['audio'],
}: { tools?: object[]; outputModalities?: string[] } = {}) {
  const agent = new sdk.RealtimeAgent({ name: 'Guide', instructions: 'Be brief.', tools });
  const session = new sdk.RealtimeSession(agent, {
    transport: 'websocket',
    model: 'gpt-realtime',
    tracingDisabled: true,
    config: { outputModalities, audio: { input: { turnDetection: { type: 'server_vad' } } } },
  });
  const events: Event[] = [];
  const errors: unknown[] = [];
  session.on('transport_event', (event: Event) => events.push(event));
  session.on('error', (error: unknown) => errors.push(error));
  const url = `${stage.baseUrl.replace('http', 'ws')}/realtime?model=gpt-realtime`;
  await session.connect({ apiKey: stage.keys.funded, url });
  const done = async (count: number) => {
    const all = () => events.filter(({ type }) => type === 'response.done');
    await until(() => all().length >= count || errors.length > 0);
    expect(errors).toEqual([]);
    return all()[count - 1]!.response;
  };
  return { session, events, errors, done };
}

test('the agents SDK sends a text and gets a spoken answer into its history', async () => {
  const { session, done } = await connect();
  let bytes = 0;
  session.on('audio', ({ data }: { data: ArrayBuffer }) => (bytes += data.byteLength));
  session.sendMessage(told({ text: 'Hello there.' }));
  expect((await done(1)).status).toBe('completed');
  expect(bytes).toBeGreaterThan(10_000);
  await until(() => JSON.stringify(session.history).includes('Hello there.'));
  session.close();
});

test('its own function answers a tool call of a voice session', async () => {
  const asked: object[] = [];
  const weather = sdk.tool({
    name: 'weather',
    description: 'The weather of a city.',
    strict: false,
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: true,
    },
    execute: (input: object) => {
      asked.push(input);
      return 'Heavy rain.';
    },
  });
  const { session, done } = await connect({ tools: [weather] });
  session.sendMessage(
    told({
      turns: [{ toolCalls: [{ name: 'weather', arguments: '{"city":"Oslo"}' }] }, { text: 'It rains in Oslo.' }],
    }),
  );
  expect((await done(2)).status).toBe('completed');
  expect(asked).toEqual([{ city: 'Oslo' }]);
  await until(() => JSON.stringify(session.history).includes('It rains in Oslo.'));
  expect(JSON.stringify(stage.upstream.calls().at(-1))).toContain('Heavy rain.');
  session.close();
});

test('it interrupts an answer: the response is cancelled, and truncated to what was heard', async () => {
  const { session, events, done } = await connect();
  let isInterrupted = false;
  session.on('audio_interrupted', () => (isInterrupted = true));
  session.sendMessage(told({ text: 'One two three. '.repeat(200), delayMs: 20 }));
  await until(() => events.filter(({ type }) => type === 'response.output_audio.delta').length > 2);
  session.interrupt();
  expect(await done(1)).toMatchObject({ status: 'cancelled', status_details: { reason: 'client_cancelled' } });
  await until(() => events.some(({ type }) => type === 'conversation.item.truncated'));
  expect(isInterrupted).toBe(true);
  session.close();
});

test('speech of the user interrupts an answer', async () => {
  const spoken = await fetch(`${stage.baseUrl}/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.keys.funded}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tts-1', voice: 'alloy', response_format: 'pcm', input: 'Please stop talking now.' }),
  });
  const words = await spoken.arrayBuffer();
  const { session, events, done } = await connect();
  session.sendMessage(told({ text: 'One two three. '.repeat(200), delayMs: 20 }));
  await until(() => events.some(({ type }) => type === 'response.output_audio.delta'));
  session.sendAudio(new ArrayBuffer(300 * 48));
  session.sendAudio(words);
  expect(await done(1)).toMatchObject({ status: 'cancelled', status_details: { reason: 'turn_detected' } });
  session.close();
});
