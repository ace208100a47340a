import type { z } from 'zod';
import { guard, type Guard } from '../context.ts';
import { explainIssue } from '../../calls/text/parameters/explainIssue.ts';
import { firstIssue } from '../../calls/text/parameters/firstIssue.ts';
import { InvalidRequest } from '../../base/errors/invalidRequest.ts';
import { isStorable } from '../../base/json.ts';

/** Checks the query of a route in OpenAI's family; the schema's output becomes `ctx.state.input`. Throws `InvalidRequest`. */
export function textQuery<S extends z.ZodObject>(schema: S): Guard<z.output<S>> {
  return guard([400], (ctx, next) => {
    const parsed = schema.safeParse(ctx.query);
    if (!parsed.success) throw refusalOf(schema, ctx.query);
    for (const [name, value] of Object.entries(parsed.data))
      if (typeof value === 'string' && !isStorable(value))
        throw new InvalidRequest('invalid_value', name, `Invalid '${name}': a text holds no NUL (U+0000).`);
    ctx.state.input = parsed.data;
    return next();
  });
}

function refusalOf(schema: z.ZodObject, query: unknown): InvalidRequest {
  const found = firstIssue(schema, query);
  return found === null ? new InvalidRequest('invalid_value', null, 'Invalid query.') : explainIssue(found);
}
