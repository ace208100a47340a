import { isObject } from '../../base/json.ts';
import { RequestError } from '../protocol/requestError.ts';

type Schema = Record<string, unknown>;

// A schema may refer to itself: below this depth, only required members are filled. A value that is too large is tried with less depth.
const DEPTHS_MAX = [12, 4, 0];
// The limit for a schema that only refers to itself.
const REFERENCES_MAX = 60;
// Nested lists multiply their lengths, so the limit is for the value as a whole: some 10,000 parts.
const COST_MAX = 200_000;
const PART_COST = 20;
const TEXT_CHARS_MAX = 20_000;

const FORMATS = new Map<unknown, string>(
  Object.entries({
    'date-time': '2026-01-01T00:00:00Z',
    date: '2026-01-01',
    time: '00:00:00Z',
    duration: 'P1D',
    email: 'rehearsal@example.com',
    hostname: 'example.com',
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
    uri: 'https://example.com/',
    url: 'https://example.com/',
    uuid: '00000000-0000-4000-8000-000000000000',
  }),
);

/**
 * A JSON value that matches a JSON Schema, by fixed rules: constants, first values of enumerations, required and declared members, minimum
 * numbers and lengths, well-known formats. Patterns and conditions are ignored. `text` is the value of free texts.
 * @throws RequestError 400 `invalid_json_schema`, with `param`, when even the least value is very large.
 */
export function fillSchema(
  schema: unknown,
  text = 'rehearsal',
  param: 'tools' | 'response_format' = 'response_format',
): unknown {
  for (const depthMax of DEPTHS_MAX) {
    const place = { root: schema, text: text.slice(0, TEXT_CHARS_MAX), depth: 0, depthMax, budget: { left: COST_MAX } };
    const value = fill(schema, place);
    if (place.budget.left >= 0) return value;
  }
  const message = `Invalid schema for '${param}': the smallest value that it allows is too large.`;
  throw new RequestError(400, 'invalid_json_schema', message, param);
}

interface Place {
  root: unknown;
  text: string;
  depth: number;
  depthMax: number;
  /** Shared by the whole value; below 0 nothing more is filled. */
  budget: { left: number };
}

function fill(schema: unknown, place: Place): unknown {
  place.budget.left -= PART_COST;
  if (place.budget.left < 0) return null;
  if (!isObject(schema)) return spend(place.text, place);
  if (place.depth > REFERENCES_MAX) return null;
  const inner = { ...place, depth: place.depth + 1 };
  if ('const' in schema) return copyOf(schema.const, place);
  if (Array.isArray(schema.enum)) return copyOf(schema.enum[0] ?? null, place);
  if ('default' in schema) return copyOf(schema.default, place);
  if (typeof schema.$ref === 'string') return fill(targetOf(spend(schema.$ref, place), place.root), inner);
  if (Array.isArray(schema.allOf)) return fill(merged(schema, spend(schema.allOf, place), place), inner);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches) && !schema.properties) return fill(simplest(spend(branches, place), place), inner);
  return valueOf(typeOf(schema, place), schema, inner);
}

/** A list or text that several parts read costs its length each time. */
function spend<T extends string | unknown[]>(read: T, { budget }: Place): T {
  budget.left -= read.length;
  return read;
}

function copyOf(value: unknown, place: Place): unknown {
  spend(JSON.stringify(value) ?? '', place);
  return value;
}

function valueOf(type: unknown, schema: Schema, place: Place): unknown {
  switch (type) {
    case 'object':
      return objectOf(schema, place);
    case 'array':
      return arrayOf(schema, place);
    case 'integer':
    case 'number':
      return numberOf(schema, type === 'integer');
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return spend(textOf(schema, place.text), place);
  }
}

function objectOf({ properties, required }: Schema, place: Place): Schema {
  const declared = isObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? (required as string[]) : [];
  const isLeast = place.depth > place.depthMax;
  const names = isLeast ? [...new Set(spend(needed, place))] : [...new Set([...Object.keys(declared), ...needed])];
  // A member called `__proto__` must not set the prototype.
  return Object.fromEntries(names.map((name) => [name, fill(declared[name], place)]));
}

function arrayOf({ items, prefixItems, minItems }: Schema, place: Place): unknown[] {
  if (Array.isArray(prefixItems)) return prefixItems.map((item) => fill(item, place));
  const wanted = Number(minItems ?? (place.depth > place.depthMax ? 0 : 1));
  const length = Math.min(Math.max(0, wanted), 100);
  return Array.from({ length }, () => fill(items ?? {}, place));
}

function numberOf(schema: Schema, isWhole: boolean): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isWhole ? 1 : 0;
  if (typeof minimum === 'number') return step ? Math.ceil(minimum / step) * step : minimum;
  if (typeof exclusiveMinimum === 'number')
    return step
      ? (Math.floor(exclusiveMinimum / step) + 1) * step
      : aboveOf(exclusiveMinimum, maximum ?? exclusiveMaximum);
  if (typeof maximum === 'number' && maximum < 1) return step ? Math.floor(maximum / step) * step : maximum;
  if (typeof exclusiveMaximum === 'number' && exclusiveMaximum <= 1)
    return step ? (Math.ceil(exclusiveMaximum / step) - 1) * step : exclusiveMaximum - 1;
  return step || 1;
}

const aboveOf = (least: number, most: unknown): number => (typeof most === 'number' ? (least + most) / 2 : least + 1);

function textOf({ format, minLength, maxLength }: Schema, text: string): string {
  const known = FORMATS.get(format);
  if (known !== undefined) return known;
  const padded = text.padEnd(Math.min(Number(minLength ?? 0), 10_000), '.');
  return typeof maxLength === 'number' ? padded.slice(0, Math.max(0, maxLength)) : padded;
}

/** Of several types, the first except null; at great depth null, which ends recursive schemas. */
function typeOf({ type, properties, items, prefixItems }: Schema, place: Place): unknown {
  const types = spend([type].flat(), place);
  if (place.depth > place.depthMax && types.includes('null')) return 'null';
  const named = types.find((name) => name !== 'null') ?? types[0];
  if (named !== undefined) return named;
  if (properties !== undefined) return 'object';
  return items !== undefined || prefixItems !== undefined ? 'array' : 'string';
}

function simplest(branches: unknown[], { depth, depthMax }: Place): unknown {
  const isNull = (branch: unknown) => isObject(branch) && branch.type === 'null';
  return depth > depthMax
    ? (branches.find(isNull) ?? branches[0])
    : (branches.find((branch) => !isNull(branch)) ?? branches[0]);
}

function merged(schema: Schema, allOf: unknown[], place: Place): Schema {
  const parts = [{ ...schema, allOf: undefined }, ...allOf.filter(isObject)];
  for (const part of parts) spend([...Object.keys(part), ...Object.keys(part.properties ?? {})], place);
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Schema;
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? (part.required as string[]) : []));
  return { ...Object.assign({}, ...parts), ...(Object.keys(properties).length > 0 && { properties }), required };
}

function targetOf(pointer: string, root: unknown): unknown {
  let target = pointer.startsWith('#') ? root : undefined;
  for (const step of pointer.replace(/^#/, '').split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    target = isObject(target) || Array.isArray(target) ? (target as Schema)[key] : undefined;
  }
  return target;
}
