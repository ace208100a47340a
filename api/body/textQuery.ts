import type { z } from 'zod';
import { guard, type Guard } from '../context.ts';
import { explainIssue } from '../../calls/text/parameters/explainIssue.ts';
import { firstIssue } from '../../calls/text/parameters/firstIssue.ts';
import { refuseUnstorable } from '../../calls/text/parameters/refusal.ts';
import { InvalidRequest } from '../../base/errors/invalidRequest.ts';

/** Checks the query of a route in OpenAI's family; the schema's output becomes `ctx.state.input`. Throws `InvalidRequest`. */
export function textQuery<S extends z.ZodObject>(schema: S): Guard<z.output<S>> {
  return guard([400], (ctx, next) => {
    const parsed = schema.safeParse(ctx.query);
    if (!parsed.success) throw refusalOf(schema, ctx.query);
    refuseUnstorable(parsed.data);
    ctx.state.input = parsed.data;
    return next();
  });
}

function refusalOf(schema: z.ZodObject, query: unknown): InvalidRequest {
  const found = firstIssue(schema, query);
  return found === null ? new InvalidRequest('invalid_value', null, 'Invalid query.') : explainIssue(found);
}
