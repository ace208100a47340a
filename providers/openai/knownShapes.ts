import { isObject } from '../../base/json.ts';
import { finishReasonIn, producedTextOf } from '../metering/producedText.ts';
import { ChunkShape, MARK, markOf, type PlainChunk } from '../plainChunk.ts';
import type { Json } from '../provider.ts';
import { parsePayload } from './faults.ts';
import { readItem } from './readItem.ts';

// An answer's choices, its reasoning and its text differ in shape; more than some shapes at a time do not pay.
const SHAPES_MAX = 4;
// A stream whose chunks all differ is not compared for ever: chances to learn a shape come back with each so many chunks of known shapes.
const CHANCES_MAX = 8;
const CHUNKS_PER_CHANCE = 4;
// A longer event has more than a token, and is not searched for strings.
const EVENT_LENGTH_MAX = 4_000;

/** Members whose strings differ from chunk to chunk: the output, and what upstreams pad it with to hide its length. */
const TEXTS =
  /"(?:content|reasoning_content|reasoning|text|arguments|obfuscation|p)"\s*:\s*"((?:[^"\\\p{Cc}]|\\["\\bfnrt])+)"/gu;
const PRIVATE = /[\uE000\uE001]/;

/**
 * The shapes of one stream's chunks. Most chunks of a stream differ from an earlier one only in their output, so the rest of them is
 * compared instead of parsed. Only chunks of one open choice without usage have shapes: nothing but their text changes any state.
 */
export class KnownShapes {
  /** The last learned first. */
  #shapes: ChunkShape[] = [];
  #chances = CHANCES_MAX;
  #chunks = 0;

  /** The chunk that begins at this place, if it has a known shape. */
  read(lines: string, at: number): PlainChunk | undefined {
    for (const shape of this.#shapes) {
      const chunk = shape.read(lines, at);
      if (!chunk) continue;
      if (++this.#chunks % CHUNKS_PER_CHANCE === 0 && this.#chances < CHANCES_MAX) this.#chances += 1;
      return chunk;
    }
    return undefined;
  }

  /** Learns the shape of an event, of which `data` is the last field. */
  learn(event: string, data: string): void {
    if (this.#chances === 0 || data === '[DONE]' || event.length > EVENT_LENGTH_MAX) return;
    this.#chances -= 1;
    const shape = shapeOf(event, data);
    if (shape) this.#shapes = [shape, ...this.#shapes.slice(0, SHAPES_MAX - 1)];
  }
}

function shapeOf(read: string, data: string): ChunkShape | undefined {
  // A copy: a slice would keep the whole network read in memory.
  const event = Buffer.from(read).toString();
  const before = event.lastIndexOf(data);
  const end = before + data.length;
  if (before === -1 || PRIVATE.test(event)) return undefined;
  if (!/(?:^|\n)data: ?$/.test(event.slice(0, before)) || !/^\r?\n\r?\n$/.test(event.slice(end))) return undefined;
  const literals = literalsOf(event, before);
  const frame = { before, after: event.length - end };
  const choice = plainChoiceIn(new ChunkShape(literals, frame, { choice: undefined, produced: [] }).sample);
  const produced = choice && placesIn(producedTextOf(choice));
  return produced && new ChunkShape(literals, frame, { choice: choice.index, produced });
}

/** The places whose marks a text consists of; undefined where it has others, or none. */
function placesIn(written: string): number[] | undefined {
  const places = written
    .split(MARK)
    .filter((_piece, at) => at % 2 === 1)
    .map(Number);
  return places.length > 0 && written === places.map(markOf).join('') ? places : undefined;
}

/** The text of an event without the strings that may differ, which are searched from `start` on. */
function literalsOf(event: string, start: number): string[] {
  const literals: string[] = [];
  let from = 0;
  TEXTS.lastIndex = start;
  for (let found = TEXTS.exec(event); found; found = TEXTS.exec(event)) {
    const close = TEXTS.lastIndex - 1;
    literals.push(event.slice(from, close - found[1]!.length));
    from = close;
  }
  return [...literals, event.slice(from)];
}

/** The only choice of a chunk; undefined where the chunk has more to say than text. */
function plainChoiceIn(sample: PlainChunk): Json | undefined {
  try {
    const { choices, usage } = readItem(parsePayload(sample.shape.jsonWith(sample.texts)));
    const [choice, ...more] = (choices ?? []) as Json[];
    const isPlain = isObject(choice) && more.length === 0 && (usage ?? null) === null && !finishReasonIn([choice]);
    return isPlain ? choice : undefined;
  } catch {
    // Whoever reads the chunk itself says what is wrong with it.
    return undefined;
  }
}
