import { z } from 'zod';
import { isObject } from '../../base/json.ts';

// Smaller ones cost nothing worth saving.
const WIDE = 100;

/**
 * A value as it is, or without what follows the `faultsMax`-th wrong item of a long list or member of a wide record: the schema looks for
 * all of them, and needs seconds for a megabyte. What is left still has faults, so a value that is cut is refused.
 */
export function trimmed(schema: z.core.$ZodType, value: unknown, faultsMax: number): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return trimmed(schema.unwrap(), value, faultsMax);
  if (schema instanceof z.ZodPipe && schema.in instanceof z.ZodTransform) return trimmed(schema.out, value, faultsMax);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    if (value.length <= WIDE) return value;
    const length = lengthWith(value, faultsMax, (item) => fits(schema.element, item));
    return length === value.length ? value : value.slice(0, length);
  }
  if (!isObject(value)) return value;
  if (schema instanceof z.ZodObject) return trimmedMembers(schema, value, faultsMax);
  if (!(schema instanceof z.ZodRecord)) return value;
  const names = Object.keys(value);
  if (names.length <= WIDE) return value;
  const fitsHere = (name: string) => fits(schema.keyType, name) && fits(schema.valueType, value[name]);
  const length = lengthWith(names, faultsMax, fitsHere);
  return length === names.length
    ? value
    : Object.fromEntries(names.slice(0, length).map((name) => [name, value[name]]));
}

function trimmedMembers(schema: z.ZodObject, value: Record<string, unknown>, faultsMax: number): unknown {
  let result = value;
  for (const [name, member] of Object.entries(schema.shape)) {
    if (!Object.hasOwn(value, name)) continue;
    const shorter = trimmed(member, value[name], faultsMax);
    if (shorter !== value[name]) result = { ...result, [name]: shorter };
  }
  return result;
}

/** How many items there are up to the `faultsMax`-th one that does not fit; all, if there are fewer. */
function lengthWith<Item>(items: Item[], faultsMax: number, fitsHere: (item: Item) => boolean): number {
  let faults = 0;
  const last = items.findIndex((item) => !fitsHere(item) && (faults += 1) === faultsMax);
  return last === -1 ? items.length : last + 1;
}

const fits = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success;
