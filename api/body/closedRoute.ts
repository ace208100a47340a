import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { isObject } from '../../base/json.ts';
import { invalidValue, unsupportedParameter } from '../../base/errors/invalidRequest.ts';
import { validationError } from '../../base/errors/requestErrors.ts';
import { guard, queryGuard, type Context, type Guard } from '../context.ts';
import { optionalBody, optionalTextBody } from './body.ts';
import { UNKNOWN_MEMBER } from './fastApiWords.ts';
import { parseWith } from './parseWith.ts';
import { sentQuery } from './sentQuery.ts';

// Files and uploads are the agents' too, whose errors they have at their shorter address.
const OPENAI =
  /^\/textapi\/|^\/v1\/(?:chat|completions|responses|embeddings|audio|models|uploads|batches|realtime)(?:\/|$)/;
const ELEVENLABS = /^\/voiceapi\//;
const NAME_CHARS_MAX = 100;

const openAiBody = refuseBody(optionalTextBody<unknown>(noMembers));
const ownBody = refuseBody(optionalBody<unknown>(parseWith(z.strictObject({}), 'body')));

// As at OpenAI and ElevenLabs: their clients add members on demand (`extra_query`), and some by themselves (`beta=true`, `show_legacy`).
const openQuery = queryGuard([], (_, next) => next());
const ownQuery = queryGuard([422], (ctx, next) => {
  refuseUnknownQuery(ctx, []);
  return next();
});

/** Throws 422 `validation_error` for a member of the query that is none of these. */
export function refuseUnknownQuery(ctx: Context, known: readonly string[]): void {
  if (ctx.querystring === '') return;
  const name = Object.keys(sentQuery(ctx)).find((sent) => !known.includes(sent));
  if (name !== undefined) throw validationError([{ loc: ['query', name.slice(0, NAME_CHARS_MAX)], ...UNKNOWN_MEMBER }]);
}

/** For a route of this path that has no members of a query: refuses them by name. The routes of OpenAI and ElevenLabs take any. */
export const closedQuery = (path: string): Guard => (OPENAI.test(path) || ELEVENLABS.test(path) ? openQuery : ownQuery);

/**
 * Refuses a body with members by name, for a route of this path that has none: 400 in OpenAI's family, 422 in the others. An empty object
 * counts as no body: some clients send it with every POST.
 */
export const closedBody = (path: string): Guard => (OPENAI.test(path) ? openAiBody : ownBody);

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
