import type { z } from 'zod';
import { isObject, UNSTORABLE, unstorableIn, withoutNulls } from '../../base/json.ts';
import { queryGuard, type Context, type Guard } from '../context.ts';
import { inFastApiWords, sentPath, UNKNOWN_MEMBER, valueAt } from './fastApiWords.ts';
import type { ApiError, ValidationIssue } from '../../base/errors/apiError.ts';
import { validationError, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { numberIssues, sentQuery, unservedPlace } from './sentQuery.ts';
import { trimmed } from './trimmed.ts';

/**
 * Makes a parser of a part of a request: returns the schema's output, which can be stored. Throws 422 `validation_error` with the first
 * issues and the number of further ones.
 */
export function parseWith<S extends z.ZodType>(
  schema: S,
  part: 'body' | 'query' | 'path' | 'header' | 'arguments',
): (value: unknown) => z.output<S> {
  return (value) => {
    const parsed = schema.safeParse(trimmed(schema, value, ISSUES_MAX));
    if (!parsed.success) throw refusalOf(part, parsed.error.issues, value);
    const unstorable = unstorableIn(parsed.data, [part]);
    if (unstorable) throw validationError([{ loc: unstorable, msg: UNSTORABLE, type: 'value_error' }]);
    return parsed.data;
  };
}

/** The same for a JSON object whose null members count as absent, because agents' clients send them. */
export function parseBody<S extends z.ZodType>(
  schema: S,
  part: 'body' | 'arguments' = 'body',
): (value: unknown) => z.output<S> {
  const parse = parseWith(schema, part);
  return (value) => parse(isObject(value) ? withoutNulls(value) : value);
}

// An error must not be larger than the request that it refuses.
export const ISSUES_MAX = 20;
const NAME_CHARS_MAX = 100;

function refusalOf(part: string, issues: z.core.$ZodIssue[], value: unknown): ApiError {
  const listed: ValidationIssue[] = [];
  let count = 0;
  for (const issue of issues) {
    const described = describe([part], issue, value, ISSUES_MAX - listed.length);
    // The one sentence of a schema is about all of its checks.
    if (described.length > 0 && described.every((one) => listed.some((known) => isSame(one, known)))) continue;
    listed.push(...described);
    count += issue.code === 'unrecognized_keys' ? issue.keys.length : Math.max(1, described.length);
  }
  return validationError(listed, undefined, count - listed.length);
}

const isSame = (one: ValidationIssue, other: ValidationIssue) =>
  one.msg === other.msg && one.loc.join('.') === other.loc.join('.');

const nameIn = (step: PropertyKey) => String(step).slice(0, NAME_CHARS_MAX);

/** The issues of an error, `issuesMax` at most. */
function describe(at: string[], issue: z.core.$ZodIssue, parent: unknown, issuesMax: number): ValidationIssue[] {
  if (issuesMax <= 0) return [];
  const loc = [...at, ...sentPath(parent, issue.path).map(nameIn)];
  const value = valueAt(parent, issue.path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, issuesMax).map((key) => ({ loc: [...loc, nameIn(key)], ...UNKNOWN_MEMBER }));
  // No form of the union fits: the issues of the closest form help most.
  const nearest = issue.code === 'invalid_union' ? nearestOf(issue.errors) : undefined;
  if (nearest) return nearest.flatMap((inner) => describe(loc, inner, value, issuesMax)).slice(0, issuesMax);
  return [{ loc, ...inFastApiWords(issue, value) }];
}

function nearestOf(options: z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  return options.find((issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0));
}

/** Checks the query string with the route's schema, whose output becomes `ctx.state.input`. Throws 422 `validation_error`. */
export function query<S extends z.ZodObject>(schema: S): Guard<z.output<S>> {
  const parse = parseQuery(schema);
  return queryGuard([422], (ctx, next) => {
    ctx.state.input = parse(sentQuery(ctx));
    return next();
  });
}

/** Makes a parser of a query. Throws 422 `validation_error`. */
export function parseQuery<S extends z.ZodObject>(schema: S): (query: Context['query']) => z.output<S> {
  const parse = parseWith(schema, 'query');
  return (query) => {
    const members = withPairs(query);
    const unserved = unservedPlace(schema, members);
    if (unserved) throw validationError([{ loc: ['query', unserved], ...UNKNOWN_MEMBER }]);
    const wrong = numberIssues(schema, members);
    if (wrong.length > 0) throw refusalOf('query', wrong, members);
    return parse(members);
  };
}

const PAIR = /^(\w+)\[([^[\]]+)\]$/;

/** `metadata[team]=a` is the member `team` of the object `metadata`, as OpenAI's and Stripe's clients write it (OpenAPI: `deepObject`). */
function withPairs(query: Context['query']): object {
  // Without a prototype, so that `__proto__` is a name like others, and refused.
  const folded = Object.create(null) as Record<string, unknown>;
  const pairs = new Map<string, Map<string, unknown>>();
  for (const [name, value] of Object.entries(query)) {
    const [, object, member] = PAIR.exec(name) ?? [];
    if (object === undefined) folded[name] = value;
    else pairs.set(object, (pairs.get(object) ?? new Map<string, unknown>()).set(member!, value));
  }
  for (const [object, members] of pairs) folded[object] ??= Object.fromEntries(members);
  return folded;
}

/** The same for a route with a body: the output becomes the member `query` of the input. */
export function alsoQuery<S extends z.ZodObject>(schema: S): Guard<{ query: z.output<S> }> {
  const parse = parseQuery(schema);
  return queryGuard([422], (ctx, next) => {
    ctx.state.input = { ...ctx.state.input, query: parse(sentQuery(ctx)) };
    return next();
  });
}

/** The guard of a body, then the guard of the query: the body's output with the member `query`. */
export const withQuery = <Body, S extends z.ZodObject>(
  ofBody: Guard<Body>,
  schema: S,
): Guard<Body & { query: z.output<S> }>[] => [ofBody, alsoQuery(schema)];

/** The path parameters that are ids of this service, with the prefix of each. */
const PATH_IDS = {
  a: 'aver',
  adjustment_id: 'adj',
  payout_id: 'po',
  price_id: 'price',
  agent_id: 'agent',
  agent_alert_id: 'aal',
  audit_entry_id: 'aud',
  b: 'aver',
  delivery_id: 'whd',
  deployment_id: 'dep',
  domain_id: 'dom',
  endpoint_id: 'we',
  entry_id: 'ent',
  event_id: 'evt',
  key_id: 'key',
  run_id: 'run',
  alert_id: 'alert',
  flow_rule_id: 'flow',
  memory_id: 'mem',
  invoice_id: 'inv',
  project_id: 'proj',
  evaluation_run_id: 'evalrun',
  schedule_id: 'sched',
  session_id: 'ses',
  step_id: 'step',
  version_id: 'aver',
  workspace_id: 'ws',
};

/** Whether `pathId` reads this path parameter, and so may refuse it. */
export const isPathId = (name: string): boolean => Object.hasOwn(PATH_IDS, name);

/** An id in the path: its prefix, `_`, letters and digits. Throws 422 `validation_error` for anything else. */
export function pathId(ctx: Context, name: keyof typeof PATH_IDS): string {
  const id = ctx.state.params[name]!;
  const prefix = PATH_IDS[name];
  if (id.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{1,60}$/.test(id.slice(prefix.length + 1))) return id;
  throw validationErrorAt(['path', name], `This id is ${prefix}_ and letters and digits.`);
}
