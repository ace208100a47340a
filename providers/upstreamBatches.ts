import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isObject } from '../base/json.ts';
import { tracedConnections } from '../base/tracedDispatch.ts';
import type { UpstreamConfig } from './config.ts';
import { createOpenedUpstreams } from './openedUpstreams.ts';
import { BodyCollector } from './openai/bodyCollector.ts';
import { faultOfStatus, faultOfTransport, parsePayload } from './openai/faults.ts';
import { ProviderError, type Json } from './provider.ts';
import { Pool } from './undici.ts';
import { optionsOf, type UpstreamCatalog, type UpstreamOptions } from './upstreamOptions.ts';

const ANSWER_BYTES_MAX = 1024 * 1024;
const LIST_MAX = 100;
const OVER = new Set(['completed', 'failed', 'expired', 'cancelled']);

/** The state of a batch at an upstream. After its end, its file has the answers. */
export interface UpstreamBatch {
  id: string;
  isOver: boolean;
  outputFileId: string | null;
}

/** The batches of an upstream, in OpenAI's form. All calls throw `ProviderError`; its `status` is the upstream's, if it answered. */
export type BatchesOfUpstream = ReturnType<typeof openBatches>;
export type UpstreamBatches = ReturnType<typeof createUpstreamBatches>;

/** The batches of the catalogue's upstreams, each with its own connections, opened on first use. */
export function createUpstreamBatches(catalog: UpstreamCatalog, config: UpstreamConfig) {
  const opened = createOpenedUpstreams(catalog, (_, address) => openBatches(optionsOf(address, config)));
  return {
    /** False: the catalogue has lost it. */
    has: opened.has,
    of: (name: string): BatchesOfUpstream => opened.of(name),
    close: async (): Promise<void> => {
      await Promise.all(opened.all().map((batches) => batches.close()));
    },
  };
}

function openBatches({ baseUrl, apiKey, connectTimeoutMs, answerTimeoutMs, idleTimeoutMs }: UpstreamOptions) {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const limits = { connectTimeout: connectTimeoutMs, bodyTimeout: idleTimeoutMs, allowH2: false };
  const pool = tracedConnections(new Pool(origin, limits), origin);
  const authorization = apiKey === undefined ? undefined : { authorization: `Bearer ${apiKey}` };

  async function send(
    method: Dispatcher.HttpMethod,
    path: string,
    { headers, body }: { headers?: Record<string, string>; body?: string | Readable } = {},
  ): Promise<Dispatcher.ResponseData> {
    const order = { method, path: `${prefix}/${path}`, headers: { ...authorization, ...headers }, body };
    const answer = await pool.request({ ...order, headersTimeout: answerTimeoutMs }).catch((error: unknown) => {
      throw faultOfTransport(error, false);
    });
    if (answer.statusCode === 200) return answer;
    const text = await textOf(answer.body);
    throw faultOfStatus(answer.statusCode, answer.headers, text);
  }

  async function ask(...order: Parameters<typeof send>): Promise<Json> {
    const { body } = await send(...order);
    return parsePayload(await textOf(body));
  }

  /** Uploads calls as a file of a known size. Returns its id. */
  async function upload(calls: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<string> {
    const boundary = `batch-${randomUUID()}`;
    const [head, tail] = [headOf(boundary), Buffer.from(`\r\n--${boundary}--\r\n`)];
    const headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + sizeBytes + tail.length),
    };
    const parts = async function* () {
      yield head;
      yield* calls;
      yield tail;
    };
    return idIn(await ask('POST', 'files', { headers, body: Readable.from(parts(), { objectMode: false }) }));
  }

  /** Starts a batch of an uploaded file. `reference` finds it again. */
  async function create(order: { fileId: string; endpoint: string; reference: string }): Promise<UpstreamBatch> {
    const { fileId, endpoint, reference } = order;
    const metadata = { reference };
    const body = { input_file_id: fileId, endpoint, completion_window: '24h', metadata };
    const headers = { 'content-type': 'application/json', 'idempotency-key': reference };
    return batchIn(await ask('POST', 'batches', { headers, body: JSON.stringify(body) }));
  }

  /** The batch started with this reference, if it is among the last hundred. */
  async function find(reference: string): Promise<UpstreamBatch | undefined> {
    const { data } = await ask('GET', `batches?limit=${LIST_MAX}`);
    const all = (Array.isArray(data) ? data : []) as Json[];
    const found = all.find(({ metadata }) => isObject(metadata) && metadata.reference === reference);
    return found && batchIn(found);
  }

  const retrieve = async (id: string): Promise<UpstreamBatch> => batchIn(await ask('GET', `batches/${id}`));

  const cancel = async (id: string): Promise<void> => void (await ask('POST', `batches/${id}/cancel`));

  /** The bytes of a file. */
  async function* read(fileId: string): AsyncGenerator<Uint8Array> {
    const { body } = await send('GET', `files/${fileId}/content`);
    try {
      for await (const bytes of body) yield bytes as Uint8Array;
    } catch (error) {
      throw faultOfTransport(error, true);
    }
  }

  const remove = async (fileId: string): Promise<void> => void (await ask('DELETE', `files/${fileId}`));

  return { upload, create, find, retrieve, cancel, read, remove, close: () => pool.destroy() };
}

function headOf(boundary: string): Buffer {
  const field = (name: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n`;
  return Buffer.from(
    `${field('purpose')}\r\nbatch\r\n${field('file', '; filename="calls.jsonl"')}content-type: application/jsonl\r\n\r\n`,
  );
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const collected = new BodyCollector(ANSWER_BYTES_MAX);
  try {
    for await (const chunk of body) collected.push(chunk);
  } catch (error) {
    throw faultOfTransport(error, true);
  }
  return collected.text();
}

// Ids become parts of URLs.
const ID = /^[\w.-]{1,200}$/;

function idIn({ id }: Json): string {
  if (typeof id === 'string' && ID.test(id)) return id;
  throw new ProviderError('failed', 'the upstream answered without an id');
}

function batchIn(answer: Json): UpstreamBatch {
  const { status, output_file_id: output } = answer;
  if (typeof status !== 'string')
    throw new ProviderError('failed', 'the upstream answered without the status of a batch');
  const hasOutput = output !== null && output !== undefined;
  return { id: idIn(answer), isOver: OVER.has(status), outputFileId: hasOutput ? idIn({ id: output }) : null };
}
