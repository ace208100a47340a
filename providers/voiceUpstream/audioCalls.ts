import { isObject } from '../../base/json.ts';
import { MIB } from '../../base/limits.ts';
import type { Dispatcher, FormData, Pool } from 'undici';
import { createKeptConnections } from '../keptConnections.ts';
import { linkedSignal } from '../callAbort.ts';
import { BodyCollector } from '../openai/bodyCollector.ts';
import { faultOfStatus, faultOfTransport, lateEnd } from '../openai/faults.ts';
import { ProviderError } from '../provider.ts';
import type { CallSignal, Json } from '../provider.ts';
import { isForm } from '../undici.ts';
import type { UpstreamOptions } from '../upstreamOptions.ts';
import { StreamLimit } from './streamLimit.ts';

interface Call {
  method: 'POST' | 'DELETE';
  path: string;
  body?: Json | FormData;
  /** The answer is streamed: its first bytes may have a separate timeout. */
  isStreamed?: true;
}

const ERROR_BYTES_MAX = 64 * 1024;
const JSON_BYTES_MAX = 64 * MIB;

export type AudioCalls = ReturnType<typeof createAudioCalls>;

/** Calls with or about audio: one connection pool, and this folder's errors. */
export function createAudioCalls(options: UpstreamOptions, headers: Record<string, string>) {
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const { firstByteTimeoutMs, answerTimeoutMs } = options;
  const connections = createKeptConnections(origin, {
    connections: options.connectionsMax,
    connectTimeout: options.connectTimeoutMs,
    bodyTimeout: options.idleTimeoutMs,
  });

  function send(
    pool: Pool,
    { method, path, body, isStreamed }: Call,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const content =
      body === undefined || isForm(body)
        ? { headers, body }
        : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const headersTimeout = (isStreamed && firstByteTimeoutMs) || answerTimeoutMs;
    return pool
      .request({ path: `${prefix}/${path}`, method, signal, headersTimeout, ...content })
      .catch((error: unknown) => {
        throw faultOfTransport(error, false);
      });
  }

  /** The answer's bytes as they arrive. An abort, or a reader that stops, closes the upstream's socket. */
  async function* answerOf(call: Call, signal: CallSignal): AsyncGenerator<Buffer> {
    if (signal.aborted) throw signal.reason;
    const link = linkedSignal(signal);
    let hasStarted = false;
    let waiting: NodeJS.Timeout | undefined;
    let whole: NodeJS.Timeout | undefined;
    let limit: StreamLimit | undefined;
    try {
      const answer = await connections.call((pool) => send(pool, call, link.signal));
      // An answer that trickles in would hold its connection and its money.
      if (call.isStreamed) limit = new StreamLimit(answerTimeoutMs, () => link.end(lateEnd()));
      else whole = setTimeout(link.end, answerTimeoutMs, lateEnd());
      if (answer.statusCode !== 200) {
        throw faultOfStatus(answer.statusCode, answer.headers, await beginningOf(answer.body));
      }
      hasStarted = true;
      if (call.isStreamed && firstByteTimeoutMs) waiting = setTimeout(link.end, firstByteTimeoutMs, lateStart());
      for await (const bytes of answer.body as AsyncIterable<Buffer>) {
        clearTimeout(waiting);
        limit?.pause(bytes.length);
        yield bytes;
        limit?.resume();
      }
    } catch (error) {
      throw signal.aborted ? signal.reason : faultOfTransport(error, hasStarted);
    } finally {
      clearTimeout(waiting);
      clearTimeout(whole);
      limit?.stop();
      link.release();
    }
  }

  return {
    /** An answer that is useful only as a whole. */
    post: (path: string, body: Json | FormData, signal: CallSignal) => answerOf({ method: 'POST', path, body }, signal),
    /** An answer that is used as it arrives. */
    stream: (path: string, body: Json | FormData, signal: CallSignal) =>
      answerOf({ method: 'POST', path, body, isStreamed: true }, signal),
    remove: (path: string, signal: CallSignal) => answerOf({ method: 'DELETE', path }, signal),
    close: connections.close,
  };
}

const lateStart = () => new ProviderError('stalled', 'the upstream sent no sound within its time for the first');

/** A whole answer that must be a JSON object of at most 64 MiB. */
export async function jsonOf(bytes: AsyncIterable<Buffer>): Promise<Json> {
  const body = new BodyCollector(JSON_BYTES_MAX);
  for await (const chunk of bytes) body.push(chunk);
  return parseObject(body.text());
}

/** @throws ProviderError (failed) for anything but one JSON object. */
export function parseObject(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below, like any other text that is not JSON.
  }
  throw new ProviderError('failed', 'the upstream sent something that is not a JSON object');
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= ERROR_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).toString();
}
