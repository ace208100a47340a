import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isObject, LOST_NUMBER, lostNumberIn, parseData, parseExact } from '../../base/json.ts';
import { SMALL_BODY, type BodySize } from '../../base/limits.ts';
import { guard, type Context, type Guard } from '../context.ts';
import type { ApiError } from '../../base/errors/apiError.ts';
import { invalidRequest, unsupportedMediaType, validationError } from '../../base/errors/requestErrors.ts';
import { excessOfText, excessOfValue, hasFewBrackets, JSON_DEPTH_MAX, type Excess } from '../../base/jsonShape.ts';
import { withoutIgnored, type Ignorable } from './ignoredParameters.ts';
import { runInTimeShare, keepUntilAnswered, takeLargeTurn } from './largeBodies.ts';
import { readBytes, type ArrivedBody } from './readBytes.ts';

// Parameters of JSON have no meaning (RFC 8259, 11), but a body that names another charset is not in UTF-8.
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(?:;.*)?$/i;
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i;

// Checking a body up to this size takes at most 2 ms, so it does not queue.
const UNTURNED_BYTES_MAX = 128 * 1024;

// Up to this size even the most expensive body parses in 2 ms. Its shape is checked after parsing, which costs a tenth.
const CHEAP_BYTES_MAX = 32 * 1024;

/** Statuses with which any body may be refused. */
const BODY_REFUSALS = [400, 413, 415] as const;

type Parse<Input> = (value: unknown) => Input;
type Read<Input> = (bytes: Buffer, ctx: Context) => Input;
type Malformed = (message: string) => ApiError;

/**
 * Reads a JSON body and parses it with the route's check, which throws the caller's error. A body that is not JSON is 422
 * `validation_error`, in all families but OpenAI's.
 */
export function body<Input>(parse: Parse<Input>, limits: BodyLimits = SMALL_BODY): Guard<Input> {
  return input(limits, malformedBody, (bytes, ctx) => parseJson(ctx, bytes, { limits, parse }));
}

/** Like `body`, for a route whose body is optional: without one the check gets an empty object. */
export function optionalBody<Input>(parse: Parse<Input>, limits: BodyLimits = SMALL_BODY): Guard<Input> {
  return input(limits, malformedBody, (bytes, ctx) =>
    bytes.length === 0 ? parse({}) : parseJson(ctx, bytes, { limits, parse }),
  );
}

/**
 * Like `body`, but a body that is not JSON is 400 `invalid_body`: for OpenAI's family and for protocols with their own errors. Long
 * integers keep their digits. `refused` names the route's refused parameters that a caller may have left out by a header.
 */
export function textBody<Input>(
  parse: Parse<Input>,
  limits: BodyLimits = SMALL_BODY,
  refused: readonly Ignorable[] = [],
): Guard<Input> {
  return input(limits, invalidBody, (bytes, ctx) =>
    parseJson(ctx, bytes, {
      limits,
      parse: refused.length === 0 ? parse : (value) => parse(withoutIgnored(ctx, value, refused)),
      parseText: parseExact,
    }),
  );
}

/** Like `textBody`, for a route whose body is optional. */
export function optionalTextBody<Input>(parse: Parse<Input>): Guard<Input> {
  return input(SMALL_BODY, invalidBody, (bytes, ctx) =>
    bytes.length === 0 ? parse({}) : parseJson(ctx, bytes, { limits: SMALL_BODY, parse }),
  );
}

/** Thrown when the body itself is malformed; each family renders it in its own form. */
class MalformedBody extends Error {}

const invalidBody = (message: string) => invalidRequest('invalid_body', message);
const malformedBody = (message: string) => validationError([{ loc: ['body'], msg: message, type: 'json_invalid' }]);

function input<Input>(limits: BodyLimits, malformed: Malformed, read: Read<Input>): Guard<Input> {
  const refusals = malformed === invalidBody ? BODY_REFUSALS : [...BODY_REFUSALS, 422 as const];
  return guard(refusals, async (ctx, next) => {
    ctx.state.input = await readInput(ctx, { limits, malformed, read });
    return next();
  });
}

/** Reads a body as the guard `body` does, in a handler that also takes other media types. */
export const readBody = <Input>(ctx: Context, parse: Parse<Input>, limits: BodyLimits = SMALL_BODY): Promise<Input> =>
  readInput(ctx, { limits, malformed: malformedBody, read: (bytes) => parseJson(ctx, bytes, { limits, parse }) });

interface InputRules<Input> {
  limits: BodyLimits;
  malformed: Malformed;
  read: Read<Input>;
}

