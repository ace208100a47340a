import { invalidValue } from '../../../base/errors/invalidRequest.ts';

/** What of a message says which calls it makes, or which call it answers. */
interface Message {
  role: string;
  tool_calls?: readonly { id: string }[] | null | undefined;
  tool_call_id?: string;
}

/** The calls of one assistant message, and those of them without an answer so far. */
interface Calls {
  at: number;
  ids: ReadonlySet<string>;
  open: Set<string>;
}

const SHOWN_IDS = 5;
const SHOWN_CHARS = 100;

/**
 * Throws the 400 of a conversation in which a tool message answers no call of the assistant's message before it, or a call has no answer:
 * a model would make something up.
 */
export function refuseUnpairedTools(messages: readonly Message[]): void {
  let calls: Calls | null = null;
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      answer(calls, message.tool_call_id!, at);
      continue;
    }
    refuseOpen(calls);
    const ids = (message.tool_calls ?? []).map(({ id }) => id);
    calls = ids.length > 0 ? { at, ids: new Set(ids), open: new Set(ids) } : null;
  }
  refuseOpen(calls);
}

function answer(calls: Calls | null, id: string, at: number): void {
  if (!calls) {
    const message =
      "A message with the role 'tool' must follow the assistant's message with the 'tool_calls' that it answers.";
    throw invalidValue(`messages[${at}].role`, message);
  }
  if (!calls.ids.has(id)) {
    const message = `There is no call with the id '${shown(id)}' in the 'tool_calls' of the assistant's message before.`;
    throw invalidValue(`messages[${at}].tool_call_id`, message);
  }
  calls.open.delete(id);
}

function refuseOpen(calls: Calls | null): void {
  if (!calls || calls.open.size === 0) return;
  const ids = [...calls.open].slice(0, SHOWN_IDS).map(shown).join(', ');
  const message = `A tool message must answer each of the 'tool_calls' of an assistant's message. There is none for: ${ids}.`;
  throw invalidValue(`messages[${calls.at}].tool_calls`, message);
}

const shown = (id: string) => id.slice(0, SHOWN_CHARS);
