import { isUtf8 } from 'node:buffer';
import { BATCH_LINE_BYTES_MAX } from '../../base/limits.ts';
import { isObject, parseExact } from '../../base/json.ts';
import { endpointOf } from '../../db/batches/batches.ts';
import { readBytes } from '../../db/files/files.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { BatchPlace } from '../../contracts/batch.ts';

const NEWLINE = 10;

/** A line of a batch's file that is not blank, and where it begins. */
export interface FileLine {
  line: number;
  /** Undefined for a line of more than `BATCH_LINE_BYTES_MAX`. */
  bytes: Uint8Array | undefined;
  start: BatchPlace;
}

/** The lines of a file from a place on. A part of the file and one line are in memory at a time. */
export const readLines = (
  rows: Rows,
  { id, sizeBytes }: { id: string; sizeBytes: number },
  place: BatchPlace,
): AsyncGenerator<FileLine> => splitLines(readBytes(rows, { id, from: place.offsetBytes, to: sizeBytes }), place);

/** The same for the bytes from this place on. */
export async function* splitLines(
  parts: AsyncIterable<Uint8Array>,
  { line, offsetBytes }: BatchPlace,
): AsyncGenerator<FileLine> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let at = offsetBytes;
  let number = line;

  function end(bytes: Uint8Array, breakBytes: number): FileLine | undefined {
    const lineBytes = pendingBytes + bytes.length;
    const whole = lineBytes > BATCH_LINE_BYTES_MAX ? undefined : Buffer.concat([...pending, bytes]);
    const found = { line: number, bytes: whole, start: { line: number, offsetBytes: at } };
    at += lineBytes + breakBytes;
    number += 1;
    [pending, pendingBytes] = [[], 0];
    return whole && isBlank(whole) ? undefined : found;
  }

  for await (const part of parts) {
    let from = 0;
    for (let to = part.indexOf(NEWLINE); to !== -1; to = part.indexOf(NEWLINE, from)) {
      const found = end(part.subarray(from, to), 1);
      from = to + 1;
      if (found) yield found;
    }
    const rest = part.subarray(from);
    pendingBytes += rest.length;
    if (pendingBytes <= BATCH_LINE_BYTES_MAX) pending.push(rest);
    else pending = [];
  }
  const last = pendingBytes > 0 ? end(new Uint8Array(), 0) : undefined;
  if (last) yield last;
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 32 || (byte >= 9 && byte <= 13));

/** A valid line. */
export interface BatchLine {
  customId: string;
  body: Record<string, unknown>;
  /** The model that its body names. */
  model: string;
}

/** Why a line cannot run, as the batch's `errors` show it. */
export interface LineFault {
  code: string;
  message: string;
  param: string | null;
}

const CUSTOM_ID_CHARACTERS_MAX = 512;

/** Reads a line, or says why it cannot run. `endpoint` is without a prefix: `/v1/chat/completions`. */
export function lineOf(bytes: Uint8Array | undefined, endpoint: string): BatchLine | LineFault {
  if (bytes === undefined)
    return { code: 'line_too_long', message: `A line has at most ${BATCH_LINE_BYTES_MAX} bytes.`, param: null };
  const value = parsed(bytes);
  if (!isObject(value)) return NOT_JSON;
  const { custom_id: customId, method, url, body } = value;
  for (const name of ['custom_id', 'method', 'url', 'body'])
    if (value[name] === undefined || value[name] === null)
      return { code: 'missing_required_parameter', message: `Missing required parameter: '${name}'.`, param: name };
  if (typeof customId !== 'string' || customId.length === 0 || customId.length > CUSTOM_ID_CHARACTERS_MAX)
    return invalid('custom_id', `a text of 1 to ${CUSTOM_ID_CHARACTERS_MAX} characters`);
  if (method !== 'POST') return invalid('method', "'POST'");
  if (typeof url !== 'string' || endpointOf(url) !== endpoint) return mismatched(endpoint);
  if (!isObject(body)) return invalid('body', 'a JSON object');
  const { model } = body;
  if (typeof model !== 'string' || model.length === 0 || model.length > MODEL_CHARACTERS_MAX)
    return invalid('body.model', 'the id of a model');
  return { customId, body, model };
}

const MODEL_CHARACTERS_MAX = 256;

const NOT_JSON: LineFault = {
  code: 'invalid_json_line',
  message: 'This line is not parseable as valid JSON. Send one JSON object on each line.',
  param: null,
};

const mismatched = (endpoint: string): LineFault => ({
  code: 'mismatched_endpoint',
  message: `The URL of this line is not the batch's endpoint: expected '${endpoint}'.`,
  param: 'url',
});

const invalid = (param: string, expected: string): LineFault => ({
  code: 'invalid_value',
  message: `Invalid '${param}': expected ${expected}.`,
  param,
});

function parsed(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    // A file may begin with a byte order mark, which `TextDecoder` leaves out.
    return parseExact(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder();
