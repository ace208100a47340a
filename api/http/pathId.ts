import type { Context } from '../context.ts';
import { validationError } from '../errors/requestErrors.ts';

/** An id in the path: `prefix_` followed by letters and digits. Throws 422 `validation_error` for anything else. */
export function pathId(ctx: Context, name: string, prefix: string): string {
  const id = ctx.state.params[name]!;
  if (id.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{1,60}$/.test(id.slice(prefix.length + 1))) return id;
  throw validationError([
    { loc: ['path', name], msg: `This id is ${prefix}_ and letters and digits.`, type: 'value_error' },
  ]);
}
