import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { bodyTooLarge, invalidRequest, requestTimeout, unsupportedMediaType } from '../errors/requestErrors.ts';
import type { Context, Guard } from '../context.ts';
import { isTooDeep, JSON_DEPTH_MAX } from './jsonDepth.ts';

const JSON_BYTES_MAX = 4 * 1024 * 1024;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Reads a JSON body and parses it with the route's own check, which throws what the caller is to see. */
export function body(parse: (value: unknown) => unknown): Guard {
  return input((bytes) => parse(parseJson(bytes)));
}

/** The same for a route that needs no body: without one, the check is given an empty object. */
export function optionalBody(parse: (value: unknown) => unknown): Guard {
  return input((bytes) => parse(bytes.length === 0 ? {} : parseJson(bytes)));
}

function input(read: (bytes: Buffer) => unknown): Guard {
  return async (ctx, next) => {
    ctx.state.input = read(await readJsonBytes(ctx));
    return next();
  };
}

async function readJsonBytes({ req, state }: Context): Promise<Buffer> {
  checkType(req.headers['content-type']);
  const inflated = isGzip(req.headers['content-encoding']) ? inflate(req) : undefined;
  try {
    const bytes = await collect(inflated ?? req);
    state.bodyBytes = bytes.length;
    return bytes;
  } catch (error) {
    // The rest is read and dropped: a client that still sends would not read the answer, and its connection could not go on.
    if (inflated) req.unpipe(inflated.destroy());
    req.resume();
    throw explain(error as { code?: string });
  }
}

// Without a type a body is taken for JSON, which is checked anyway.
function checkType(type: string | undefined): void {
  if (type === undefined || type === 'application/json' || JSON_TYPE.test(type)) return;
  throw unsupportedMediaType('The body must be JSON in UTF-8: send "content-type: application/json".');
}

// The names of encodings have no case.
function isGzip(sent = 'identity'): boolean {
  const encoding = sent.toLowerCase();
  if (encoding === 'identity' || encoding === 'gzip') return encoding === 'gzip';
  throw unsupportedMediaType(`Content encoding "${sent}" is not supported; use gzip or none.`);
}

function inflate(req: IncomingMessage): Gunzip {
  const gunzip = createGunzip();
  // A pipe does not tell that its source broke off, and least of all before it was laid.
  if (req.destroyed) return gunzip.destroy();
  req.once('error', (error) => gunzip.destroy(error));
  return req.pipe(gunzip);
}

// Almost every body is one read: then nothing is joined or copied.
function collect(source: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const fail = (error: unknown) => {
      source.off('data', take);
      reject(error);
    };
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > JSON_BYTES_MAX) fail(bodyTooLarge(JSON_BYTES_MAX));
      else chunks.push(chunk);
    };
    source.on('data', take);
    source.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    source.on('error', fail);
    // Broken off before anybody listened, or without an error: then there is nothing more to wait for.
    if (source.destroyed) fail(requestTimeout());
    source.on('close', () => source.readableEnded || fail(requestTimeout()));
  });
}

function explain(error: { code?: string }): Error {
  if (error.code === 'ECONNRESET') return requestTimeout();
  if (error.code?.startsWith('Z_')) return invalidRequest('invalid_body', 'The body is not valid gzip.');
  return error as Error;
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalidRequest('invalid_body', 'The body is not valid UTF-8.');
  if (isTooDeep(bytes))
    throw invalidRequest('invalid_body', `The body is nested more than ${JSON_DEPTH_MAX} levels deep.`);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw invalidRequest('invalid_body', 'The body is not valid JSON.');
  }
}
