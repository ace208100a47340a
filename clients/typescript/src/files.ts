import type { Context } from './context.ts';
import { APIConnectionError, APIError, LedgerlineError } from './errors.ts';
import { chunksOf, sleep } from './http.ts';
import type { Schemas } from './types.ts';

/** A file, some bytes, or a stream of bytes. A stream is read to its end first, because its size must be known. */
export type FileSource = Blob | Uint8Array | AsyncIterable<Uint8Array>;

type Bytes = Uint8Array<ArrayBuffer>;
export type OnProgress = (progress: { doneBytes: number; totalBytes: number }) => void;

export interface UploadOptions {
  /** Its name; that of a `File` when left out. The name helps to find the type. */
  filename?: string;
  /** `agent_input` when left out. */
  purpose?: Schemas['FileForm']['purpose'];
  expiresAfterSeconds?: number;
  signal?: AbortSignal;
  /** Large files are sent in parts of 8 MiB: it is called after each of them. */
  onProgress?: OnProgress;
}

export interface DownloadOptions {
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

const PART_BYTES = 8 * 1024 * 1024;
const IDLE_TIMEOUT_MS = 60_000;
const FAILURES_MAX = 5;

export class Files {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Uploads a file: `await client.files.upload(new File(['a,b'], 'table.csv'))`. */
  async upload(source: FileSource, options: UploadOptions = {}): Promise<Schemas['File']> {
    const { filename = (source as Partial<File>).name, purpose = 'agent_input', signal, onProgress } = options;
    if (!filename) throw new LedgerlineError('The file needs a name: give `filename`, or a `File`.');
    const blob =
      source instanceof Blob
        ? source
        : new Blob(source instanceof Uint8Array ? [source as Bytes] : await allOf(source));
    onProgress?.({ doneBytes: 0, totalBytes: blob.size });
    if (blob.size > PART_BYTES) return this.#uploadParts(blob, { ...options, filename, purpose });
    const { expiresAfterSeconds: seconds } = options;
    const expiry = seconds && { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': String(seconds) };
    const file = (await this.#send(
      '/v1/files',
      { purpose, ...expiry, file: new File([blob], filename) },
      signal,
    )) as Schemas['File'];
    onProgress?.({ doneBytes: blob.size, totalBytes: blob.size });
    return file;
  }

  async #uploadParts(
    blob: Blob,
    options: UploadOptions & { filename: string; purpose: Schemas['FileForm']['purpose'] },
  ) {
    const { filename, purpose, expiresAfterSeconds: seconds, signal, onProgress } = options;
    const { api } = this.#context;
    const order = { filename, purpose, bytes: blob.size, mime_type: blob.type || 'application/octet-stream' };
    const body = { ...order, ...(seconds && { expires_after: { anchor: 'created_at' as const, seconds } }) };
    const { data: begun } = await api.POST('/v1/uploads', { body, signal });
    const part_ids: string[] = [];
    for (let from = 0; from < blob.size; from += PART_BYTES) {
      const data = new File([blob.slice(from, from + PART_BYTES)], 'part');
      const part = (await this.#send(`/v1/uploads/${begun.id}/parts`, { data }, signal)) as Schemas['UploadPart'];
      part_ids.push(part.id);
      onProgress?.({ doneBytes: Math.min(from + PART_BYTES, blob.size), totalBytes: blob.size });
    }
    const params = { path: { upload_id: begun.id } };
    const { data: ended } = await api.POST('/v1/uploads/{upload_id}/complete', { params, body: { part_ids }, signal });
    // An upload names its file in OpenAI's form.
    return (await api.GET('/v1/files/{file_id}', { params: { path: { file_id: ended.file!.id } }, signal })).data;
  }

  /** Sends a form, made anew for each try from files that can be read again. */
  async #send(path: string, fields: Record<string, string | File>, signal?: AbortSignal): Promise<unknown> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const { baseUrl, send } = this.#context;
    return (await send(() => new Request(baseUrl + path, { method: 'POST', body: form, signal }))).json();
  }

  /** The bytes of a file, across lost connections: `await (await client.files.download(id)).text()`. */
  async download(fileId: string, { signal, onProgress }: DownloadOptions = {}): Promise<Download> {
    const url = `${this.#context.baseUrl}/v1/files/${encodeURIComponent(fileId)}/content`;
    const connect: Connect = (headers) => this.#context.send(() => new Request(url, { headers, signal }));
    return new Download(await connect({}), { fileId, connect, signal, onProgress });
  }
}

type Connect = (headers: Record<string, string>) => Promise<Response>;

/** The bytes of a file, as `for await` gets them, or whole. They can be read once. */
export class Download implements AsyncIterable<Bytes> {
  readonly filename: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly #bytes: AsyncGenerator<Bytes>;

  constructor(first: Response, options: DownloadOptions & { fileId: string; connect: Connect }) {
    const { headers } = first;
    this.filename = nameIn(headers.get('content-disposition') ?? '') ?? options.fileId;
    this.mediaType = headers.get('content-type') ?? '';
    this.sizeBytes = Number(headers.get('content-length'));
    this.#bytes = read(first, { ...options, totalBytes: this.sizeBytes });
  }

  [Symbol.asyncIterator](): AsyncGenerator<Bytes> {
    return this.#bytes;
  }

  async blob(): Promise<Blob> {
    return new Blob(await allOf(this.#bytes), { type: this.mediaType });
  }

  async text(): Promise<string> {
    return (await this.blob()).text();
  }
}

function nameIn(disposition: string): string | undefined {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  const [, quoted, token] = /filename=(?:"((?:\\.|[^"\\])*)"|([^\s;]+))/i.exec(disposition) ?? [];
  return encoded ? decodeURIComponent(encoded) : (quoted?.replace(/\\(.)/g, '$1') ?? token);
}

/** The bytes of an answer, and after a cut the rest of them. */
async function* read(
  first: Response,
  { connect, totalBytes, signal, onProgress }: DownloadOptions & { connect: Connect; totalBytes: number },
): AsyncGenerator<Bytes> {
  let [response, doneBytes] = [first, 0];
  for (let failures = 0; failures < FAILURES_MAX; failures += 1) {
    try {
      if (failures > 0) {
        await sleep(250 * 2 ** failures, signal);
        response = await connect({ range: `bytes=${doneBytes}-`, 'if-range': first.headers.get('etag') ?? '' });
      }
      if (failures > 0 && response.status !== 206) throw new LedgerlineError('The file changed while it was read.');
      for await (const part of chunksOf(response, IDLE_TIMEOUT_MS)) {
        [doneBytes, failures] = [doneBytes + part.byteLength, 0];
        onProgress?.({ doneBytes, totalBytes });
        yield part;
      }
      if (doneBytes >= totalBytes) return;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof APIError || !(error instanceof TypeError || error instanceof APIConnectionError))
        throw error;
    }
  }
  throw new APIConnectionError(`The file was cut ${FAILURES_MAX} times in a row.`);
}

async function allOf(source: AsyncIterable<Uint8Array>): Promise<Bytes[]> {
  const parts: Bytes[] = [];
  for await (const part of source) parts.push(part as Bytes);
  return parts;
}

/** A file of this machine, read as it is sent. For Node, Deno and Bun. */
export async function fileFromPath(path: string): Promise<File> {
  // Not a literal, so that bundlers for browsers leave it out.
  const name = 'node:fs';
  const { openAsBlob } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
    openAsBlob: (path: string) => Promise<Blob>;
  };
  return new File([await openAsBlob(path)], path.split(/[\\/]/).at(-1)!);
}
