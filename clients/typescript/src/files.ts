import type { Context } from './client.ts';
import { APIConnectionError, APIError, LedgerlineError } from './errors.ts';
import { sleep } from './http.ts';
import { chunksOf } from './runStream.ts';
import type { Schemas } from './types.ts';

/** A file, some bytes, or a stream of bytes. A stream is read to its end first, because its size must be known. */
export type FileSource = Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

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

/** The bytes of a file. They can be read once. */
export interface Download extends AsyncIterable<Uint8Array<ArrayBuffer>> {
  filename: string;
  mediaType: string;
  sizeBytes: number;
  blob(): Promise<Blob>;
  text(): Promise<string>;
}

export interface Files {
  /** Uploads a file: `await client.files.upload(new File(['a,b'], 'table.csv'))`. */
  upload(source: FileSource, options?: UploadOptions): Promise<Schemas['File']>;
  /** The bytes of a file, across lost connections: `await (await client.files.download(id)).text()`. */
  download(fileId: string, options?: { signal?: AbortSignal; onProgress?: OnProgress }): Promise<Download>;
}

const PART_BYTES = 8 * 1024 * 1024;
const IDLE_TIMEOUT_MS = 60_000;
const FAILURES_MAX = 5;

export function createFiles(context: Context): Files {
  return {
    upload: (source, options) => upload(context, source, options ?? {}),
    download: (fileId, options) => download(context, fileId, options ?? {}),
  };
}

async function upload(context: Context, source: FileSource, options: UploadOptions): Promise<Schemas['File']> {
  const { onProgress } = options;
  const filename = options.filename ?? (source as Partial<File>).name;
  if (!filename) throw new LedgerlineError('The file needs a name: give `filename`, or a `File`.');
  const blob = await blobOf(source);
  onProgress?.({ doneBytes: 0, totalBytes: blob.size });
  if (blob.size > PART_BYTES) return uploadParts(context, blob, { ...options, filename });
  const { purpose = 'agent_input', expiresAfterSeconds } = options;
  const form = new FormData();
  form.set('purpose', purpose);
  if (expiresAfterSeconds !== undefined) {
    form.set('expires_after[anchor]', 'created_at');
    form.set('expires_after[seconds]', String(expiresAfterSeconds));
  }
  form.set('file', blob, filename);
  const file = (await send(context, '/v1/files', form, options.signal)) as Schemas['File'];
  onProgress?.({ doneBytes: blob.size, totalBytes: blob.size });
  return file;
}

async function blobOf(source: FileSource): Promise<Blob> {
  if (source instanceof Blob) return source;
  if (source instanceof Uint8Array) return new Blob([source as Uint8Array<ArrayBuffer>]);
  return new Blob(await allOf(source as AsyncIterable<Uint8Array<ArrayBuffer>>));
}

async function allOf(source: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of source) parts.push(part);
  return parts;
}

async function uploadParts(context: Context, blob: Blob, options: UploadOptions & { filename: string }) {
  const { filename, purpose = 'agent_input', expiresAfterSeconds: seconds, signal, onProgress } = options;
  const { api } = context;
  const order = { filename, purpose, bytes: blob.size, mime_type: blob.type || 'application/octet-stream' };
  const expiry = seconds === undefined ? {} : { expires_after: { anchor: 'created_at' as const, seconds } };
  const { data: begun } = await api.POST('/v1/uploads', { body: { ...order, ...expiry }, signal });
  const part_ids: string[] = [];
  for (let from = 0; from < blob.size; from += PART_BYTES) {
    const form = new FormData();
    form.set('data', blob.slice(from, from + PART_BYTES), 'part');
    const part = (await send(context, `/v1/uploads/${begun.id}/parts`, form, signal)) as Schemas['UploadPart'];
    part_ids.push(part.id);
    onProgress?.({ doneBytes: Math.min(from + PART_BYTES, blob.size), totalBytes: blob.size });
  }
  const params = { path: { upload_id: begun.id } };
  const { data: ended } = await api.POST('/v1/uploads/{upload_id}/complete', { params, body: { part_ids }, signal });
  // An upload names its file in OpenAI's form.
  return (await api.GET('/v1/files/{file_id}', { params: { path: { file_id: ended.file!.id } }, signal })).data;
}

/** Sends a form. It is made anew for each try, from files that can be read again. */
async function send({ baseUrl, send: request }: Context, path: string, body: FormData, signal?: AbortSignal) {
  const response = await request(() => new Request(baseUrl + path, { method: 'POST', body, signal }));
  return response.json() as Promise<unknown>;
}

async function download(
  context: Context,
  fileId: string,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: OnProgress },
): Promise<Download> {
  const url = `${context.baseUrl}/v1/files/${encodeURIComponent(fileId)}/content`;
  const connect = (headers: Record<string, string>) => context.send(() => new Request(url, { headers, signal }));
  const first = await connect({});
  const { headers } = first;
  const totalBytes = Number(headers.get('content-length'));
  const mediaType = headers.get('content-type') ?? '';

  async function* bytes(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    let [response, doneBytes, failures]: [Response, number, number] = [first, 0, 0];
    for (;;) {
      try {
        for await (const part of chunksOf(response, IDLE_TIMEOUT_MS)) {
          [doneBytes, failures] = [doneBytes + part.byteLength, 0];
          onProgress?.({ doneBytes, totalBytes });
          yield part as Uint8Array<ArrayBuffer>;
        }
        if (doneBytes >= totalBytes) return;
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof APIError) throw error;
      }
      if ((failures += 1) > FAILURES_MAX) throw new APIConnectionError(`The bytes of ${fileId} were cut too often.`);
      await sleep(250 * 2 ** failures, signal);
      response = await connect({ range: `bytes=${doneBytes}-`, 'if-range': headers.get('etag') ?? '' });
      if (response.status !== 206) throw new LedgerlineError(`The file ${fileId} was changed while it was read.`);
    }
  }

  const collect = async () => new Blob(await allOf(bytes()), { type: mediaType });
  return {
    filename: nameOf(headers.get('content-disposition')) ?? fileId,
    mediaType,
    sizeBytes: totalBytes,
    [Symbol.asyncIterator]: bytes,
    blob: collect,
    text: async () => (await collect()).text(),
  };
}

function nameOf(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  return encoded ? decodeURIComponent(encoded) : /filename="([^"]*)"/i.exec(disposition ?? '')?.[1];
}
