import { z } from 'zod';
import { explain, type BillLine, type Explanation, type Subject } from '../../db/accounting/explanation.ts';
import { usdOf, usdTextOf, usdTextOfPicos } from '../../db/money.ts';
import type { Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { asSentence } from '../../base/sentences.ts';
import type { Services } from '../services.ts';
import { requestIdIn } from '../../calls/text/responseId.ts';
import { presentEntry } from './billing.ts';
import { LedgerEntry } from './billingAnswers.ts';
import { presentRequest } from '../requests/presentRequest.ts';
import { findEnded } from '../requests/requests.ts';
import { EndedCall } from '../requests/requestAnswers.ts';

const usd = z.number();

const ExplainedRun = z.object({
  id: z.string(),
  object: z.literal('run'),
  agent: z.string(),
  version: z.string(),
  status: z.string(),
  total_usd: usd,
  absorbed_usd: usd.describe('What a failed run consumed, which the platform bears.'),
  created_at: z.iso.datetime(),
  settled_at: z.iso.datetime().nullable(),
});

const ExplanationAnswer = z.object({
  object: z.literal('explanation'),
  id: z.string(),
  request: EndedCall.nullable(),
  run: ExplainedRun.nullable(),
  model: z.string().nullable(),
  agent: z.string().nullable(),
  lines: z.array(
    z.object({
      unit: z.string(),
      quantity: z.number(),
      price_usd: usd.nullable().describe('Of one unit, as it was when the call was made; null for a part without one.'),
      per: z.string().nullable(),
      cost_usd: usd.describe('Exact, to the pico-USD.'),
      description: z.string(),
    }),
  ),
  rounding_usd: usd.describe('A bill is rounded once, half up, to the nano-USD.'),
  total_usd: usd.describe('The lines and the rounding, exactly.'),
  price_valid_from: z.iso.datetime().nullable(),
  price: z
    .object({
      id: z.string(),
      source: z.enum(['file', 'operator']).describe('The catalogue file, or operators while it runs.'),
      valid_from: z.iso.datetime(),
      set_by: z.string().nullable().describe('The operator who proposed it; null for a price of the file.'),
      approved_by: z.string().nullable().describe('The operator who approved it, a second person.'),
    })
    .nullable()
    .describe('The price that held when the call started; null for runs, and for calls from before prices were kept.'),
  entries: z.array(LedgerEntry),
  text: z.string().describe('The same in words.'),
});

export const explanationDoc = {
  tag: 'Billing',
  summary: 'Explain what something cost',
  description:
    'Takes the id of a request (`req_…`), of an answer (`chatcmpl-…`, `cmpl-…`, `resp_…`), of a run, of an ' +
    'entry of the ledger (`le_…`) or of an event (`evt_…`). Answers each part of the bill with its price, ' +
    'the rounding, and the entries that charged it. The total is what was charged in the end.',
  answer: { id: 'Explanation', schema: ExplanationAnswer },
  errors: [409],
} satisfies RouteDoc;

/**
 * `GET /platform/v1/explain/{id}`: each part of the cost of a request, a run, an entry or an event. Throws 422 for a malformed id, 404
 * `not_found` for an id that the workspace does not have, and 409 `request_not_ended` for an open stream.
 */
export function retrieveExplanation({ db }: Services): Handler {
  return async (ctx) => {
    const id = ctx.state.params.explained_id!;
    const named = subjectOf(id);
    const { workspaceId, accountId, seesProjects } = ctx.state.key;
    const find = () => explain(seenBy(db, ctx.state.key), accountId, named.subject);
    const { type, id: subjectId } = named.subject;
    if (type !== 'request') await db.ledger.posted();
    const explanation = await (type === 'request'
      ? findEnded(db, { workspaceId, requestId: subjectId }, find)
      : find());
    // Entries and events of no call or run that is seen are the workspace's.
    const isUnseen = seesProjects && explanation && !explanation.request && !explanation.run;
    if (!explanation || isUnseen || (explanation.request && !named.isOf(explanation.request.route)))
      throw notFound(`Nothing with the id '${id}'.`, 'not_found');
    ctx.body = presentExplanation(id, explanation);
  };
}

const TYPES: Record<string, Subject['type']> = { run: 'run', le: 'entry', evt: 'event' };

/** The subject of an id, and whether a route's answer can have it. Throws 422 for a malformed id. */
export function subjectOf(id: string): { subject: Subject; isOf: (route: string) => boolean } {
  const named = requestIdIn(id);
  if (named) return { subject: { type: 'request', id: named.requestId }, isOf: named.isOf };
  const [, prefix] = /^(run|le|evt)_[0-9A-Za-z]{1,100}$/.exec(id) ?? [];
  if (prefix) return { subject: { type: TYPES[prefix]!, id }, isOf: () => true };
  const msg =
    'Send the id of a request, an answer, a run, a ledger entry or an event: req_…, chatcmpl-…, run_…, le_…, evt_….';
  throw validationErrorAt(['path', 'explained_id'], msg);
}

function presentExplanation(id: string, explanation: Explanation): z.infer<typeof ExplanationAnswer> {
  const { request, run, lines, roundingPicos, totalNanos, priceValidFrom, entries } = explanation;
  return {
    object: 'explanation',
    id,
    request: request && presentRequest(request),
    run: run && presentRun(run),
    model: request?.model ?? null,
    agent: run?.agent ?? null,
    lines: lines.map((line) => ({
      unit: line.unit,
      quantity: line.quantity,
      price_usd: line.pricePicos === null ? null : usdOfPicos(line.pricePicos),
      per: line.pricePicos === null ? null : perOf(line.unit),
      cost_usd: usdOfPicos(line.costPicos),
      description: line.description,
    })),
    rounding_usd: usdOfPicos(roundingPicos),
    total_usd: usdOf(totalNanos),
    price_valid_from: priceValidFrom?.toISOString() ?? null,
    price: explanation.price && presentHeldPrice(explanation.price),
    entries: entries.map(presentEntry),
    text: textOf(explanation),
  };
}

const presentHeldPrice = ({ id, source, validFrom, proposer, decider }: NonNullable<Explanation['price']>) => ({
  id,
  source,
  valid_from: validFrom!.toISOString(),
  set_by: proposer,
  approved_by: decider,
});

const usdOfPicos = (picos: bigint): number => Number(usdTextOfPicos(picos));

function presentRun(run: NonNullable<Explanation['run']>): z.infer<typeof ExplainedRun> {
  return {
    id: run.id,
    object: 'run',
    agent: run.agent,
    version: run.version,
    status: run.status,
    total_usd: usdOf(run.totalNanos),
    absorbed_usd: usdOf(run.absorbedNanos),
    created_at: run.createdAt.toISOString(),
    settled_at: run.settledAt?.toISOString() ?? null,
  };
}

/** The singular of a unit: `input_tokens` are priced per token. */
const perOf = (unit: string): string => unit.split('_').at(-1)!.replace(/s$/, '');

function textOf({ request, run, lines, roundingPicos, totalNanos, price, entries }: Explanation): string {
  const what = request ? nameOf(request) : run ? `A run of ${run.agent}` : 'This';
  if (run && run.settledAt === null) return `${what} has not ended: nothing is billed yet.`;
  const refusal = request?.refusal;
  if (refusal)
    return `${what} ended with ${request.status} ${refusal.code}: ${asSentence(refusal.message)} Nothing was charged.`;
  const parts = lines.map(partText);
  if (roundingPicos !== 0n) parts.push(`rounding: ${usdTextOfPicos(roundingPicos)} USD`);
  const list = parts.length > 0 ? ` ${parts.join('; ')}.` : '';
  const charged = entries.length > 0 ? ` Ledger: ${entries.map(({ id, kind }) => `${kind} ${id}`).join(', ')}.` : '';
  const set = price ? setText(price) : '';
  return `${what} cost ${usdTextOf(totalNanos)} USD.${list}${set}${charged}${routingText(request)}`;
}

/** Why its upstream served it. */
function routingText(request: Explanation['request']): string {
  const routing = request && presentRequest(request).routing;
  return routing ? ` ${routing.reason}` : '';
}

function setText({ validFrom, proposer, decider }: NonNullable<Explanation['price']>): string {
  const by = proposer === null ? 'of the catalogue file' : `set by ${proposer}, approved by ${decider}`;
  return ` The price is ${by}, and holds since ${validFrom!.toISOString()}.`;
}

const nameOf = ({ route, model }: NonNullable<Explanation['request']>) =>
  model === null ? route : `${route} with ${model}`;

function partText({ unit, quantity, pricePicos, costPicos, description }: BillLine): string {
  const cost = `${usdTextOfPicos(costPicos)} USD`;
  if (pricePicos === null) return `${description}: ${cost}`;
  return `${quantity} ${unit.replaceAll('_', ' ')} at ${usdTextOfPicos(pricePicos)} USD per ${perOf(unit)}: ${cost}`;
}
