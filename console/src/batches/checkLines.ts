import { isObject } from '../parts/isObject.ts';

/** The endpoints that lines of a batch may call. */
export const ENDPOINTS = ['/v1/chat/completions', '/v1/completions', '/v1/responses', '/v1/embeddings'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** Lines of one batch. */
const LINES_MAX = 50_000;
const LINE_BYTES_MAX = 16 * 2 ** 20;
const CUSTOM_ID_CHARACTERS_MAX = 512;
const MODEL_CHARACTERS_MAX = 256;
const ERRORS_MAX = 100;

/** Why a file cannot be sent. `line` is null for the file as a whole. */
export interface LineError {
  line: number | null;
  message: string;
  param: string | null;
}

/** What a file of calls holds, as far as it was read. */
export interface FileCheck {
  lines: number;
  /** That of the first line that names one. */
  endpoint: Endpoint | undefined;
  /** Calls by model. */
  models: Map<string, number>;
  /** The first hundred errors. */
  errors: LineError[];
}

/**
 * Checks a file of calls as the service does, before it is sent. Ends early once it has a hundred errors or too many lines. `tell` hears of
 * the progress after each part.
 */
export async function checkLines(
  file: Pick<Blob, 'stream'>,
  tell: (bytesRead: number) => void = () => {},
): Promise<FileCheck> {
  const checker = createChecker();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pending = '';
  let bytesRead = 0;
  const reader = file.stream().getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (pending + decoder.decode(part.value, { stream: true })).split('\n');
      pending = lines.pop()!;
      for (const line of lines) checker.check(line);
      if (pending.length > LINE_BYTES_MAX || checker.isFull()) break;
      tell((bytesRead += part.value.byteLength));
    }
    checker.check(pending);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    checker.refuse(null, 'The file is not UTF-8 text. Save it as UTF-8, with one JSON object on each line.', null);
  } finally {
    await reader.cancel();
  }
  return checker.end();
}

function createChecker() {
  const check: FileCheck = { lines: 0, endpoint: undefined, models: new Map(), errors: [] };
  const lineById = new Map<string, number>();
  let number = 0;
  const refuse = (line: number | null, message: string, param: string | null) =>
    void check.errors.push({ line, message, param });

  function checkLine(text: string): void {
    number += 1;
    if (isFull() || text.trim() === '') return;
    check.lines += 1;
    const call = parsed(text);
    if (!call) return refuse(number, 'This line is not a JSON object.', null);
    check.endpoint ??= endpointOf(call.url);
    const fault = faultOf(call, check.endpoint);
    if (fault) return refuse(number, fault.message, fault.param);
    const { custom_id: id, body } = call as { custom_id: string; body: { model: string } };
    const twin = lineById.get(id);
    if (twin !== undefined) return refuse(number, `Line ${twin} has the same custom_id.`, 'custom_id');
    lineById.set(id, number);
    check.models.set(body.model, (check.models.get(body.model) ?? 0) + 1);
  }

  const isFull = () => check.errors.length >= ERRORS_MAX || check.lines > LINES_MAX;

  function end(): FileCheck {
    if (check.lines > LINES_MAX)
      refuse(null, `The file has more than 50,000 lines. Split it into several files.`, null);
    if (check.lines === 0 && check.errors.length === 0) refuse(null, 'The file is empty.', null);
    return check;
  }

  return { check: checkLine, refuse, isFull, end };
}

type Fields = Record<string, unknown>;

function faultOf(call: Fields, endpoint: Endpoint | undefined): { message: string; param: string } | undefined {
  const { custom_id: id, method, url, body } = call;
  for (const param of ['custom_id', 'method', 'url', 'body'])
    if (call[param] === undefined || call[param] === null) return { message: `${param} is missing.`, param };
  if (!isText(id, CUSTOM_ID_CHARACTERS_MAX))
    return { message: 'custom_id must be a text of 1 to 512 characters.', param: 'custom_id' };
  if (method !== 'POST') return { message: 'method must be POST.', param: 'method' };
  if (endpoint === undefined || endpointOf(url) !== endpoint) return { message: urlFault(endpoint), param: 'url' };
  if (!isObject(body)) return { message: 'body must be a JSON object.', param: 'body' };
  if (!isText(body.model, MODEL_CHARACTERS_MAX))
    return { message: 'body.model must name a model.', param: 'body.model' };
  return undefined;
}

const urlFault = (endpoint: Endpoint | undefined): string =>
  endpoint
    ? `The lines before this one call ${endpoint}. All lines of a batch call the same.`
    : `url must be one of ${ENDPOINTS.join(', ')}.`;

const isText = (value: unknown, charactersMax: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= charactersMax;

/** The endpoint of a line's URL, with or without the text family's prefix. */
const endpointOf = (url: unknown): Endpoint | undefined =>
  ENDPOINTS.find((endpoint) => url === endpoint || url === `/textapi${endpoint}`);

function parsed(text: string): Fields | undefined {
  if (text.length > LINE_BYTES_MAX) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
