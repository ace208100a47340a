import { isObject, LOST_NUMBER, lostNumberIn } from './json.ts';
import { checkData, CHOICES, FAULTS_MAX, type JsonSchema, type SchemaFault } from './schemaCheck.ts';

export type { JsonSchema, SchemaFault };

const SCHEMA_BYTES_MAX = 32_768;
const DEPTH_MAX = 16;
const NODES_MAX = 500;

/** The types that a schema may name. */
export const JSON_TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
// Notes for readers and models; they validate nothing.
const NOTES = new Set(['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated']);
const DEFINITIONS = ['$defs', 'definitions'];
// Each keyword with the check of its value.
const LIMITS: Record<string, (value: unknown) => boolean> = {
  minItems: isCount,
  maxItems: isCount,
  minLength: isCount,
  maxLength: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  exclusiveMinimum: Number.isFinite,
  exclusiveMaximum: Number.isFinite,
  multipleOf: (value) => Number.isFinite(value) && (value as number) > 0,
  uniqueItems: (value) => typeof value === 'boolean',
  format: (value) => typeof value === 'string',
};

/**
 * Why a schema cannot be used; undefined when it can. Its root is an object. Each part has a `type`, or `enum`, `const`, `$ref` (to the
 * schema's own `$defs`, without recursion), `anyOf`, `oneOf` or `allOf`. Regular expressions are refused: one could block a process.
 */
export function faultOfSchema(schema: unknown): SchemaFault | undefined {
  try {
    const resolved = resolveSchema(schema);
    return resolved.type === 'object' ? undefined : { path: ['type'], message: 'must be "object" at the root' };
  } catch (error) {
    if (error instanceof SchemaError) return { path: error.path, message: error.message };
    throw error;
  }
}

/**
 * Why data does not fit a usable schema: at most ten reasons; none when it does. Of exactly parsed data, a number that would lose digits
 * is one.
 */
export function faultsOfData(schema: JsonSchema, data: unknown): SchemaFault[] {
  let known = resolvedSchemas.get(schema);
  if (!known) resolvedSchemas.set(schema, (known = resolveSchema(schema)));
  const faults = checkData(known, data);
  const lost = faults.length < FAULTS_MAX ? lostNumberIn(data) : undefined;
  return lost ? [{ path: lost, message: LOST_NUMBER }] : faults;
}

const resolvedSchemas = new WeakMap<JsonSchema, JsonSchema>();

/** The faults as a text for people and models. */
export const textOfFaults = (faults: SchemaFault[]): string =>
  faults.map(({ path, message }) => `${path.join('.') || 'the data'}: ${message}`).join('; ');

/** Whether OpenAI's strict mode takes a schema: all members of all objects are required, and no others are allowed. */
export function isStrictSchema(schema: JsonSchema): boolean {
  const isStrict = (part: unknown): boolean => {
    if (!isObject(part)) return true;
    const { required = [], additionalProperties, items, ...others } = part;
    const properties = isObject(part.properties) ? part.properties : {};
    if (['oneOf', 'allOf', 'format', ...Object.keys(LIMITS)].some((name) => name in others)) return false;
    const isObjectPart = part.type === 'object';
    if (isObjectPart && additionalProperties !== false) return false;
    if (Object.keys(properties).some((name) => !(required as string[]).includes(name))) return false;
    return [...Object.values(properties), items, ...((others.anyOf as unknown[]) ?? [])].every(isStrict);
  };
  return isStrict(resolveSchema(schema));
}

class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly path: string[];

  constructor(path: string[], message: string) {
    super(message);
    this.path = path;
  }
}

interface Place {
  root: JsonSchema;
  path: string[];
  /** The references that led here. */
  refs: string[];
  count: { nodes: number };
}

/**
 * The schema with its references resolved and its notes removed: only what decides about data remains. Throws `SchemaError`. References
 * do not recurse, so the schema's size, and with it the work per datum, is bounded.
 */
function resolveSchema(schema: unknown): JsonSchema {
  if (!isObject(schema)) throw new SchemaError([], 'must be an object');
  if (JSON.stringify(schema).length > SCHEMA_BYTES_MAX)
    throw new SchemaError([], `must have at most ${SCHEMA_BYTES_MAX} characters`);
  return resolve(schema, { root: schema, path: [], refs: [], count: { nodes: 0 } });
}

