import { STRING_FORMATS, wholeBounds } from './jsonRules.ts';
import { isObject } from '../../base/json.ts';
import { JSON_TYPES } from '../../base/jsonSchema.ts';

type Schema = Record<string, unknown>;

const KEPT = new Set(
  (
    'type title description default examples const enum $ref anyOf oneOf allOf $defs definitions properties required ' +
    'additionalProperties items prefixItems minItems maxItems minLength maxLength format minimum maximum exclusiveMinimum exclusiveMaximum'
  ).split(' '),
);
// A longer repetition is not worth its cost without strict mode.
const LENGTH_MAX = 200;
const VALUES_MAX = 1_000;
const DEPTH_MAX = 30;

/**
 * The part of a schema that the grammar can guarantee, for tools and formats that are not strict: there a schema is a hint. Other keywords
 * (`pattern`, `not`, `multipleOf`, `discriminator`, `patternProperties` and so on) are left out, and an inexpressible schema allows any
 * value. Never throws.
 */
export function relaxSchema(schema: unknown): Schema | true {
  return relax(schema, 0);
}

function relax(schema: unknown, depth: number): Schema | true {
  if (!isObject(schema) || depth > DEPTH_MAX) return true;
  const kept = withoutAllOf(Object.fromEntries(Object.entries(schema).filter(([key]) => KEPT.has(key))));
  if (kept.const !== undefined || Array.isArray(kept.enum)) return literals(kept);
  if (typeof kept.$ref === 'string')
    return kept.$ref.startsWith('#') ? withDefinitions(kept, { $ref: kept.$ref }, depth) : true;
  const branches = kept.properties ? undefined : (kept.anyOf ?? kept.oneOf);
  if (Array.isArray(branches) && branches.length > 0)
    return withDefinitions(kept, { anyOf: branches.map((branch) => relax(branch, depth + 1)) }, depth);
  return withDefinitions(kept, typed(kept, depth), depth);
}

function literals({ const: only, enum: listed }: Schema): Schema | true {
  if (only !== undefined) return { const: only };
  return (listed as unknown[]).length > VALUES_MAX ? true : { enum: listed };
}

/** The members of all object parts together. */
function withoutAllOf({ allOf, ...schema }: Schema): Schema {
  if (!Array.isArray(allOf)) return schema;
  const sum: Schema = {};
  const properties: Schema = {};
  const required: unknown[] = [];
  for (const part of [schema, ...allOf.filter(isObject)]) {
    Object.assign(sum, part);
    if (isObject(part.properties)) Object.assign(properties, part.properties);
    for (const name of listOf(part.required)) required.push(name);
  }
  return { ...sum, ...(isObject(sum.properties) && { properties }), ...(required.length > 0 && { required }) };
}

function typed(schema: Schema, depth: number): Schema {
  const types = [schema.type].flat().filter((type): type is string => JSON_TYPES.has(type as string));
  const result: Schema = types.length > 0 ? { type: types.length === 1 ? types[0] : types } : {};
  return {
    ...result,
    ...objectPart(schema, depth),
    ...arrayPart(schema, depth),
    ...stringPart(schema),
    ...numberPart(schema),
  };
}

function objectPart({ properties, required, additionalProperties: others }: Schema, depth: number): Schema {
  const names = listOf(required).filter((name): name is string => typeof name === 'string');
  if (!isObject(properties) && names.length === 0)
    return others === undefined ? {} : { additionalProperties: relax(others, depth + 1) };
  const declared = Object.entries(isObject(properties) ? properties : {});
  const known = new Set(declared.map(([name]) => name));
  const undeclared = names.filter((name) => !known.has(name)).map((name) => [name, true] as const);
  const members = declared.map(([name, property]) => [name, relax(property, depth + 1)] as const);
  return { properties: Object.fromEntries([...members, ...undeclared]), required: names };
}

function arrayPart({ items, prefixItems, minItems, maxItems }: Schema, depth: number): Schema {
  if (Array.isArray(prefixItems) && prefixItems.length > 0)
    return { prefixItems: prefixItems.map((item) => relax(item, depth + 1)) };
  return {
    ...(items !== undefined && { items: relax(items, depth + 1) }),
    ...range('minItems', minItems, 'maxItems', maxItems),
  };
}

function stringPart({ format, minLength, maxLength }: Schema): Schema {
  if (STRING_FORMATS.has(format)) return { format };
  return range('minLength', minLength, 'maxLength', maxLength);
}

/** A range of lengths; a disproportionate or empty range is left out. */
function range(minName: string, min: unknown, maxName: string, max: unknown): Schema {
  const from =
    Number.isInteger(min) && (min as number) >= 0 && (min as number) <= LENGTH_MAX ? (min as number) : undefined;
  const to =
    Number.isInteger(max) && (max as number) <= LENGTH_MAX && (max as number) >= (from ?? 0)
      ? (max as number)
      : undefined;
  return { ...(from !== undefined && { [minName]: from }), ...(to !== undefined && { [maxName]: to }) };
}

function numberPart(schema: Schema): Schema {
  const names = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;
  const bounds = Object.fromEntries(
    names.flatMap((name) => (typeof schema[name] === 'number' ? [[name, schema[name]]] : [])),
  );
  const { min, max } = wholeBounds(bounds);
  return min <= max ? bounds : {};
}

function withDefinitions(from: Schema, schema: Schema, depth: number): Schema {
  const definitions = ['$defs', 'definitions'].flatMap((name) => {
    const group = from[name];
    if (!isObject(group)) return [];
    const relaxed = Object.entries(group).map(([key, value]) => [key, relax(value, depth + 1)] as const);
    return [[name, Object.fromEntries(relaxed)] as const];
  });
  return { ...schema, ...Object.fromEntries(definitions) };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
