import type { Dispatcher, Pool } from 'undici';
import { createKeptConnections } from './keptConnections.ts';
import type { CallSignal, Json, TextPath, TextProvider } from './provider.ts';
import type { UpstreamOptions } from './upstreamOptions.ts';
import { AnswerReader } from './openai/answerReader.ts';
import { StreamReader } from './openai/streamReader.ts';

type ReaderOf<T> = new (
  signal: CallSignal,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
) => Dispatcher.DispatchHandler;

/**
 * An OpenAI-compatible upstream over HTTP/1.1 or TLS. Both calls reject with `ProviderError`, or with the signal's own reason once it is
 * aborted; an abort closes the upstream's socket at once and leaves the other connections alone. `close` closes all connections, those in
 * use included.
 */
export function createOpenAiProvider(options: UpstreamOptions): TextProvider & { close(): Promise<void> } {
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const headers = headersOf(options.apiKey);
  const connections = createKeptConnections(origin, {
    connections: options.connectionsMax,
    connectTimeout: options.connectTimeoutMs,
    bodyTimeout: options.idleTimeoutMs,
    allowH2: false,
  });
  const send = (pool: Pool, path: TextPath, body: Json, headersTimeout: number, handler: Dispatcher.DispatchHandler) =>
    pool.dispatch(
      {
        path: `${prefix}/${path}`,
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        blocking: false,
        headersTimeout,
      },
      handler,
    );

  /** Makes calls of one kind: a reader receives the answer and settles the call. */
  const caller =
    <T>(headersTimeout: number, Reader: ReaderOf<T>) =>
    (path: TextPath, body: Json, signal: CallSignal): Promise<T> =>
      connections.call(
        (pool) =>
          new Promise((resolve, reject) => {
            if (signal.aborted) reject(signal.reason);
            else send(pool, path, body, headersTimeout, new Reader(signal, resolve, reject));
          }),
      );

  return {
    answer: caller(options.answerTimeoutMs, AnswerReader),
    stream: caller(options.firstByteTimeoutMs ?? options.idleTimeoutMs, StreamReader),
    close: connections.close,
  };
}

function headersOf(apiKey: string | undefined): string[] {
  const headers = ['content-type', 'application/json'];
  return apiKey === undefined ? headers : [...headers, 'authorization', `Bearer ${apiKey}`];
}
