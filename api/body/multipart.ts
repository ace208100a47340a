import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { Keys } from '../../db/keys/keys.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { keyEnded } from '../../base/errors/keyErrors.ts';
import {
  invalidRequest,
  requestTimeout,
  unsupportedEncoding,
  validationErrorAt,
} from '../../base/errors/requestErrors.ts';
import type { Context } from '../context.ts';
import { enforceUploadRate, type UploadRate } from './uploadRate.ts';

const MALFORMED = 'invalid_body';
const FIELD_BYTES_MAX = 1024 * 1024;
const FIELDS_MAX = 20;
const HEADER_PAIRS_MAX = 20;
const HEADER_BYTES_MAX = 16 * 1024;
// Time to read the answer after an upload was refused; then the connection is closed.
const LINGER_MS = 1_000;

/** A stored file; `drop` removes it again. */
interface Taken {
  drop(): Promise<void>;
}

/** A file of a form, as `takeFile` returned it. */
export interface FormFile<T extends Taken> {
  field: string;
  filename: string;
  content: T;
}

/** The fields of a form by name, and its files; `file` is the first. */
export interface Form<T extends Taken> {
  fields: Map<string, string>;
  /** All values of the fields that may be repeated. */
  lists: Map<string, string[]>;
  file: FormFile<T> | undefined;
  files: FormFile<T>[];
}

/** Options for reading a form. */
export interface FormReader<T extends Taken> {
  /** Aborts when the sender's key ends, so that the rest of the upload is not read. */
  keys: Pick<Keys, 'watch'>;
  /** Consumes the file's bytes as they arrive; an error stops the upload. `fields` are the fields before the file. */
  takeFile(bytes: Readable, about: { filename: string; fields: Map<string, string> }): Promise<T>;
  /** Defaults to 1. */
  filesMax?: number;
  /** Defaults to 20. */
  fieldsMax?: number;
  /** Fields that may be repeated. */
  lists?: readonly string[];
  uploadRate?: UploadRate;
}

/** Whether the content type is a multipart form. */
export function isMultipart({ req }: Context): boolean {
  return /^multipart\/form-data\b/i.test(req.headers['content-type'] ?? '');
}

/**
 * Reads a multipart form with one or more files. File bytes are not kept in memory: they go to `takeFile`. Resolves at the end of the body.
 * Throws the errors of `takeFile`, 400 `invalid_body` for a malformed form, 401 when the sender's key ends, 408 for a sender that is too
 * slow or disconnected, and 415.
 */
export async function readForm<T extends Taken>(
  ctx: Pick<Context, 'req' | 'res' | 'state'>,
  reader: FormReader<T>,
): Promise<Form<T>> {
  const { req } = ctx;
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw unsupportedEncoding('A form is sent without a content encoding.', 'identity');
  const { filesMax = 1, fieldsMax = FIELDS_MAX, lists = [] } = reader;
  const parser = openParser(req, { filesMax, fieldsMax });
  const form: Form<T> = {
    fields: new Map(),
    lists: new Map(lists.map((name) => [name, []])),
    files: [],
    get file() {
      return form.files[0];
    },
  };
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const files = takeFiles(parser, reader, form.fields, reject);
  takeFields(parser, form, reject);
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => reject(tooManyParts(filesMax, fieldsMax)));
  parser.on('finish', resolve);
  parser.on('error', () => reject(malformed()));
  req.on('error', () => reject(requestTimeout()));
  req.on('close', () => req.readableEnded || reject(requestTimeout()));
  enforceUploadRate(req, () => reject(endUpload(ctx, requestTimeout())), reader.uploadRate);
  const stopWatchingKey = reader.keys.watch(ctx.state.key.keyId, () => reject(endUpload(ctx, keyEnded())));
  try {
    req.pipe(parser);
    await ended;
    // In the order of the form: a later file may have been stored earlier.
    form.files = await Promise.all(files.map(({ taken }) => taken));
    return form;
  } catch (error) {
    req.unpipe(parser);
    // Reads and drops the rest: a client that still sends would not read the answer.
    req.resume();
    await dropFiles(files, error as Error);
    throw error;
  } finally {
    stopWatchingKey();
  }
}

/** Like `readForm`, for the voice and agent families: a malformed form is 422 `validation_error`. */
export function readValidForm<T extends Taken>(...[ctx, reader]: Parameters<typeof readForm<T>>): Promise<Form<T>> {
  return readForm(ctx, reader).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== MALFORMED) throw error;
    const loc = error.param === null ? ['body'] : ['body', error.param];
    throw validationErrorAt(loc, error.message);
  });
}

