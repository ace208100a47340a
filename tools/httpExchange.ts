import { request, type Agent, type Dispatcher } from 'undici';
import { HTTP_TOOLS, sizeText } from '../base/limits.ts';
import { retryAfterMsOf } from '../base/retryAfter.ts';
import { AddressRefused, AnswerTooLong, isAllowedPrivate, type Egress } from './guardedAgent.ts';
import { decodeText } from './sandbox/files.ts';
import { createStreamReader, isStream } from './streamedResult.ts';
import type { ToolContext } from './tool.ts';

const ERROR_CHARACTERS_MAX = 4_000;
const RETRY_AFTER_MS_MAX = 60_000;
const TOO_LONG = `answered with more than ${sizeText(HTTP_TOOLS.answerBytesMax)}.`;
const READABLE = /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?json|application\/(?:x-)?ndjson|application\/jsonl)$/;

/** One request to a tool, and what its answer means. The text of an error continues a sentence about the tool. */
export interface Exchange {
  /** Null: there was no whole answer. */
  answer: { status: number; contentType: string | null; body: string } | null;
  result: { text: string; isError: boolean };
  /** Another try may succeed, after this time. */
  retry?: { afterMs: number };
  /** The signal was aborted before the answer. */
  isLate?: true;
}

interface Sent {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Posts to a tool's address and reads its answer. The agent restricts the addresses: see createGuardedAgent. */
export async function exchange(
  { agent, egress }: { agent: Agent; egress: Egress },
  { url, headers, body }: Sent,
  { signal, onProgress }: Required<Pick<ToolContext, 'signal' | 'onProgress'>>,
): Promise<Exchange> {
  let answer: Dispatcher.ResponseData | undefined;
  try {
    const address = new URL(url);
    if (address.protocol !== 'https:' && !isAllowedPrivate(egress, address))
      throw new AddressRefused(`'${address.host}' is not https`);
    // The signal bounds the whole call: a tool may think for minutes before it answers.
    const unbounded = { headersTimeout: 0, bodyTimeout: 0 };
    answer = await request(address, { method: 'POST', dispatcher: agent, signal, headers, body, ...unbounded });
    return await readAnswer(answer, onProgress);
  } catch (error) {
    if (signal.aborted) return { ...failed('did not answer in time.'), isLate: true };
    return brokenBy(error);
  } finally {
    answer?.body.on('error', () => {}).destroy();
  }
}

const failed = (text: string): Exchange => ({ answer: null, result: { text, isError: true } });

async function readAnswer(
  answer: Dispatcher.ResponseData,
  onProgress: Required<ToolContext>['onProgress'],
): Promise<Exchange> {
  const { statusCode: status } = answer;
  const contentType = headerOf(answer, 'content-type')?.toLowerCase() ?? null;
  const mediaType = contentType?.split(';', 1)[0]!.trim() ?? '';
  const encoding = headerOf(answer, 'content-encoding') ?? 'identity';
  if (encoding !== 'identity') return failed('sent a compressed answer although the request forbids it.');
  const stream = status === 200 && isStream(mediaType) ? createStreamReader(mediaType, onProgress) : undefined;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > HTTP_TOOLS.answerBytesMax) return failed(TOO_LONG);
    chunks.push(chunk);
    if (stream?.push(chunk)) break;
  }
  const bytes = Buffer.concat(chunks);
  const body = decodeText(bytes);
  const shown = { status, contentType, body: body ?? '' };
  if (stream) return { answer: shown, result: stream.end() };
  const said = status >= 200 && status < 300 ? contentOf(mediaType, body) : refusalOf(status, body);
  return { answer: shown, result: said, ...(isPassing(status) && { retry: { afterMs: delayIn(answer) } }) };
}

function contentOf(mediaType: string, body: string | undefined): Exchange['result'] {
  if (body === '') return { text: '[No content.]', isError: false };
  if (mediaType !== '' && !READABLE.test(mediaType))
    return { text: `answered with '${mediaType.slice(0, 100)}', which is not text.`, isError: true };
  return body === undefined
    ? { text: 'answered with bytes that are not text.', isError: true }
    : { text: body, isError: false };
}

function refusalOf(status: number, body: string | undefined): Exchange['result'] {
  if (status >= 300 && status < 400)
    return { text: `redirected (${status}). Redirects are not followed.`, isError: true };
  const said = body?.trim().slice(0, ERROR_CHARACTERS_MAX).toWellFormed();
  return { text: said ? `answered ${status}: ${said}` : `answered ${status}.`, isError: true };
}

const isPassing = (status: number): boolean => status === 429 || status >= 500;

/** The time in `Retry-After`; 0 without it. */
const delayIn = (answer: Dispatcher.ResponseData): number =>
  Math.min(retryAfterMsOf(headerOf(answer, 'retry-after')) ?? 0, RETRY_AFTER_MS_MAX);

/** A header of an answer; the first one, where it came more than once. */
export function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

// Describes what a publisher can fix, without details of this network.
function brokenBy(error: unknown): Exchange {
  if (error instanceof AddressRefused) return failed('has no public https address.');
  if (error instanceof AnswerTooLong) return failed(TOO_LONG);
  const { code = '' } = error as { code?: string };
  if (code === 'ENOTFOUND') return failed('has a host name that does not exist.');
  if (/CERT|TLS|SSL|SELF_SIGNED/.test(code)) return failed(`has a certificate that is not valid (${code}).`);
  const text =
    code === 'ECONNREFUSED' ? 'refused the connection.' : 'broke off the connection, or could not be reached.';
  return { ...failed(text), retry: { afterMs: 0 } };
}
