import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import type { Context } from '../context.ts';

/** The number of the tag in `If-Match`, `"dir-7"` for example; undefined for any. `meaning` is the number's. Throws 422 for another tag. */
export function ifMatchOf(ctx: Context, prefix: string, meaning: string): number | undefined {
  const given = ctx.get('if-match');
  if (given === '' || given === '*') return undefined;
  const number = new RegExp(`^"${prefix}-(0|[1-9]\\d{0,8})"$`).exec(given);
  if (number) return Number(number[1]);
  throw validationErrorAt(['header', 'if-match'], `If-Match is "${prefix}-" and ${meaning}, in double quotes.`);
}