/** A file of the form, and its stored content once it is there. */
interface ComingFile<T extends Taken> {
  bytes: Readable;
  taken: Promise<FormFile<T>>;
}

/** Passes each file to `takeFile` as it arrives. Returns the list, which grows with each file. */
function takeFiles<T extends Taken>(
  parser: BusboyInstance,
  reader: FormReader<T>,
  fields: Form<T>['fields'],
  reject: (error: Error) => void,
): ComingFile<T>[] {
  const files: ComingFile<T>[] = [];
  parser.on('file', (field: string | undefined, bytes, filenameOrNone: string | undefined) => {
    // Some clients send the path of the file on their machine, of which only the name counts (RFC 7578, 4.2).
    const filename = /[^/\\]*$/.exec(filenameOrNone ?? '')![0];
    // Must run before `takeFile` sees the abort, so that a disconnect is reported as a disconnect. When `takeFile` itself stops, it aborts
    // the bytes and gives the reason.
    bytes.on('error', ({ name }) => name === 'AbortError' || reject(malformed()));
    const take = async () => ({
      field: field ?? '',
      filename,
      content: await reader.takeFile(bytes, { filename, fields }),
    });
    const taken = take();
    taken.catch(reject);
    files.push({ bytes, taken });
  });
  return files;
}

async function dropFiles(files: ComingFile<Taken>[], reason: Error): Promise<void> {
  for (const { bytes } of files) bytes.destroy(reason);
  const ends = await Promise.allSettled(files.map(({ taken }) => taken));
  await Promise.all(ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.content.drop()] : [])));
}

function takeFields(
  parser: BusboyInstance,
  { fields, lists }: Pick<Form<Taken>, 'fields' | 'lists'>,
  reject: (error: Error) => void,
): void {
  parser.on('field', (name: string | undefined, value, _nameIsCut, isCut) => {
    const list = name === undefined ? undefined : lists.get(name);
    const problem = fieldProblem(fields, name, isCut);
    if (problem) reject(problem);
    else if (list) list.push(value);
    else fields.set(name!, value);
  });
}

function openParser(
  req: IncomingMessage,
  { filesMax, fieldsMax }: { filesMax: number; fieldsMax: number },
): BusboyInstance {
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      // A path in a file name is refused, not stripped.
      preservePath: true,
      // A part with a file name is a file; all others are fields, whatever their content type.
      isPartAFile: (_field, type, filename) => filename !== undefined || type === 'application/octet-stream',
      limits: {
        fields: fieldsMax,
        files: filesMax,
        parts: fieldsMax + filesMax,
        fieldSize: FIELD_BYTES_MAX,
        headerPairs: HEADER_PAIRS_MAX,
        headerSize: HEADER_BYTES_MAX,
      },
    });
  } catch {
    throw malformed();
  }
}

function fieldProblem(fields: Map<string, string>, name: string | undefined, isCut: boolean): ApiError | undefined {
  if (name === undefined || name === '') return invalidRequest(MALFORMED, 'A part of the form has no name.');
  if (fields.has(name)) return invalidRequest(MALFORMED, 'A field of the form is there twice.', shown(name));
  if (isCut) return invalidRequest(MALFORMED, `A field has at most ${FIELD_BYTES_MAX} bytes.`, shown(name));
  return undefined;
}

// Keeps the error short when the name is long.
const shown = (name: string) => name.slice(0, 100);

const malformed = () =>
  invalidRequest(
    MALFORMED,
    'The body is not a complete multipart/form-data form with the boundary of its content-type.',
  );

const tooManyParts = (filesMax: number, fieldsMax: number) =>
  invalidRequest(
    MALFORMED,
    `A form here has at most ${filesMax} ${filesMax === 1 ? 'file' : 'files'} and ${fieldsMax} fields.`,
  );

function endUpload({ req, res }: Pick<Context, 'req' | 'res'>, error: ApiError): ApiError {
  // The upload was refused earlier; by now the sender has had time to read the answer.
  if (res.headersSent) req.socket.destroy();
  else {
    res.setHeader('connection', 'close');
    res.once('finish', () => setTimeout(() => req.socket.destroy(), LINGER_MS).unref());
  }
  return error;
}
