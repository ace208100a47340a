import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Told, in words, how far something long has come. */
export type Progress = (text: string) => void;

const connectTimeoutMs = 15_000;
const reportEveryMs = 1_000;

export type DownloadOptions = { url: string; path: string; onProgress: Progress; signal?: AbortSignal };

/**
 * Fetches a file and says how far it is.
 * @throws when the host cannot be reached, answers with an error, or breaks off.
 */
export async function download({ url, path, onProgress, signal }: DownloadOptions): Promise<void> {
  const response = await connect(url, signal);
  if (!response.ok || !response.body) throw new Error(`${url} answered with status ${response.status}`);
  const totalBytes = Number(response.headers.get('content-length') ?? 0);
  const count = (chunks: AsyncIterable<Uint8Array>) => counted(chunks, totalBytes, onProgress);
  await pipeline(Readable.fromWeb(response.body), count, createWriteStream(path));
}

/** Only the connection is limited in time: the download itself may take as long as the line needs. */
async function connect(url: string, signal?: AbortSignal): Promise<Response> {
  const connecting = new AbortController();
  const timer = setTimeout(() => connecting.abort(new Error('no answer')), connectTimeoutMs);
  const signals = signal ? [signal, connecting.signal] : [connecting.signal];
  return fetch(url, { signal: AbortSignal.any(signals) }).finally(() => clearTimeout(timer));
}

async function* counted(chunks: AsyncIterable<Uint8Array>, totalBytes: number, onProgress: Progress) {
  let bytes = 0;
  let reportedAt = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (Date.now() - reportedAt > reportEveryMs || bytes === totalBytes) {
      reportedAt = Date.now();
      onProgress(describe(bytes, totalBytes));
    }
    yield chunk;
  }
}

function describe(bytes: number, totalBytes: number): string {
  const megabytes = `${(bytes / 1e6).toFixed(1)} MB`;
  return totalBytes ? `${Math.floor((bytes / totalBytes) * 100)} %, ${megabytes}` : megabytes;
}
