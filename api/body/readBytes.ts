import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { bodyTooLarge, requestTimeout, unsupportedEncoding } from '../../base/errors/requestErrors.ts';
import { spoolFile } from '../../calls/sound/spoolFile.ts';
import { enforceUploadRate } from './uploadRate.ts';

// Larger bodies are stored on disk while they arrive and wait to be parsed.
const MEMORY_BYTES_MAX = 1024 * 1024;
/**
 * The content encodings of a body. The sender chooses the window size, which takes memory: zstd may use the window of its default levels at
 * most.
 */
const DECODERS = {
  gzip: () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
};

type Decoder = ReturnType<(typeof DECODERS)[keyof typeof DECODERS]>;

type OnLarge = () => Promise<() => void>;

interface Arriving {
  req: IncomingMessage;
  bytesMax: number;
  onLarge: OnLarge;
}

/** A body that has arrived completely, in memory or on disk. `drop` releases it. */
export interface ArrivedBody {
  sizeBytes: number;
  bytes(): Buffer | Promise<Buffer>;
  drop(): void;
}

/**
 * Reads a request's body and inflates it if compressed. `onLarge` is called before more than the first MiB is read, or before any of it
 * when its length is declared; the function it resolves to is called when the body has arrived. docs/decisions/0001 says why `koa-body` is
 * not used. The limit applies to the inflated bytes. Throws 413 `request_too_large`, 415 for an encoding other than gzip, br and zstd, 408
 * for a sender that disconnected or is too slow, and the error that `undecodable` creates.
 */
export async function readBytes(
  req: IncomingMessage,
  bytesMax: number,
  undecodable: (encoding: string) => Error,
  onLarge: OnLarge = async () => () => {},
): Promise<ArrivedBody> {
  const encoding = encodingOf(req.headers['content-encoding']);
  const declaredBytes = Number(req.headers['content-length'] ?? 0);
  // Not read, so that a client which waits for `100 Continue` does not send it. Node drops what comes after the answer.
  if (declaredBytes > bytesMax) throw bodyTooLarge(bytesMax);
  const inflated = encoding && inflate(req, encoding);
  try {
    if (!encoding && declaredBytes > MEMORY_BYTES_MAX) return await spool([], req, { req, bytesMax, onLarge });
    return await collect(inflated ?? req, { req, bytesMax, onLarge });
  } catch (error) {
    // Reads and drops the rest: a client that still sends would not read the answer, and the connection could not be reused.
    if (inflated) req.unpipe(inflated.destroy());
    req.resume();
    throw explain(error as Error & { code?: string }, encoding && (() => undecodable(encoding)));
  }
}

// Names are case-insensitive, and `x-gzip` is an alias (RFC 9110, 8.4.1.3).
function encodingOf(sent = 'identity'): keyof typeof DECODERS | undefined {
  const encoding = sent.toLowerCase().replace(/^x-gzip$/, 'gzip');
  if (encoding === 'identity') return undefined;
  if (Object.hasOwn(DECODERS, encoding)) return encoding as keyof typeof DECODERS;
  const message = `Content encoding "${sent}" is not supported; use gzip, br, zstd or none.`;
  throw unsupportedEncoding(message, Object.keys(DECODERS).join(', '));
}

function inflate(req: IncomingMessage, encoding: keyof typeof DECODERS): Decoder {
  const decoder = DECODERS[encoding]();
  // A pipe does not report that its source ended early.
  if (req.destroyed) return decoder.destroy();
  req.once('error', (error) => decoder.destroy(error));
  return req.pipe(decoder);
}

// Almost every body arrives in one read: then no bytes are joined or copied.
function collect(source: Readable, arriving: Arriving): Promise<ArrivedBody> {
  const { bytesMax } = arriving;
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
        resolve(spool(chunks, source, arriving));
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

/** Writes the body to disk. A large body may take as long as its sender keeps the minimum upload rate. */
async function spool(chunks: Buffer[], source: Readable, { req, bytesMax, onLarge }: Arriving): Promise<ArrivedBody> {
  const stopWatching = enforceUploadRate(req, () => source.destroy(requestTimeout()));
  // No other listener exists while the body waits.
  source.on('error', () => {});
  let hasArrived = () => {};
  try {
    hasArrived = await onLarge();
    const file = await spoolFile(allOf(chunks, source, bytesMax), bytesMax, 'ledgerline-bodies');
    return { sizeBytes: file.sizeBytes, bytes: () => buffer(file.read()), drop: () => void file.drop() };
  } finally {
    hasArrived();
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

// Error codes of decoders: `Z_BUF_ERROR`, `ERR__ERROR_FORMAT_…` of brotli, `ZSTD_error_…`.
const OF_DECODER = /^(Z_|ZSTD_|ERR__|ERR_BROTLI)/;

function explain(error: Error & { code?: string }, undecodable: (() => Error) | undefined): Error {
  const { code = '' } = error;
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return requestTimeout();
  return undecodable && OF_DECODER.test(code) ? undecodable() : error;
}
