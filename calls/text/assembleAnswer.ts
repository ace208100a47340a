import { isObject } from '../../base/json.ts';
import { jsonOf, type Chunk } from '../../providers/plainChunk.ts';
import type { Json, TextProvider } from '../../providers/provider.ts';
import { finalUsage, openUpstream, readMetered, type MeteredCall, type WholeReply } from './meteredCall.ts';
import type { TextCall } from './textCall.ts';

// Texts that are complete in every chunk that has them. Other texts arrive in pieces.
const WHOLE_TEXTS = new Set(['id', 'type', 'name', 'role', 'format', 'finish_reason', 'native_finish_reason']);
// Members that only streams have.
const STREAM_MEMBERS = new Set(['choices', 'usage', 'object', 'obfuscation', '__proto__']);
// Members of a choice that are nested deeper are not joined: the last one counts.
const JOINED_DEPTH = 6;

/** A whole reply, read from a stream whose hold grows with its cost; or its beginning, when the money ran out. */
export async function gatherReply(metered: MeteredCall, provider: TextProvider): Promise<WholeReply> {
  const assembler = createAnswerAssembler(metered.call);
  const chunks = await openUpstream(metered, provider);
  const take = (read: Chunk[]) => {
    assembler.push(read);
    return undefined;
  };
  await readMetered(metered, chunks, { take });
  const usage = await finalUsage(metered);
  return { reply: assembler.whole({ cutShort: metered.abort.reason === 'cut' }), usage };
}

/**
 * Joins a streamed answer into the whole answer that the same upstream would send: choices with their texts, reasoning, refusals, tool
 * calls and log probabilities joined, and every other member as it arrived last.
 */
export function createAnswerAssembler(call: TextCall) {
  const isChat = call.path === 'chat/completions';
  const members = new Map<string, unknown>();
  const choices = new Map<number, Json>();
  let usage: unknown;

  function push(chunks: Chunk[]): void {
    for (const chunk of chunks.map(jsonOf)) {
      for (const name in chunk) if (!STREAM_MEMBERS.has(name)) members.set(name, chunk[name] ?? members.get(name));
      usage = chunk.usage ?? usage;
      if (Array.isArray(chunk.choices)) chunk.choices.forEach(addChoice);
    }
  }

  function addChoice(choice: unknown): void {
    if (!isObject(choice)) return;
    const index = indexOf(choice) ?? 0;
    choices.set(index, joinMembers(choices.get(index) ?? {}, choice, JOINED_DEPTH));
  }

  /** The answer so far. One that was cut short ends every requested choice with `length`, including those not begun. */
  function whole({ cutShort }: { cutShort: boolean }): Json {
    if (cutShort) for (let index = 0; index < call.choices; index++) choices.set(index, choices.get(index) ?? {});
    const inOrder = [...choices].toSorted(([one], [other]) => one - other);
    return {
      ...Object.fromEntries(members),
      object: isChat ? 'chat.completion' : 'text_completion',
      choices: inOrder.map(([index, choice]) => {
        const finish_reason = choice.finish_reason || (cutShort ? 'length' : 'stop');
        return isChat
          ? wholeChatChoice({ ...choice, index, finish_reason })
          : { text: '', ...choice, index, finish_reason };
      }),
      ...(usage !== undefined && { usage }),
    };
  }

  return { push, whole };
}

function wholeChatChoice({ delta, ...choice }: Json): Json {
  const { tool_calls, ...message } = isObject(delta) ? delta : {};
  // In a whole answer the position in the list replaces `index`.
  const calls = Array.isArray(tool_calls) && {
    tool_calls: tool_calls.filter(isObject).map(withoutIndex),
  };
  return { ...choice, message: { role: 'assistant', content: null, ...message, ...calls } };
}

function withoutIndex(called: Json): Json {
  const { index: _place, ...rest } = called;
  return rest;
}

function joinMembers(before: Json, next: Json, depth: number): Json {
  for (const name in next) {
    if (name !== '__proto__') before[name] = joined(name, before[name], next[name], depth);
  }
  return before;
}

function joined(name: string, before: unknown, next: unknown, depth: number): unknown {
  if (next === null || next === undefined) return before ?? next;
  if (Array.isArray(next)) return joinLists(Array.isArray(before) ? before : [], next, depth);
  if (typeof next === 'string' && typeof before === 'string' && before !== '')
    return WHOLE_TEXTS.has(name) ? before : before + next;
  if (isObject(next) && depth > 0) return joinMembers(isObject(before) ? before : {}, next, depth - 1);
  return next;
}

// Numbered items arrive in pieces, as tool calls do; all others arrive whole.
function joinLists(before: unknown[], next: unknown[], depth: number): unknown[] {
  for (const item of next) {
    const index = isObject(item) ? indexOf(item) : undefined;
    const begun = index === undefined ? undefined : before.find((one) => isObject(one) && one.index === index);
    if (!isObject(item) || depth === 0) before.push(item);
    else if (isObject(begun)) joinMembers(begun, item, depth - 1);
    else before.push(joinMembers({}, item, depth - 1));
  }
  return before;
}

const indexOf = ({ index }: Json): number | undefined =>
  Number.isSafeInteger(index) && (index as number) >= 0 ? (index as number) : undefined;
