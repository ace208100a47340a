import type { z } from 'zod';
import type { Guard } from '../context.ts';
import { parseWith } from './parseWith.ts';

/** Checks the query string with the route's schema, whose output becomes `ctx.state.input`. Throws 422 `validation_error`. */
export function query(schema: z.ZodObject): Guard {
  const parse = parseWith(schema, 'query');
  return (ctx, next) => {
    ctx.state.input = parse(ctx.query);
    return next();
  };
}

/** The same after `body`: the body's output stays, with the query's output as its member `query`. */
export function alsoQuery(schema: z.ZodObject): Guard {
  const parse = parseWith(schema, 'query');
  return (ctx, next) => {
    ctx.state.input = { ...(ctx.state.input as object | undefined), query: parse(ctx.query) };
    return next();
  };
}
