import { isObject } from '../base/json.ts';
import { ProviderError, type ChunkStream, type Json, type TextProvider } from './provider.ts';

/** What a model answered when it was tried. */
export interface ChatProbe {
  answer: string;
  /** Whether it called the tool that it was offered: agents need that. */
  callsTools: boolean;
  durationMs: number;
  inputTokens: number | null;
  outputTokens: number | null;
}

/** Why a model did not answer: the input that is at fault, and a sentence. */
export interface ChatProbeFailure {
  param: 'api_key' | 'base_url' | 'model';
  message: string;
}

const LIMIT_MS = 60_000;
// Models that think first count their thoughts.
const OUTPUT_TOKENS_MAX = 1_024;
const ANSWER_CHARS_MAX = 500;
// Some addresses send words without an end.
const READ_CHARS_MAX = 100_000;
const DETAIL_CHARS_MAX = 300;

const QUESTION = {
  messages: [
    { role: 'system', content: 'Answer by the tool `answer`.' },
    { role: 'user', content: 'What is the capital of France?' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'answer',
        description: 'Gives the answer to the user',
        parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      },
    },
  ],
  max_completion_tokens: OUTPUT_TOKENS_MAX,
  stream: true,
  stream_options: { include_usage: true },
};

/** Asks a model one question, in the form in which runs of agents call it: streamed, with a tool and a limit of tokens. Closes the provider. */
export async function probeChat(
  provider: TextProvider & { close?(): Promise<void> },
  model: string,
): Promise<ChatProbe | ChatProbeFailure> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const begunAtMs = performance.now();
  try {
    const read = await readAnswer(await provider.stream('chat/completions', { ...QUESTION, model }, signal));
    if (read.text === '' && !read.tool)
      return { param: 'model', message: 'It answered nothing: is this a model of texts?' };
    return {
      answer: (read.tool ? toolText(read.tool) : read.text).slice(0, ANSWER_CHARS_MAX),
      callsTools: read.tool !== '',
      durationMs: Math.round(performance.now() - begunAtMs),
      inputTokens: read.usage.prompt_tokens ?? null,
      outputTokens: read.usage.completion_tokens ?? null,
    };
  } catch (failure) {
    if (signal.aborted) return { param: 'base_url', message: `It did not answer within ${LIMIT_MS / 1_000} seconds.` };
    if (failure instanceof ProviderError) return failureOf(failure, model);
    throw failure;
  } finally {
    await provider.close?.();
  }
}

interface Read {
  text: string;
  /** The arguments of its call of the tool. */
  tool: string;
  usage: { prompt_tokens?: number; completion_tokens?: number };
}

async function readAnswer(stream: ChunkStream): Promise<Read> {
  const read: Read = { text: '', tool: '', usage: {} };
  for await (const chunks of stream) {
    for (const chunk of chunks) take(read, chunk);
    if (read.text.length + read.tool.length > READ_CHARS_MAX) break;
  }
  return read;
}

function take(read: Read, { choices, usage }: Json): void {
  if (isObject(usage)) read.usage = usage;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const delta = isObject(choice) && isObject(choice.delta) ? choice.delta : {};
  if (typeof delta.content === 'string') read.text += delta.content;
  const [call] = Array.isArray(delta.tool_calls) ? (delta.tool_calls as unknown[]) : [];
  const called = isObject(call) && isObject(call.function) ? call.function : undefined;
  if (typeof called?.arguments === 'string') read.tool += called.arguments;
}

/** The text that the tool was called with; its arguments as they are where they have another form. */
function toolText(given: string): string {
  try {
    const value: unknown = JSON.parse(given);
    return isObject(value) && typeof value.text === 'string' ? value.text : given;
  } catch {
    return given;
  }
}

function failureOf({ fault, status, detail, message }: ProviderError, model: string): ChatProbeFailure {
  const said = detail?.message ? ` It says: ${detail.message.slice(0, DETAIL_CHARS_MAX)}` : '';
  if (status === 401 || status === 403)
    return { param: 'api_key', message: `The vendor refuses this key (${status}).${said}` };
  if (fault === 'account')
    return {
      param: 'api_key',
      message: `The vendor does not serve this key's account: its credit may be used up.${said}`,
    };
  if (status === 404 || detail?.code === 'model_not_found')
    return {
      param: 'model',
      message: `There is no model '${model}' at this address, or the key may not use it.${said}`,
    };
  if (fault === 'refused')
    return { param: 'model', message: `The vendor refuses a call of an agent (${status}).${said}` };
  if (fault === 'overloaded')
    return {
      param: 'model',
      message: `The vendor takes no more calls now (${status}): the key's limit, or its load.${said}`,
    };
  if (fault === 'unavailable') return { param: 'base_url', message };
  if (fault === 'unreachable') return { param: 'base_url', message: `Nothing answers at this address: ${message}.` };
  return { param: 'base_url', message: `The call failed: ${message}.${said}` };
}
