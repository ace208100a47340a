import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isTextPath, type Json, type TestCall } from '../../providers/provider.ts';
import type { TestFault, TestFaultName } from '../../providers/testFault.ts';
import { isObject } from '../../base/json.ts';
import { CONTEXT_CODE } from '../../providers/openai/policy.ts';
import { sendError } from '../protocol/replies.ts';
import { invalidValue, RequestError } from '../protocol/requestError.ts';
import { beginCall, inputsOf, perform } from '../scripted/perform.ts';
import { scriptOf, type Script } from '../scripted/script.ts';
import { listen } from '../scripted/startScripted.ts';
import { answerSockets, type HandshakeRefusal } from './realtime/sockets.ts';
import { testAnswer } from './testAnswer.ts';

const DIMENSIONS = 384;

/** Starts the test upstream on a loopback port: it answers by rules, deterministically, and fails as a call asks it to. */
export async function startTestUpstream(port = 0): Promise<{ url: string; stop(): Promise<void> }> {
  const { server, url, stop } = await listen(port, (request, response) => void answer(request, response));
  const endSockets = answerSockets(server, handshakeRefusal);
  const stopAll = (): Promise<void> => {
    endSockets();
    return stop();
  };
  return { url: `${url}/v1`, stop: stopAll };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').replace(/^.*?\/v1\//, '');
  try {
    if (!isTextPath(path)) throw new Error(`There is no ${path} here.`);
    const chunks: Buffer[] = await request.toArray();
    const { test_call: test, ...body } = JSON.parse(Buffer.concat(chunks).toString()) as Json & { test_call: TestCall };
    refuseLongTexts(body);
    if (path === 'embeddings') refuseManyNumbers(body);
    const script = { ...scriptOf(body, testAnswer(body, test.isRun)), ...faultScript(test.fault) };
    if (test.fault?.name === 'upstream_refusal') script.error = { ...REFUSAL, param: textMemberOf(body) };
    if (script.fault === 'reset' && script.faultAfterChunks === 0) return void response.destroy();
    const call = beginCall(randomUUID(), path, request.headers);
    call.body = path === 'embeddings' ? { dimensions: DIMENSIONS, ...body } : body;
    await perform(response, path, script, call);
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy();
    sendError(response, error instanceof RequestError ? error : new RequestError(400, 'invalid_value', String(error)));
  }
}

// As many as OpenAI's largest model has, for some hundred texts; the answer of 2,048 usual vectors has half of it.
const VECTOR_NUMBERS_MAX = 1_600_000;

function refuseManyNumbers({ input, dimensions }: Json): void {
  const numbers = inputsOf(input).length * Number(dimensions ?? DIMENSIONS);
  if (numbers <= VECTOR_NUMBERS_MAX) return;
  const message = `A test answer has at most ${VECTOR_NUMBERS_MAX} numbers: send fewer inputs, or smaller 'dimensions'.`;
  throw invalidValue('dimensions', message);
}

// Counting the tokens of a million characters takes up to 6 s of this thread, and no model has such a context.
const TEXT_CHARS_MAX = 2_000_000;

function refuseLongTexts({ messages, prompt, input }: Json): void {
  const contents = Array.isArray(messages) ? (messages as Json[]).flatMap(({ content }) => content) : [prompt, input];
  const lengthOf = (part: unknown): number => {
    if (typeof part === 'string') return part.length;
    if (Array.isArray(part)) return part.reduce<number>((sum, one) => sum + lengthOf(one), 0);
    return isObject(part) && typeof part.text === 'string' ? part.text.length : 0;
  };
  if (lengthOf(contents) <= TEXT_CHARS_MAX) return;
  throw new RequestError(
    400,
    CONTEXT_CODE,
    `This model's maximum context length is exceeded: a test call has at most ${TEXT_CHARS_MAX} characters of text.`,
    textMemberOf({ messages, prompt }),
  );
}

/** The member that has a call's text. */
const textMemberOf = ({ messages, prompt }: Json): string =>
  Array.isArray(messages) ? 'messages' : prompt === undefined ? 'input' : 'prompt';

const REFUSAL = { message: 'The test upstream refuses this request.', param: 'messages', code: 'test_refusal' };

const SCRIPTS: Record<TestFaultName, (delayMs: number) => Script> = {
  upstream_500: () => ({ status: 500 }),
  upstream_429: () => ({ status: 429, retryAfter: '1' }),
  upstream_timeout: () => ({ fault: 'stall', faultAfterChunks: 0 }),
  upstream_reset: () => ({ fault: 'reset', faultAfterChunks: 0 }),
  upstream_refusal: () => ({ status: 400, error: REFUSAL }),
  cut_stream: () => ({ fault: 'reset', faultAfterChunks: 4 }),
  malformed_chunk: () => ({ fault: 'malformed', faultAfterChunks: 4 }),
  error_chunk: () => ({ fault: 'errorFrame', faultAfterChunks: 4 }),
  slow_first_byte: (headDelayMs) => ({ headDelayMs }),
  slow_chunks: (delayMs) => ({ delayMs }),
};

const faultScript = (fault: TestFault | undefined): Script => (fault ? SCRIPTS[fault.name](fault.delayMs ?? 0) : {});

/** The refusal of a realtime session before it begins. */
function handshakeRefusal({ name, delayMs = 0 }: TestFault): HandshakeRefusal | undefined {
  const { status, error, retryAfter } = SCRIPTS[name](delayMs);
  return status === undefined ? undefined : { status, retryAfter, error: { type: typeOf(status), ...error } };
}

const typeOf = (status: number): string => (status < 500 ? 'invalid_request_error' : 'server_error');
