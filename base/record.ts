import { z } from 'zod';
import { isObject } from './json.ts';

/** A record in which a member named `__proto__` is refused: Zod’s own leaves it out, and the caller would lose it without a word. */
export const record = <Key extends z.ZodString, Value extends z.ZodType>(key: Key, value: Value) =>
  z.preprocess(refuseLeftOut, z.record(key, value));

function refuseLeftOut(sent: unknown, context: z.RefinementCtx): unknown {
  if (isObject(sent) && Object.hasOwn(sent, '__proto__'))
    context.addIssue({ code: 'custom', path: ['__proto__'], message: 'This name is not possible.' });
  return sent;
}
