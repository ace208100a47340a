import { eventsOf } from '../api/events.ts';
import { send } from '../api/client.ts';
import { isPassing } from '../api/failure.ts';
import { boundSilence, STREAM_SILENCE_MS } from '../api/silence.ts';
import { figuresOf, type Figures, type Message } from './conversation.ts';

interface Chunk {
  error?: { message: string };
  usage?: { cost?: number; prompt_tokens?: number; completion_tokens?: number } | null;
  choices?: {
    finish_reason?: string | null;
    delta?: {
      content?: string | null;
      reasoning_content?: string | null;
      reasoning?: string | null;
      tool_calls?: { index: number; id?: string; function?: { name?: string; arguments?: string } }[];
    };
  }[];
}

class BrokenOff extends Error {
  constructor() {
    super('The connection broke off before the end of the answer.');
  }
}

const EMPTY: Message = { role: 'assistant', content: '' };

/** Streams an answer. `show` gets the whole answer after each piece, and at the end, or where it broke off, with its figures. */
export async function streamAnswer(
  body: object,
  { signal, show }: { signal: AbortSignal; show: (answer: Message) => void },
): Promise<void> {
  const line = boundSilence(signal, STREAM_SILENCE_MS);
  try {
    await readAnswer(body, { line, show });
  } finally {
    line.end();
  }
}

async function readAnswer(
  body: object,
  { line, show }: { line: { signal: AbortSignal; heard: () => void }; show: (answer: Message) => void },
): Promise<void> {
  const begunMs = performance.now();
  const response = await send('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: line.signal,
  });
  let answer = EMPTY;
  let figures = figuresOf(response, begunMs);
  try {
    for await (const { data } of eventsOf(response, line.heard)) {
      if (data === '[DONE]') return;
      const chunk = JSON.parse(data) as Chunk;
      if (chunk.error) throw new Error(chunk.error.message);
      const next = withChunk(answer, chunk);
      const firstMs = figures.firstMs ?? (isBegun(next) ? performance.now() - begunMs : null);
      figures = { ...withUsage(figures, chunk), firstMs };
      answer = next;
      show(answer);
    }
    throw new BrokenOff();
  } catch (error) {
    // The connection of an answer that has begun was lost.
    throw isPassing(error) ? new BrokenOff() : error;
  } finally {
    show({ ...answer, figures: { ...figures, tookMs: performance.now() - begunMs } });
  }
}

const isBegun = ({ content, reasoning, toolCalls }: Message): boolean =>
  content !== '' || reasoning !== undefined || toolCalls !== undefined;

function withUsage(figures: Figures, { usage }: Chunk): Figures {
  if (!usage) return figures;
  return {
    ...figures,
    costUsd: usage.cost ?? figures.costUsd,
    inputTokens: usage.prompt_tokens ?? figures.inputTokens,
    outputTokens: usage.completion_tokens ?? figures.outputTokens,
  };
}

function withChunk(answer: Message, { choices = [] }: Chunk): Message {
  const [{ delta, finish_reason: finishReason } = {}] = choices;
  const reasoning = delta?.reasoning_content ?? delta?.reasoning;
  const toolCalls = [...(answer.toolCalls ?? [])];
  for (const { index, id, function: called } of delta?.tool_calls ?? []) {
    const known = toolCalls[index] ?? { id: '', name: '', arguments: '' };
    toolCalls[index] = {
      id: id ?? known.id,
      name: called?.name ?? known.name,
      arguments: known.arguments + (called?.arguments ?? ''),
    };
  }
  return {
    ...answer,
    content: answer.content + (delta?.content ?? ''),
    ...(reasoning && { reasoning: (answer.reasoning ?? '') + reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(finishReason && { finishReason }),
  };
}
