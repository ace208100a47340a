import { z } from 'zod';
import { isObject } from './json.ts';

/** A JSON Schema, limited to the part of draft 2020-12 that `faultOfSchema` takes. */
export type JsonSchema = Record<string, unknown>;

/** An error in a schema, or in data that does not fit one. `path` leads to it from the root. */
export interface SchemaFault {
  path: (string | number)[];
  message: string;
}

/** The most reasons that are looked for. */
export const FAULTS_MAX = 10;
/** How many parts of a schema with choices are tried on parts of data. Each takes some microseconds, and other callers wait meanwhile. */
const TRIES_MAX = 250_000;
/** Keywords that combine schemas. */
export const CHOICES = ['anyOf', 'oneOf', 'allOf'];

interface Check {
  faults: SchemaFault[];
  tries: number;
}

/**
 * Why data does not fit a resolved schema. It stops at the tenth reason: the library looks for all of them, and needs seconds for a long
 * list of wrong elements. Data for which too many choices would be tried do not fit.
 */
export function checkData(schema: JsonSchema, data: unknown): SchemaFault[] {
  const check: Check = { faults: [], tries: 0 };
  checkPart(check, schema, data, []);
  return check.faults.slice(0, FAULTS_MAX);
}

const isFull = ({ faults }: Check): boolean => faults.length >= FAULTS_MAX;

function checkPart(check: Check, part: JsonSchema, data: unknown, path: SchemaFault['path']): void {
  if (isFull(check)) return;
  const hasChoices = CHOICES.some((name) => name in part);
  const isPlain = !hasChoices && !('enum' in part) && !('const' in part);
  if (isPlain && part.type === 'array' && Array.isArray(data)) return checkItems(check, part, data, path);
  if (isPlain && part.type === 'object' && isObject(data)) return checkMembers(check, part, data, path);
  if (hasChoices || isMixed(part)) {
    check.tries += triesOf(part, data, TRIES_MAX - check.tries);
    if (check.tries > TRIES_MAX) {
      check.faults.push({ path, message: 'Invalid input: too much data for the choices of the schema' });
      return;
    }
  }
  note(check, part, data, path);
}

/** The library's reasons about one part. */
function note({ faults }: Check, part: JsonSchema, data: unknown, path: SchemaFault['path']): void {
  const parsed = checkerOf(part).safeParse(data);
  for (const issue of parsed.error?.issues ?? []) {
    const within = issue.path.map((name) => (typeof name === 'symbol' ? '' : name));
    faults.push({ path: [...path, ...within], message: issue.message });
  }
}

function checkItems(check: Check, part: JsonSchema, data: unknown[], path: SchemaFault['path']): void {
  note(check, shallowOf(part), data, path);
  if (!isObject(part.items)) return;
  for (const [at, item] of data.entries()) {
    if (isFull(check)) return;
    checkPart(check, part.items, item, [...path, at]);
  }
}

function checkMembers(check: Check, part: JsonSchema, data: JsonSchema, path: SchemaFault['path']): void {
  const { required = [], additionalProperties } = part;
  const properties = propertiesOf(part);
  for (const [name, member] of Object.entries(properties)) {
    if (Object.hasOwn(data, name)) checkPart(check, member, data[name], [...path, name]);
    else if ((required as string[]).includes(name)) note(check, member, undefined, [...path, name]);
  }
  note(check, shallowOf(part), data, path);
  if (!isObject(additionalProperties)) return;
  for (const [name, value] of Object.entries(data))
    if (!Object.hasOwn(properties, name)) checkPart(check, additionalProperties, value, [...path, name]);
}

const propertiesOf = ({ properties }: JsonSchema) =>
  (isObject(properties) ? properties : {}) as Record<string, JsonSchema>;

/** How many parts of a schema the library may try on data; at most a little more than `max`. */
function triesOf(part: JsonSchema, data: unknown, max: number): number {
  let tries = 1 + (Array.isArray(part.enum) ? part.enum.length / ENUM_OF_ONE_TRY : 0);
  const add = (inner: unknown, value: unknown) => {
    if (tries <= max && isObject(inner)) tries += triesOf(inner, value, max - tries);
  };
  for (const name of CHOICES) for (const one of (part[name] ?? []) as unknown[]) add(one, data);
  if (Array.isArray(data)) for (const item of data) add(part.items, item);
  else if (isObject(data))
    for (const [name, value] of Object.entries(data)) {
      const properties = propertiesOf(part);
      add(Object.hasOwn(properties, name) ? properties[name] : part.additionalProperties, value);
    }
  return tries;
}

// How many values cost as much as one part.
const ENUM_OF_ONE_TRY = 20;

/** The library tries such values one after the other, and finds texts at once. */
const isMixed = (part: JsonSchema) => Array.isArray(part.enum) && part.enum.some((one) => typeof one !== 'string');

const shallows = new WeakMap<JsonSchema, JsonSchema>();

/** What a list or an object asks for itself: its items and members are checked apart. */
function shallowOf(part: JsonSchema): JsonSchema {
  const known = shallows.get(part);
  if (known) return known;
  const { required: _required, properties: _properties, additionalProperties, ...shallow } = part;
  // Without any schema of its items the library forgets how many there may be.
  if (part.type === 'array') shallow.items = {};
  if (part.type === 'object') {
    const names = Object.keys(propertiesOf(part));
    shallow.properties = Object.fromEntries(names.map((name) => [name, {}]));
    if (typeof additionalProperties === 'boolean') shallow.additionalProperties = additionalProperties;
  }
  shallows.set(part, shallow);
  return shallow;
}

const checkers = new WeakMap<JsonSchema, z.ZodType>();

function checkerOf(part: JsonSchema): z.ZodType {
  let checker = checkers.get(part);
  if (!checker) checkers.set(part, (checker = z.fromJSONSchema(part)));
  return checker;
}
