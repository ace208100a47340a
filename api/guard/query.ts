import type { z } from 'zod';
import { validationError } from '../errors.ts';
import type { Guard } from '../context.ts';

/** Checks the query string with the route's schema, whose output becomes `ctx.state.input`. Throws 422 `validation_error`. */
export function query(schema: z.ZodObject): Guard {
  return (ctx, next) => {
    const parsed = schema.safeParse(ctx.query);
    if (!parsed.success) throw validationError(parsed.error.issues.map(describe));
    ctx.state.input = parsed.data;
    return next();
  };
}

// The names of the reasons are those of FastAPI, whose form of a 422 this is.
const TYPES: Partial<Record<z.core.$ZodIssue['code'], string>> = {
  invalid_type: 'type_error',
  too_small: 'greater_than_equal',
  too_big: 'less_than_equal',
};

function describe({ code, message, path }: z.core.$ZodIssue) {
  return { loc: ['query', ...path.map(String)], msg: message, type: TYPES[code] ?? 'value_error' };
}
