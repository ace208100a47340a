import { z } from 'zod';
import { isLongInteger, isObject, withoutNulls, withoutOff, withPlainNumbers } from '../../../base/json.ts';
import type { Json } from '../../../providers/provider.ts';
import { explainIssue } from './explainIssue.ts';
import { firstIssue } from './firstIssue.ts';
import { InvalidRequest, unsupportedParameter } from '../../../base/errors/invalidRequest.ts';

/** A request schema whose unknown members pass. */
export type BodySchema = z.ZodObject<z.ZodRawShape, z.core.$loose>;

/**
 * Makes the check of one route. It returns the body without null members (a null parameter counts as not sent, an unsupported one too)
 * and otherwise unchanged; it throws `InvalidRequest`. `refused` names the parameters that are refused for any value, and
 * `instead` has a sentence for what to do in place of some. Those of `switches` count as not sent when they are false, too.
 */
export function bodyValidator<S extends BodySchema>(
  schema: S,
  refused: readonly string[],
  { switches = [], instead = {} }: { switches?: readonly string[]; instead?: Readonly<Record<string, string>> } = {},
): (body: unknown) => Json & z.input<S> {
  // The compiled check answers yes or no without copying; the reason is searched only when the answer is no. Compiled for the first body,
  // so that the start does not wait for unused routes.
  let compiled: S | undefined;
  return (body) => {
    if (!isObject(body)) throw notAnObject();
    const sent = withoutOff(withoutNulls(body), switches);
    for (const name of refused)
      if (Object.hasOwn(sent, name)) throw unsupportedParameter(name, undefined, instead[name]);
    compiled ??= z.compile(schema, { strict: true });
    if (!compiled.validate(withNumbers(sent))) throw refusalOf(schema, withNumbers(sent));
    return sent as Json & z.input<S>;
  };
}

/** The body as its schema knows it: with numbers in the place of long integers. */
function withNumbers(sent: Json): Json {
  let plain = sent;
  for (const name in sent) {
    if (!isLongInteger(sent[name])) continue;
    if (plain === sent) plain = { ...sent };
    plain[name] = withPlainNumbers(sent[name]);
  }
  return plain;
}

/** The refusal of a body that is no object. */
export function notAnObject(): InvalidRequest {
  return new InvalidRequest('invalid_type', null, 'Invalid body: expected a JSON object.');
}

function refusalOf(schema: BodySchema, body: Json): InvalidRequest {
  let found = firstIssue(schema, body);
  // A long integer in the midst of a list is explained as the number that it is.
  if (isLongInteger(found?.value)) found = firstIssue(schema, withPlainNumbers(body));
  if (found === null) return new InvalidRequest('invalid_value', null, 'Invalid body.');
  return explainIssue(found);
}
