import type { Pool } from 'undici';
import { createKeptConnections } from './keptConnections.ts';
import type { CallSignal, Json, TextPath, TextProvider } from './provider.ts';
import { namingLimit, type UpstreamOptions } from './upstreamOptions.ts';
import { AnswerReader, inputsIn, withChoices, withVectors } from './openai/answerReader.ts';
import type { CallReader } from './openai/callReader.ts';
import { SilenceWatch, type SilenceLimits } from './openai/silenceWatch.ts';
import { StreamReader } from './openai/streamReader.ts';

type ReaderOf<T> = new (
  signal: CallSignal,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
) => CallReader;

/**
 * An OpenAI-compatible upstream over HTTP/1.1 or TLS. Both calls reject with `ProviderError`, or with the signal's own reason once it is
 * aborted; an abort closes the upstream's socket at once and leaves the other connections alone. `close` closes all connections, those in
 * use included.
 */
export function createOpenAiProvider(options: UpstreamOptions): TextProvider & { close(): Promise<void> } {
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const headers = headersOf(options.apiKey);
  const { connectionsMax: connections, connectTimeoutMs: connectTimeout, idleTimeoutMs: idleMs } = options;
  // The limits of silence are watched here.
  const unwatched = { headersTimeout: 0, bodyTimeout: 0 };
  const kept = createKeptConnections(origin, { connections, connectTimeout, ...unwatched, allowH2: false });
  const silence = new SilenceWatch();
  const send = (pool: Pool, path: TextPath, body: Json, reader: CallReader) =>
    pool.dispatch(
      {
        path: `${prefix}/${path}`,
        method: 'POST',
        headers,
        body: JSON.stringify(namingLimit(body, options.outputLimit)),
        blocking: false,
      },
      reader,
    );

  /** Makes calls of one kind: a reader receives the answer and settles the call. */
  const caller =
    <T>(limits: SilenceLimits, Reader: ReaderOf<T>) =>
    (path: TextPath, body: Json, signal: CallSignal): Promise<T> =>
      kept.call(
        (pool) =>
          new Promise((resolve, reject) => {
            if (signal.aborted) reject(signal.reason);
            else send(pool, path, body, new Reader(signal, resolve, reject).limit(silence, limits));
          }),
      );

  const answer = caller({ headMs: options.answerTimeoutMs, idleMs, bodyMs: options.answerTimeoutMs }, AnswerReader);

  function vectors(body: Json, signal: CallSignal): Promise<Json> {
    const inputs = inputsIn(body);
    return answer('embeddings', body, signal).then((found) => withVectors(found, inputs));
  }

  return {
    answer: (path, body, signal) =>
      path === 'embeddings' ? vectors(body, signal) : answer(path, body, signal).then(withChoices),
    stream: caller({ headMs: options.firstByteTimeoutMs ?? idleMs, idleMs }, StreamReader),
    close: kept.close,
  };
}

function headersOf(apiKey: string | undefined): string[] {
  const headers = ['content-type', 'application/json'];
  return apiKey === undefined ? headers : [...headers, 'authorization', `Bearer ${apiKey}`];
}
