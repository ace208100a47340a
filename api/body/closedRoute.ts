import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { isObject } from '../../base/json.ts';
import { invalidValue, unsupportedParameter } from '../../base/errors/invalidRequest.ts';
import { validationError } from '../../base/errors/requestErrors.ts';
import { guard, type Guard } from '../context.ts';
import { optionalBody, optionalTextBody } from './body.ts';
import { UNKNOWN_MEMBER } from './fastApiWords.ts';
import { parseWith } from './parseWith.ts';
import { sentQuery } from './sentQuery.ts';

// Files and uploads are the agents' too, whose errors they have at their shorter address.
const OPENAI =
  /^\/textapi\/|^\/v1\/(?:chat|completions|responses|embeddings|audio|models|uploads|batches|realtime)(?:\/|$)/;
const NAME_CHARS_MAX = 100;

const openAi = {
  query: refuseQuery(400, unsupportedParameter),
  body: refuseBody(optionalTextBody<unknown>(noMembers)),
};
const others = {
  query: refuseQuery(422, (name) => validationError([{ loc: ['query', name], ...UNKNOWN_MEMBER }])),
  body: refuseBody(optionalBody<unknown>(parseWith(z.strictObject({}), 'body'))),
};

/** Refuses every member of the query by name, for a route of this path that has none: 400 in OpenAI's family, 422 in the others. */
export const closedQuery = (path: string): Guard => (OPENAI.test(path) ? openAi : others).query;

/** The same for a body. An empty object counts as no body: some clients send it with every POST. */
export const closedBody = (path: string): Guard => (OPENAI.test(path) ? openAi : others).body;

function refuseQuery(status: 400 | 422, errorFor: (name: string) => Error): Guard {
  return guard([status], (ctx, next) => {
    if (ctx.querystring === '') return next();
    const [name] = Object.keys(sentQuery(ctx));
    if (name === undefined) return next();
    throw errorFor(name.slice(0, NAME_CHARS_MAX));
  });
}

function refuseBody(read: Guard): Guard {
  return guard(read.refusals, (ctx, next) => {
    if (!hasBody(ctx.req)) return next();
    const { input } = ctx.state;
    return read(ctx, () => {
      ctx.state.input = input;
      return next();
    });
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function noMembers(value: unknown): void {
  if (!isObject(value)) throw invalidValue('body', 'This request has no body: leave it out.');
  const [name] = Object.keys(value);
  if (name !== undefined) throw unsupportedParameter(name.slice(0, NAME_CHARS_MAX));
}
