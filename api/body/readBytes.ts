import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, type Gunzip } from 'node:zlib';
import { bodyTooLarge, requestTimeout, unsupportedMediaType } from '../errors/requestErrors.ts';
import { spoolFile } from './spoolFile.ts';
import { enforceUploadRate } from './uploadRate.ts';

// Larger bodies are stored on disk while they arrive and wait to be parsed.
const MEMORY_BYTES_MAX = 1024 * 1024;
// Limits the ratio of a compressed body: deflate reaches a thousand to one. Images and audio, the large parts, are compressed already.
export const INFLATED_BYTES_MAX = 4 * 1024 * 1024;

/** A body that has arrived completely, in memory or on disk. `drop` releases it. */
export interface ArrivedBody {
  sizeBytes: number;
  bytes(): Buffer | Promise<Buffer>;
  drop(): void;
}

/**
 * Reads a request's body, inflated when it is compressed. The README says under "Packages" why `koa-body` is not used. Throws 413
 * `request_too_large`, 415 for an encoding other than gzip, 408 for a sender that disconnected or is too slow, and the error that `badGzip`
 * creates.
 */
export async function readBytes(req: IncomingMessage, bytesMax: number, badGzip: () => Error): Promise<ArrivedBody> {
  const isCompressed = isGzip(req.headers['content-encoding']);
  // A body whose declared length is too large is not read.
  if (!isCompressed && Number(req.headers['content-length']) > bytesMax) {
    req.resume();
    throw bodyTooLarge(bytesMax);
  }
  const inflated = isCompressed ? inflate(req) : undefined;
  try {
    return await collect(inflated ?? req, req, isCompressed ? Math.min(bytesMax, INFLATED_BYTES_MAX) : bytesMax);
  } catch (error) {
    // Reads and drops the rest: a client that still sends would not read the answer, and the connection could not be reused.
    if (inflated) req.unpipe(inflated.destroy());
    req.resume();
    throw explain(error as { code?: string }, badGzip);
  }
}

// Encoding names are case-insensitive.
function isGzip(sent = 'identity'): boolean {
  const encoding = sent.toLowerCase();
  if (encoding === 'identity' || encoding === 'gzip') return encoding === 'gzip';
  throw unsupportedMediaType(`Content encoding "${sent}" is not supported; use gzip or none.`);
}

function inflate(req: IncomingMessage): Gunzip {
  const gunzip = createGunzip();
  // A pipe does not report that its source ended early.
  if (req.destroyed) return gunzip.destroy();
  req.once('error', (error) => gunzip.destroy(error));
  return req.pipe(gunzip);
}

// Almost every body arrives in one read: then nothing is joined or copied.
function collect(source: Readable, req: IncomingMessage, bytesMax: number): Promise<ArrivedBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const stop = () => source.off('data', take).off('end', end).off('error', fail).off('close', close);
    const fail = (error: unknown) => {
      stop();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      sizeBytes += chunk.length;
      chunks.push(chunk);
      if (sizeBytes > bytesMax) fail(bodyTooLarge(bytesMax));
      else if (sizeBytes > MEMORY_BYTES_MAX) {
        source.pause();
        stop();
        resolve(spool(chunks, source, req, bytesMax));
      }
    };
    const end = () => resolve(inMemory(chunks, sizeBytes));
    const close = () => source.readableEnded || fail(requestTimeout());
    source.on('data', take).on('end', end).on('error', fail).on('close', close);
    // The request ended early before the listeners were attached, or without an error.
    if (source.destroyed) fail(requestTimeout());
  });
}

function inMemory(chunks: Buffer[], sizeBytes: number): ArrivedBody {
  return { sizeBytes, bytes: () => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)), drop: () => {} };
}

/** Writes the body to disk. A large body may take long, as long as its sender keeps the least upload rate. */
async function spool(chunks: Buffer[], source: Readable, req: IncomingMessage, bytesMax: number): Promise<ArrivedBody> {
  const stopWatching = enforceUploadRate(req, () => source.destroy(requestTimeout()));
  try {
    const file = await spoolFile(allOf(chunks, source, bytesMax), bytesMax, 'ledgerline-bodies');
    return { sizeBytes: file.sizeBytes, bytes: () => buffer(file.read()), drop: () => void file.drop() };
  } finally {
    stopWatching();
  }
}

async function* allOf(chunks: Buffer[], source: Readable, bytesMax: number): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for (const chunk of chunks.splice(0)) {
    sizeBytes += chunk.length;
    yield chunk;
  }
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > bytesMax) throw bodyTooLarge(bytesMax);
    yield chunk;
  }
}

function explain(error: { code?: string }, badGzip: () => Error): Error {
  if (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return requestTimeout();
  return error.code?.startsWith('Z_') ? badGzip() : (error as Error);
}
