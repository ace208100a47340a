import type { z } from 'zod';
import { queryGuard, type Context, type Guard } from '../context.ts';
import { explainIssue } from '../../calls/text/parameters/explainIssue.ts';
import { firstIssue } from '../../calls/text/parameters/firstIssue.ts';
import { refuseUnstorable } from '../../calls/text/parameters/refusal.ts';
import { InvalidRequest, unsupportedParameter } from '../../base/errors/invalidRequest.ts';
import { numberIssues, sentQuery, unservedPlace } from './sentQuery.ts';

/** Checks the query of a route in OpenAI's family; the schema's output becomes `ctx.state.input`. Throws `InvalidRequest`. */
export function textQuery<S extends z.ZodObject>(schema: S): Guard<z.output<S>> {
  return queryGuard([400], (ctx, next) => {
    ctx.state.input = parsed(schema, ctx);
    return next();
  });
}

function parsed<S extends z.ZodObject>(schema: S, ctx: Context): z.output<S> {
  const query = sentQuery(ctx);
  const unserved = unservedPlace(schema, query);
  if (unserved) throw unsupportedParameter(unserved);
  const [wrong] = numberIssues(schema, query);
  if (wrong) throw explainIssue({ issue: wrong, path: wrong.path, value: wrong.input, wantsInteger: true });
  const { success, data } = schema.safeParse(query);
  if (!success) throw refusalOf(schema, query);
  refuseUnstorable(data);
  return data;
}

function refusalOf(schema: z.ZodObject, query: unknown): InvalidRequest {
  const found = firstIssue(schema, query);
  return found === null ? new InvalidRequest('invalid_value', null, 'Invalid query.') : explainIssue(found);
}
