import { z } from 'zod';
import { isObject } from '../../base/json.ts';
import type { Context } from '../context.ts';

/** A number in a query that its parameter does not allow, as an issue of the schema. */
type NumberIssue = z.core.$ZodIssueInvalidType;

const INTEGER = /^-?\d+$/;
/** A number as clients write it, also very small and large ones. */
const DECIMAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** A text as a number. Other text stays unchanged, and the schema refuses it. */
export const numberIn = (text: string | undefined): number | string | undefined =>
  text === undefined || !DECIMAL.test(text) || !Number.isFinite(Number(text)) ? text : Number(text);

const CACHE_BUSTER = '_';

/** The members of the query, without the number that pages add to a GET (`_=1732827600000`) against caches: no answer is cached. */
export function sentQuery({ method, query }: Pick<Context, 'method' | 'query'>): Context['query'] {
  const added = query[CACHE_BUSTER];
  if (method !== 'GET' || typeof added !== 'string' || !/^\d{1,20}$/.test(added)) return query;
  const { [CACHE_BUSTER]: _, ...members } = query;
  return members;
}

/**
 * The member of OpenAI's other lists by which clients go back, if a list that goes on by `after` gets it: the vendor's lists take members
 * that they do not know, but without this one the page is another one.
 */
export const unservedPlace = ({ shape }: z.ZodObject, query: object): 'before' | undefined =>
  Object.hasOwn(shape, 'after') && Object.hasOwn(query, 'before') ? 'before' : undefined;

/**
 * The numbers that are not written in decimal digits: the schema reads them by `Number`, to which `0x5`, `1e1`, ` 5` and an empty text are
 * numbers too, and in JSON `true`, `null` and `[5]`.
 */
export function numberIssues({ shape }: z.ZodObject, query: unknown): NumberIssue[] {
  if (!isObject(query)) return [];
  return Object.entries(query).flatMap(([name, value]) => {
    const number = Object.hasOwn(shape, name) ? readNumber(shape[name]) : undefined;
    if (!number || value === undefined || typeof value === 'number') return [];
    if (typeof value === 'string' && (number.isInt ? INTEGER : DECIMAL).test(value)) return [];
    const expected = number.isInt ? 'int' : 'number';
    return [{ code: 'invalid_type', expected, path: [name], message: 'Invalid input', input: value }];
  });
}

/** The schema of a number that is read from text; undefined for other members. */
function readNumber(schema: z.core.$ZodType | undefined): z.ZodNumber | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return readNumber(schema.unwrap());
  if (schema instanceof z.ZodPipe) {
    const { in: read, out } = schema;
    return out instanceof z.ZodNumber && readNumber(read) ? out : readNumber(read);
  }
  return schema instanceof z.ZodNumber && schema.def.coerce ? schema : undefined;
}