function resolve(part: unknown, place: Place): JsonSchema {
  const { path, count } = place;
  if (!isObject(part)) throw new SchemaError(path, 'must be a schema, which is an object');
  if (path.length > DEPTH_MAX * 2) throw new SchemaError(path, `is nested deeper than ${DEPTH_MAX} levels`);
  if ((count.nodes += 1) > NODES_MAX) throw new SchemaError(path, `the schema has more than ${NODES_MAX} parts`);
  if ('$ref' in part) return followReference(part, place);
  if (!['type', 'enum', 'const', ...CHOICES].some((name) => name in part))
    throw new SchemaError(path, 'must have a type, or enum, const, $ref, anyOf, oneOf or allOf');
  refuseUnknownRequired(part, path);
  const kept = Object.entries(part).filter(([name]) => !NOTES.has(name) && !DEFINITIONS.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, keywordOf(name, value, within(place, name))]));
}

// The checker itself does not look for required members that `properties` lacks.
function refuseUnknownRequired({ required = [], properties = {} }: JsonSchema, path: string[]): void {
  const names = Array.isArray(required) ? required : [];
  const unknown = names.find((name) => !isObject(properties) || !Object.hasOwn(properties, String(name)));
  if (unknown !== undefined) throw new SchemaError([...path, 'required'], `names '${unknown}', which properties lack`);
}

const within = (place: Place, ...names: string[]): Place => ({ ...place, path: [...place.path, ...names] });

function followReference({ $ref: ref }: JsonSchema, place: Place): JsonSchema {
  const { root, path, refs } = place;
  const at = [...path, '$ref'];
  const [, group, name] = /^#\/(\$defs|definitions)\/([^/~]+)$/.exec(String(ref)) ?? [];
  const target = group && isObject(root[group]) ? root[group][name!] : undefined;
  if (target === undefined) throw new SchemaError(at, 'must name a part of $defs, as in "#/$defs/name"');
  if (refs.includes(name!)) throw new SchemaError(at, 'must not refer to a part that it is in');
  return resolve(target, { ...place, refs: [...refs, name!] });
}

function keywordOf(name: string, value: unknown, place: Place): unknown {
  const { path } = place;
  const limit = Object.hasOwn(LIMITS, name) ? LIMITS[name] : undefined;
  if (limit) {
    if (!limit(value)) throw new SchemaError(path, 'has a value of the wrong kind');
    return value;
  }
  if (CHOICES.includes(name)) return listOf(value, place).map((one, at) => resolve(one, within(place, `${at}`)));
  switch (name) {
    case 'type':
      return typeOf(value, path);
    case 'enum':
      if (listOf(value, place).every(isScalar)) return value;
      throw new SchemaError(path, 'must hold texts, numbers, booleans or null');
    case 'const':
      if (isScalar(value)) return value;
      throw new SchemaError(path, 'must be a text, a number, a boolean or null');
    case 'properties':
      return propertiesOf(value, place);
    case 'required':
      if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
      throw new SchemaError(path, 'must be a list of names');
    case 'items':
      return resolve(value, place);
    case 'additionalProperties':
      return typeof value === 'boolean' ? value : resolve(value, place);
    default:
      throw new SchemaError(path, 'is not among the supported keywords');
  }
}

function typeOf(value: unknown, path: string[]): unknown {
  const types = Array.isArray(value) ? value : [value];
  if (types.length > 0 && types.every((one) => JSON_TYPES.has(one as string))) return value;
  throw new SchemaError(path, `must be one or several of ${[...JSON_TYPES].join(', ')}`);
}

function listOf(value: unknown, { path }: Place): unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new SchemaError(path, 'must be a list that is not empty');
}

function propertiesOf(value: unknown, place: Place): JsonSchema {
  if (!isObject(value)) throw new SchemaError(place.path, 'must be an object');
  if (Object.hasOwn(value, '__proto__')) throw new SchemaError(place.path, "must have no member '__proto__'");
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, within(place, name))]));
}

const isScalar = (value: unknown) =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
