import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Called with the progress of a long operation, as text. */
export type Progress = (text: string) => void;

const CONNECT_TIMEOUT_MS = 15_000;
const REPORT_EVERY_MS = 1_000;

type DownloadOptions = {
  url: string;
  path: string;
  /** The file's checksum, in hexadecimal. */
  sha256: string;
  onProgress: Progress;
  signal?: AbortSignal;
};

/**
 * Fetches a file and reports its progress.
 * @throws when the host cannot be reached, answers with an error, or breaks off; and when the checksum differs, which deletes the file.
 */
export async function download({ url, path, sha256, onProgress, signal }: DownloadOptions): Promise<void> {
  const response = await connect(url, signal);
  if (!response.ok || !response.body) throw new Error(`${url} answered with status ${response.status}`);
  const totalBytes = Number(response.headers.get('content-length') ?? 0);
  const hash = createHash('sha256');
  const read = (chunks: AsyncIterable<Uint8Array>) => hashed(counted(chunks, totalBytes, onProgress), hash);
  await pipeline(Readable.fromWeb(response.body), read, createWriteStream(path));
  const found = hash.digest('hex');
  if (found === sha256) return;
  await rm(path);
  throw new Error(`${url} has the SHA-256 ${found}, not ${sha256}: it was deleted`);
}

/** Only connecting has a timeout: the download itself may take as long as it needs. */
async function connect(url: string, signal?: AbortSignal): Promise<Response> {
  const connecting = new AbortController();
  const timer = setTimeout(() => connecting.abort(new Error('no answer')), CONNECT_TIMEOUT_MS);
  const signals = signal ? [signal, connecting.signal] : [connecting.signal];
  try {
    return await fetch(url, { signal: AbortSignal.any(signals) });
  } catch (error) {
    signal?.throwIfAborted();
    const { cause = error } = error as Error;
    throw new Error(`${new URL(url).host} could not be reached (${(cause as Error).message})`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash) {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function* counted(chunks: AsyncIterable<Uint8Array>, totalBytes: number, onProgress: Progress) {
  let bytes = 0;
  let reportedAt = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (Date.now() - reportedAt > REPORT_EVERY_MS || bytes === totalBytes) {
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
