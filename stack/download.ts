import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Told, in words, how far something long has come. */
export type Progress = (text: string) => void;

const connectTimeoutMs = 15_000;
const reportEveryMs = 1_000;

/**
 * Fetches a file and says how far it is.
 * @throws when the host cannot be reached, answers with an error, or breaks off.
 */
export async function download(url: string, path: string, onProgress: Progress): Promise<void> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error('no answer')), connectTimeoutMs);
  const response = await fetch(url, { signal: abort.signal }).finally(() => clearTimeout(timer));
  if (!response.ok || !response.body) throw new Error(`${url} answered with status ${response.status}`);
  const totalBytes = Number(response.headers.get('content-length') ?? 0);
  const body = Readable.fromWeb(response.body);
  await pipeline(
    body,
    (chunks: AsyncIterable<Uint8Array>) => counted(chunks, totalBytes, onProgress),
    createWriteStream(path),
  );
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
