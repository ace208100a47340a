import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { body } from '../../../api/body/body.ts';
import { alsoQuery, parseBody, query, withQuery } from '../../../api/body/parseWith.ts';
import type { Guard, Handler } from '../../../api/context.ts';
import { keyedBy } from '../../../api/guard/key.ts';
import { limitedAs } from '../../../api/guard/rate.ts';
import type { post } from '../../../api/http/router.ts';

/** Whether `post` takes a handler that reads this input behind these guards. */
type Takes<Guards, Needed> = Guards extends readonly Guard<infer Input>[]
  ? Handler<Needed> extends Parameters<typeof post<Input>>[2]
    ? true
    : false
  : never;

const plain = limitedAs(() => 'call');
const keyed = keyedBy(plain, plain);
const named = body(parseBody(z.object({ name: z.string() })));
const paged = z.object({ limit: z.coerce.number() });

// The compiler compares; the values only name its findings.
test('tsc takes a handler whose input its guards set, and refuses any other', () => {
  const list = [plain, named, plain];
  const same: Takes<typeof list, { name: string }> = true;
  const fewer: Takes<typeof list, { name?: string }> = true;
  const nothing: Takes<typeof list, unknown> = true;
  const more: Takes<typeof list, { name: string; age: number }> = false;
  const another: Takes<typeof list, { name: number }> = false;
  expect([same, fewer, nothing, more, another]).toEqual([true, true, true, false, false]);
});

test('tsc refuses a handler with an input behind guards that set none', () => {
  const guards = keyed(plain);
  const none: Takes<typeof guards, { name: string }> = false;
  expect(none).toBe(false);
});

test('the guards of a key keep the type of their checks', () => {
  const guards = [...keyed(plain, query(paged)), plain];
  const same: Takes<typeof guards, { limit: number }> = true;
  const another: Takes<typeof guards, { limit: string }> = false;
  expect([same, another]).toEqual([true, false]);
});

test('a query beside a body is a member of the input', () => {
  const [alone, both] = [keyed(alsoQuery(paged)), keyed(...withQuery(named, paged))];
  const ofQuery: Takes<typeof alone, { query: { limit: number } }> = true;
  const ofBoth: Takes<typeof both, { name: string; query: { limit: number } }> = true;
  const withoutBody: Takes<typeof alone, { name: string }> = false;
  expect([ofQuery, ofBoth, withoutBody]).toEqual([true, true, false]);
});
