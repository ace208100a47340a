import { describe, expect, test } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { createChatPresenter } from '../../../calls/text/chat/chat.ts';
import { createCompletionsPresenter } from '../../../calls/text/chat/completions.ts';
import { createTokenMeter } from '../../../providers/metering/tokenMeter.ts';
import { EventSplitter } from '../../../providers/openai/eventSplitter.ts';
import { StreamReader } from '../../../providers/openai/streamReader.ts';
import { jsonOf, PlainChunk, type Chunk } from '../../../providers/plainChunk.ts';
import type { ChunkStream, Json } from '../../../providers/provider.ts';
import { CallAbort } from '../../../providers/callAbort.ts';
import type { Piece, Vendor } from './vendorEvents.ts';
import { VENDORS } from './vendors.ts';

const SEED = 35;
const answer = { id: 'chatcmpl-ours', created: 1_763_111_111, modelId: 'ours', choices: 2, includeUsage: true };

const CHARACTERS = [
  'a',
  ' word',
  '"',
  '\\',
  '/',
  '\n',
  '\r\n',
  '\t',
  '\b',
  '\f',
  '\u0001',
  '\u007f',
  'é',
  '世',
  '\u2028',
  '👩‍🚀',
];
const ODD = ['\uD83D', '\uE0000\uE001', '{', '}', '","content":"', 'data: ', '\\u0041'];
const characters = fc.constantFrom(...CHARACTERS, ...ODD);
const text = fc.array(characters, { minLength: 0, maxLength: 6 }).map((parts) => parts.join(''));
const member = fc.constantFrom<Piece['member'][]>('content', 'content', 'content', 'reasoning', 'refusal', 'arguments');
const pieces = fc.array(fc.record({ text, member }), { maxLength: 24 });

/** The reads of a stream whose bytes the network cut at these places. */
async function readsOf(bytes: Buffer, cuts: number[]): Promise<Chunk[][]> {
  const reads: Chunk[][] = [];
  const { promise, resolve, reject } = Promise.withResolvers<ChunkStream>();
  const reader = new StreamReader(new CallAbort(), resolve, reject);
  reader.onResponseStart(undefined, 200, { 'content-type': 'text/event-stream' });
  const over = (await promise).each((read) => void reads.push(read));
  const points = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  for (const [at, end] of points.slice(1).entries()) {
    if (end > points[at]!) reader.onResponseData(undefined, bytes.subarray(points[at], end));
    // Only what arrives together is read together.
    await new Promise((resolve) => process.nextTick(resolve));
  }
  reader.onResponseEnd();
  await over;
  return reads;
}

/** What a client gets and pays, by the chunks as they arrived or by their objects. */
async function outcomeOf(reads: Chunk[][]) {
  const meter = createTokenMeter({
    estimatedPromptTokens: 50,
    countPrompt: () => Promise.resolve(9),
    bounds: { inputTokensMax: 1_000, outputTokensMax: 5_000 },
    limitTokens: 5_000,
  });
  const presenters = [createChatPresenter(answer), createCompletionsPresenter(answer)];
  const texts = presenters.map(() => '');
  const metered: unknown[] = [];
  for (const read of reads) {
    meter.observe(read);
    metered.push(meter.soFar(), meter.atMost(), meter.finishReason());
    // An object may be modified.
    for (const [at, presenter] of presenters.entries()) texts[at] += presenter.push(read.map(copied));
  }
  const usage = await meter.final();
  return {
    metered,
    usage,
    texts: presenters.map((presenter, at) => texts[at] + presenter.end({ usage, cutShort: false })),
  };
}

// Chunks came as JSON, of which this is the fastest copy.
const copied = (chunk: Chunk): Chunk =>
  chunk instanceof PlainChunk ? chunk : (JSON.parse(JSON.stringify(chunk)) as Json);

/** The same as `expect(…).toEqual(…)`, a few times faster for thousands of values that are equal. */
function expectEqual(value: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(value, expected)) expect(value).toEqual(expected);
}

/** The chunks of each read as objects, read without shapes. */
const objectsOf = (reads: Chunk[][]): Json[][] => reads.map((read) => read.map(jsonOf));

const parsedBy = (bytes: Buffer): Json[] =>
  new EventSplitter().push(bytes).flatMap((data) => (data === '[DONE]' ? [] : [JSON.parse(data) as Json]));

describe.each(VENDORS)('a stream of $name', ({ events, isPlain }: Vendor) => {
  test('has the same chunks, text and usage as by its objects, wherever it is cut', async () => {
    const stream = fc.asyncProperty(pieces, fc.array(fc.nat(), { maxLength: 12 }), async (said, cuts) => {
      const bytes = Buffer.from(events(said).join(''));
      const reads = await readsOf(bytes, cuts);
      const objects = objectsOf(reads);
      expectEqual(objects.flat(), parsedBy(bytes));
      expectEqual(await outcomeOf(reads), await outcomeOf(objects));
    });
    await fc.assert(stream, { numRuns: 150, seed: SEED });
  });

  test('has them with a cut at every byte', async () => {
    const said: Piece[] = ['Grüße', ', "世界"', '!\n', ' 👩‍🚀', ' C:\\dir', ' \u0007', ' end'].map((one) => ({
      text: one,
      member: 'content',
    }));
    const bytes = Buffer.from(events(said).join(''));
    const expected = await outcomeOf([parsedBy(bytes)]);
    for (let cut = 1; cut < bytes.length; cut++) {
      const { texts, usage } = await outcomeOf(await readsOf(bytes, [cut]));
      expectEqual({ texts, usage }, { texts: expected.texts, usage: expected.usage });
    }
  });

  test('is read without objects where only its texts differ', async () => {
    const said: Piece[] = Array.from({ length: 100 }, (_, at) => ({ text: ` word ${at}`, member: 'content' }));
    const reads = await readsOf(Buffer.from(events(said).join('')), []);
    const plain = reads.flat().filter((chunk) => chunk instanceof PlainChunk);
    if (isPlain) expect(plain.length).toBeGreaterThan(80);
    else expect(plain.length).toBe(0);
  });
});

test('a chunk of megabytes is read as any other', async () => {
  const [openai] = VENDORS;
  const said: Piece[] = ['a', 'b', '"long"\n'.repeat(200_000), 'c'].map((one) => ({ text: one, member: 'content' }));
  const bytes = Buffer.from(openai!.events(said).join(''));
  const reads = await readsOf(bytes, []);
  expect(objectsOf(reads).flat()).toEqual(parsedBy(bytes));
  expect(await outcomeOf(reads)).toEqual(await outcomeOf(objectsOf(reads)));
});
