import { expect, test } from '@jest/globals';
import { chatChunks } from '../../../engines/text/chat.ts';

type Events = Parameters<typeof chatChunks>[1];
const engine = { id: 'small' } as Parameters<typeof chatChunks>[0];

const said = (content: string) => ({ kind: 'piece' as const, index: 0, content, calls: [], tokens: 1 as const });
const called = { ...said(''), calls: [{ index: 0, id: 'c', function: { name: 'weather', arguments: '{' } }] };

/** The deltas of the first choice, and what each chunk says about usage: the tokens of the answer so far. */
async function chunksOf(events: object[], options?: { continuous_usage_stats: boolean }) {
  async function* streamed(): AsyncGenerator<object> {
    yield* [{ kind: 'start', promptTokens: 7 }, ...events, { kind: 'end', index: 0, reason: 'stop' }];
  }
  const chunks = [];
  for await (const chunk of chatChunks(engine, streamed() as Events, options)) chunks.push(chunk);
  return {
    deltas: chunks.flatMap(({ choices }) => choices.map((choice) => (choice as { delta: object }).delta)),
    tokens: chunks.map(({ usage }: { usage?: { completion_tokens: number } | null }) => usage?.completion_tokens),
  };
}

test('a stream that begins with a call has no text before it, as OpenAI’s', async () => {
  const { deltas } = await chunksOf([said(''), called]);
  expect(deltas).toEqual([{ role: 'assistant', content: null, refusal: null }, { tool_calls: called.calls }, {}]);
  const spoken = await chunksOf([said('Hi'), called]);
  expect(spoken.deltas[0]).toEqual({ role: 'assistant', content: '', refusal: null });
});

test('tokens without text are sent as running usage alone, from before the first word', async () => {
  const silent = [said(''), said('Hi'), said('')];
  expect(await chunksOf(silent, { continuous_usage_stats: true })).toMatchObject({
    deltas: [{ role: 'assistant' }, { content: 'Hi' }, {}],
    tokens: [0, 1, 2, 2, 3, 3],
  });
  const { tokens } = await chunksOf(silent);
  expect(tokens).toEqual([undefined, undefined, undefined]);
});
