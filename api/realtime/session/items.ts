import { z } from 'zod';
import { newId } from '../../../db/ids.ts';
import { type InvalidRequest, invalidValue } from '../../../base/errors/invalidRequest.ts';
import type { ResponseItem } from '../../../calls/text/responses/responseItem.ts';

const SAMPLE_BYTES = 2;
const TEXT_MAX = 256 * 1024;
const text = z.string().max(TEXT_MAX);
const id = z.string().min(1).max(64);
// Ids of calls come from the upstream, and are longer at some.
const callId = z.string().min(1).max(512);

const labels = {
  id: id.optional(),
  object: z.literal('realtime.item').optional(),
  status: z.enum(['completed', 'incomplete', 'in_progress']).optional(),
};

const inputText = z.strictObject({ type: z.literal('input_text'), text });
const inputAudio = z.strictObject({
  type: z.literal('input_audio'),
  audio: z
    .string()
    .nullish()
    .describe('Sound in base64: 16-bit samples at 24 kHz. It is transcribed, and billed as input.'),
  transcript: text.nullish().describe('Stands for the sound, which is then not read.'),
});
const outputText = z.strictObject({ type: z.literal('output_text'), text });
const outputAudio = z.strictObject({
  type: z.literal('output_audio'),
  audio: z.null().optional(),
  transcript: text.nullish(),
});

const type = z.literal('message');

const Message = z.discriminatedUnion('role', [
  z.strictObject({ ...labels, type, role: z.literal('system'), content: z.array(inputText).min(1).max(64) }),
  z.strictObject({
    ...labels,
    type,
    role: z.literal('user'),
    content: z
      .array(z.discriminatedUnion('type', [inputText, inputAudio]))
      .min(1)
      .max(64),
  }),
  z.strictObject({
    ...labels,
    type,
    role: z.literal('assistant'),
    content: z
      .array(z.discriminatedUnion('type', [outputText, outputAudio]))
      .min(1)
      .max(64),
  }),
]);

const FunctionCall = z.strictObject({
  ...labels,
  type: z.literal('function_call'),
  call_id: callId.optional(),
  name: z.string().min(1).max(64),
  arguments: text,
});

const FunctionCallOutput = z.strictObject({
  ...labels,
  type: z.literal('function_call_output'),
  call_id: callId,
  output: text,
});

/** An item of a conversation as clients send it. */
export const NewItem = z.union([Message, FunctionCall, FunctionCallOutput]);
export type NewItem = z.infer<typeof NewItem>;

type Part = { type: string; text?: string; transcript?: string | null };

interface ItemLabels {
  id: string;
  object: 'realtime.item';
  status: 'completed' | 'incomplete' | 'in_progress';
}

/** An item of a conversation. Sound itself is not kept, only what was said. */
export type Item = ItemLabels &
  (
    | { type: 'message'; role: 'system' | 'user' | 'assistant'; content: Part[] }
    | { type: 'function_call'; call_id: string; name: string; arguments: string }
    | { type: 'function_call_output'; call_id: string; output: string }
  );

/** An item as it was sent, with the id that it was given. Sound is left out of it. */
export function itemOf(sent: NewItem): Item {
  const labels = { id: sent.id ?? newId('item'), object: 'realtime.item', status: 'completed' } as const;
  if (sent.type === 'function_call') return { ...sent, ...labels, call_id: sent.call_id ?? newId('call') };
  return sent.type === 'message'
    ? { ...sent, ...labels, content: sent.content.map(withoutSound) }
    : { ...sent, ...labels };
}

function withoutSound(part: Part & { audio?: unknown }): Part {
  const { audio: _audio, ...said } = part;
  return part.type === 'input_audio' ? { ...said, transcript: part.transcript ?? null } : said;
}

/** Sound in a part of an item: 16-bit samples at 24 kHz. */
export interface Sound {
  contentIndex: number;
  /** The part itself, which takes what was said. */
  part: { transcript?: string | null };
  bytes: Buffer;
}

/** The sounds in an item that have no transcript yet. `place` names the item where one of them cannot be read (`InvalidRequest`). */
export function soundsIn(sent: NewItem, place: string): Sound[] {
  if (sent.type !== 'message') return [];
  return sent.content.flatMap((part, contentIndex) =>
    part.type === 'input_audio' && part.audio && typeof part.transcript !== 'string'
      ? [{ contentIndex, part, bytes: soundOf(part.audio, `${place}.content[${contentIndex}].audio`) }]
      : [],
  );
}

/** The bytes of a client's sound; throws `InvalidRequest` for what is not base64 of 16-bit samples. */
export function soundOf(audio: string, param: string): Buffer {
  const bytes = Buffer.from(audio, 'base64');
  if (bytes.length > 0 && bytes.length % SAMPLE_BYTES === 0) return bytes;
  throw invalidValue(param, 'The audio is not base64 of 16-bit samples.');
}

/** Characters that an item takes in a conversation. */
export function sizeOf(item: Item): number {
  if (item.type === 'function_call') return item.arguments.length;
  if (item.type === 'function_call_output') return item.output.length;
  return item.content.reduce((sum, part) => sum + saidIn(part).length, 0);
}

const saidIn = ({ text: written, transcript }: Part): string => written ?? transcript ?? '';

/** The place of the first output in a list whose call is not among some items; -1 if each has its call. */
export function placeOfOrphan(items: readonly Item[], calls: readonly Item[]): number {
  const ids = new Set(calls.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : [])));
  return items.findIndex((item) => item.type === 'function_call_output' && !ids.has(item.call_id));
}

/** The refusal of an output without a call: text models refuse a conversation with one. */
export const withoutCall = (param: string): InvalidRequest =>
  invalidValue(param, 'There is no function call with this call_id before the output.');

/**
 * The items with the outputs of calls right behind these, as text models require it: the user may have spoken before an output came. A call
 * without an output, because it was stopped or still runs, is left out, and so is an output whose call was deleted.
 */
function withOutputsBehind(items: Item[]): Item[] {
  const outputs = new Map<string, Item>();
  for (const item of items) if (item.type === 'function_call_output') outputs.set(item.call_id, item);
  const moved = new Set<Item>();
  const ordered: Item[] = [];
  const waiting: Item[] = [];
  for (const item of items) {
    if (item.type === 'function_call') {
      const output = outputs.get(item.call_id);
      if (!output || moved.has(output)) continue;
      moved.add(output);
      waiting.push(output);
    } else {
      ordered.push(...waiting.splice(0));
      if (item.type === 'function_call_output') continue;
    }
    ordered.push(item);
  }
  return [...ordered, ...waiting];
}

/** The items as input of a response, for the text model. Items in which nothing was said, or heard, are left out. */
export function toInput(items: Iterable<Item>): ResponseItem[] {
  return withOutputsBehind([...items]).flatMap((item): ResponseItem[] => {
    switch (item.type) {
      case 'function_call': {
        const { call_id, name, arguments: given } = item;
        return [{ type: 'function_call', call_id, name, arguments: given }];
      }
      case 'function_call_output':
        return [{ type: 'function_call_output', call_id: item.call_id, output: item.output }];
      case 'message': {
        const kind = item.role === 'assistant' ? ('output_text' as const) : ('input_text' as const);
        const said = item.content.map(saidIn).filter((one) => one !== '');
        return said.length === 0
          ? []
          : [{ type: 'message', role: item.role, content: said.map((one) => ({ type: kind, text: one })) }];
      }
      default:
        return item satisfies never;
    }
  });
}