async function readInput<Input>(ctx: Context, { limits, malformed, read }: InputRules<Input>): Promise<Input> {
  const { req, state } = ctx;
  const onLarge = async () => {
    await limits.beforeLarge?.(ctx);
    return takeLargeTurn(state.key.workspaceId);
  };
  const undecodable = (encoding: string) => new MalformedBody(`The body is not valid ${encoding}.`);
  let arrived: ArrivedBody | undefined;
  try {
    checkType(req.headers['content-type']);
    const body = (arrived = await readBytes(req, limits.bytesMax, undecodable, onLarge));
    state.bodyBytes = body.sizeBytes;
    const readIt = mayBeTriedAgain(req) ? hashed(read) : read;
    if (body.sizeBytes <= UNTURNED_BYTES_MAX) {
      const bytes = body.bytes();
      return readIt(bytes instanceof Promise ? await bytes : bytes, ctx);
    }
    const { workspaceId } = state.key;
    const fetched = () => {
      keepUntilAnswered(ctx.res, workspaceId, body.sizeBytes);
      return body.bytes();
    };
    return await runInTimeShare(workspaceId, fetched, (bytes) => readIt(bytes, ctx));
  } catch (error) {
    throw error instanceof MalformedBody ? malformed(error.message) : error;
  } finally {
    arrived?.drop();
  }
}

/** Whether this request is or may get a retry: then its body is compared. */
export const mayBeTriedAgain = ({ headers }: IncomingMessage): boolean =>
  headers['x-stainless-retry-count'] !== undefined || headers['idempotency-key'] !== undefined;

const hashed =
  <Input>(read: Read<Input>): Read<Input> =>
  (bytes, ctx) => {
    ctx.state.bodyHash = hash('sha256', bytes, 'base64url');
    return read(bytes, ctx);
  };

// A body without a content type is parsed as JSON.
function checkType(type: string | undefined): void {
  if (type === undefined || type === 'application/json' || (JSON_TYPE.test(type) && !OTHER_CHARSET.test(type))) return;
  throw unsupportedMediaType('The body must be JSON in UTF-8: send "content-type: application/json".');
}

interface JsonRules<Input> {
  limits: BodyLimits;
  parse: Parse<Input>;
  parseText?: (text: string) => unknown;
}

function parseJson<Input>(
  ctx: Context,
  bytes: Buffer,
  { limits, parse, parseText = JSON.parse }: JsonRules<Input>,
): Input {
  const { valuesMax } = limits;
  if (!isUtf8(bytes)) throw new MalformedBody('The body is not valid UTF-8.');
  // Some clients of Windows begin with a byte order mark.
  const text = bytes.toString('utf8', startsWithMark(bytes) ? BYTE_ORDER_MARK.length : 0);
  // A short text holds few values.
  const isShort = bytes.length <= 2 * valuesMax;
  const isCheap = bytes.length <= CHEAP_BYTES_MAX || (isShort && hasFewBrackets(text));
  if (!isCheap) refuseExcess(excessOfText(bytes, valuesMax), valuesMax);
  const value = parsed(text, limits.data ? parseData : parseText);
  if (isCheap) refuseExcess(excessOfValue(value, valuesMax), valuesMax);
  try {
    return parse(limits.data ? withoutLost(value, text, limits.data) : value);
  } catch (error) {
    ctx.state.log.asked = modelNameIn(value);
    throw error;
  }
}

/** A body of `parseData` with plain numbers. Throws 422 for a number in its data that would lose digits. */
function withoutLost(body: unknown, text: string, places: BodyLimits['data'] & {}): unknown {
  for (const place of places) {
    const data = place.reduce((part: unknown, name) => (isObject(part) ? part[name] : undefined), body);
    const lost = lostNumberIn(data);
    if (lost) throw validationError([{ loc: ['body', ...place, ...lost], msg: LOST_NUMBER, type: 'value_error' }]);
  }
  return lostNumberIn(body) ? JSON.parse(text) : body;
}

/** The model or agent that a body names. */
export function modelNameIn(body: unknown): string | undefined {
  const named = isObject(body) ? (body.model ?? body.model_id ?? body.agent) : undefined;
  return typeof named === 'string' ? named : undefined;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const startsWithMark = (bytes: Buffer): boolean => BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte);

function refuseExcess(excess: Excess | undefined, valuesMax: number): void {
  if (excess === 'depth') throw new MalformedBody(`The body is nested more than ${JSON_DEPTH_MAX} levels deep.`);
  if (excess === 'values') throw new MalformedBody(`The body has more than ${valuesMax} members and elements.`);
}

function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch {
    throw new MalformedBody('The body is not valid JSON.');
  }
}

/** A route's settings for its body. */
export interface BodyLimits extends BodySize {
  /** Called before more than the first MiB is read. Refuses bodies whose handling would cost more than the caller can pay. */
  beforeLarge?: (ctx: Context) => Promise<unknown>;
  /** Paths of members with data of any form: a number in them that would lose digits is refused by its path. */
  data?: readonly (readonly string[])[];
}
