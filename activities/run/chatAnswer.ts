import { storableText } from '../../db/postgres/storableText.ts';
import type { Json } from '../../providers/provider.ts';

// More calls in one answer than any agent needs.
const CALLS_MAX = 16;

export interface CalledTool {
  id: string;
  name: string;
  arguments: string;
}

/** Assembles a streamed chat answer. */
export function createChatAnswer() {
  let text = '';
  let finishReason: string | null = null;
  const calls: CalledTool[] = [];

  function take(chunk: Json): string {
    const choice = ((chunk.choices ?? []) as Json[])[0];
    if (!choice) return '';
    finishReason = (choice.finish_reason as string | null | undefined) ?? finishReason;
    const delta = (choice.delta ?? {}) as Json;
    for (const call of (delta.tool_calls ?? []) as CallDelta[]) addCall(call);
    const piece = textIn(delta.content) + textIn(delta.refusal);
    text += piece;
    return piece;
  }

  function addCall({ index, id, function: called }: CallDelta): void {
    const place = index ?? 0;
    if (place >= CALLS_MAX) return;
    const call = (calls[place] ??= { id: '', name: '', arguments: '' });
    if (id) call.id = textIn(id);
    call.name += textIn(called?.name);
    call.arguments += textIn(called?.arguments);
  }

  return {
    /** Reads chunks; returns their text that callers see. */
    push: (chunks: Json[]): string => chunks.map(take).join(''),
    text: () => text,
    calls: (): CalledTool[] => calls.filter(Boolean),
    finishReason: () => finishReason,
  };
}

interface CallDelta {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null } | null;
}

// A model may write anything, and that must not fail the run.
const textIn = (value: unknown): string => (typeof value === 'string' ? storableText(value) : '');
