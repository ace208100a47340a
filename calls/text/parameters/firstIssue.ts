import { z } from 'zod';
import { isObject } from '../../../base/json.ts';
import type { Json } from '../../../providers/provider.ts';

/** The first issue of a value: the message of the innermost failing schema, its path, and the value there. */
export interface FoundIssue {
  issue: z.core.$ZodIssue;
  path: PropertyKey[];
  value: unknown;
  /** Whether only integers are allowed here. */
  wantsInteger: boolean;
}

/**
 * Finds the first issue of a value in document order, or null when there is none. Zod collects every issue: a body of a million bad
 * messages would cost a million reports, so this walks the value itself and stops at the first. Valid parts are skipped by compiled
 * checks.
 */
export function firstIssue(schema: z.core.$ZodType, value: unknown, path: PropertyKey[] = []): FoundIssue | null {
  const inner = unwrap(schema, value);
  const types = inner instanceof z.ZodUnion ? typesMissedBy(value, inner) : undefined;
  if (types && isObject(value)) return ofNoType(types, value, path);
  if (inner instanceof z.ZodArray && Array.isArray(value)) return inItems(inner, value, path);
  if (inner instanceof z.ZodRecord && isObject(value)) return inEntries(inner, value, path);
  if (inner instanceof z.ZodObject && isObject(value)) return inMembers(inner, value, path);
  return inItself(inner, value, path);
}

/** The schema that explains the value: without its optional wrapper, and of a union the option that the value most likely means. */
function unwrap(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return value === undefined || value === null ? schema : unwrap(schema.unwrap(), value);
  }
  if (!(schema instanceof z.ZodUnion)) return schema;
  const alike = schema.options.filter((option) => isAlike(option, value, schema));
  const meant =
    alike.find((option) => checkOf(option)(value)) ??
    alike.find((option) => itemsAreAlike(option, value) && typeIsAlike(option, value)) ??
    (typesMissedBy(value, schema) ? undefined : alike[0]);
  return meant === undefined ? schema : unwrap(meant, value);
}

/** Whether an option of a union matches the value's kind; among several kinds of object, by its tag. */
function isAlike(option: z.core.$ZodType, value: unknown, union: z.ZodUnion): boolean {
  if (option instanceof z.ZodArray) return Array.isArray(value);
  if (option instanceof z.ZodEnum) return typeof value === 'string';
  if (!isObject(value)) return false;
  if (!(union instanceof z.ZodDiscriminatedUnion)) return option instanceof z.ZodUnion || option instanceof z.ZodObject;
  const { discriminator } = union.def;
  return option instanceof z.ZodObject && checkOf(option.shape[discriminator])(value[discriminator]);
}

/** Of several kinds of object without a common tag, those whose `type` is the value's. */
function typeIsAlike(option: z.core.$ZodType, value: unknown): boolean {
  if (option instanceof z.ZodUnion) return option.options.some((inner) => typeIsAlike(inner, value));
  const type: unknown = option instanceof z.ZodObject ? option.shape.type : undefined;
  return !isObject(value) || type === undefined || checkOf(type as z.core.$ZodType)(value.type);
}

/** The types of a union, if a value is an object with none of them. */
function typesMissedBy(value: unknown, union: z.ZodUnion): unknown[] | undefined {
  if (!isObject(value)) return undefined;
  const types = typesOf(union);
  return types?.includes(value.type) ? undefined : types;
}

/** The types of a union without a tag of its own, if each of its options is an object that has one; undefined for other unions. */
function typesOf(union: z.ZodUnion): unknown[] | undefined {
  if (union instanceof z.ZodDiscriminatedUnion) return undefined;
  const types = union.options.flatMap(typesIn);
  return types.includes(undefined) ? undefined : [...new Set(types)];
}

function typesIn(option: z.core.$ZodType): unknown[] {
  if (option instanceof z.ZodUnion) return option.options.flatMap(typesIn);
  const type: unknown = option instanceof z.ZodObject ? option.shape.type : undefined;
  return type instanceof z.ZodLiteral ? [...type.values] : [undefined];
}

function ofNoType(types: unknown[], { type: value }: Json, path: PropertyKey[]): FoundIssue {
  const issue = { code: 'invalid_value', values: types, input: value, path: [], message: '' } as z.core.$ZodIssue;
  return { issue, path: [...path, 'type'], value, wantsInteger: false };
}

/** Of several lists (strings, numbers, lists of numbers), the one that matches the first item. */
function itemsAreAlike(option: z.core.$ZodType, value: unknown): boolean {
  if (!(option instanceof z.ZodArray) || !Array.isArray(value)) return true;
  const item = option.element;
  // A number out of range still counts as a number.
  if (item instanceof z.ZodNumber) return typeof value[0] === 'number';
  return item instanceof z.ZodArray ? Array.isArray(value[0]) : checkOf(item)(value[0]);
}

function inItems(schema: z.ZodArray, items: unknown[], path: PropertyKey[]): FoundIssue | null {
  const passes = checkOf(schema.element);
  const index = items.findIndex((item) => !passes(item));
  if (index === -1) return inItself(schema, items, path);
  return firstIssue(schema.element, items[index], [...path, index]);
}

function inEntries(schema: z.ZodRecord, entries: Json, path: PropertyKey[]): FoundIssue | null {
  const passes = checkOf(schema.valueType);
  const key = Object.keys(entries).find((name) => !passes(entries[name]));
  if (key === undefined) return inItself(schema, entries, path);
  return firstIssue(schema.valueType, entries[key], [...path, key]);
}

const checks = new WeakMap<z.core.$ZodType, (value: unknown) => boolean>();

function checkOf(schema: z.core.$ZodType): (value: unknown) => boolean {
  const known = checks.get(schema);
  if (known) return known;
  const compiled = z.compile(schema as z.ZodType, { strict: true });
  const check = (value: unknown) => compiled.validate(value);
  checks.set(schema, check);
  return check;
}

function inMembers(schema: z.ZodObject, members: Json, path: PropertyKey[]): FoundIssue | null {
  for (const [name, member] of Object.entries(schema.shape)) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    const found = firstIssue(member, value, [...path, name]);
    if (found !== null) return found;
  }
  // What remains is an unknown member.
  return inItself(schema, members, path);
}

function inItself(schema: z.core.$ZodType, value: unknown, path: PropertyKey[]): FoundIssue | null {
  const issue = z.safeParse(schema, value).error?.issues[0];
  if (issue === undefined) return null;
  const wantsInteger = schema instanceof z.ZodNumber && schema.isInt;
  return { issue, path: [...path, ...issue.path], value, wantsInteger };
}
