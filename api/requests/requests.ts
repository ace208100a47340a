import type { z } from 'zod';
import type { RequestFilter } from '../../db/accounting/requestFilter.ts';
import { readRequestTotals } from '../../db/accounting/requestTotals.ts';
import { findRequest, listRequests, type EndedRequest } from '../../db/accounting/requests.ts';
import { usdOf } from '../../db/money.ts';
import type { Context, Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import { answerCsv } from '../http/csvList.ts';
import { answerPage, type Page } from '../http/page.ts';
import { conflict, notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import { requestIdIn } from '../../calls/text/responseId.ts';
import { presentRequest } from './presentRequest.ts';
import { REQUEST_CSV } from './requestCsv.ts';
import type { RequestTotals } from './requestAnswers.ts';
import type { RequestsQuery, RequestTotalsQuery } from './requestSchema.ts';

/** `GET /platform/v1/requests`: the workspace's ended calls, the most recent first, in pages or as one file. */
export function listEndedRequests({ db, cursors }: Services): Handler<z.output<typeof RequestsQuery>> {
  return async (ctx) => {
    const { limit: _limit, cursor: _cursor, format, ...filters } = ctx.state.input;
    const wanted = filterOf(filters);
    const rows = seenBy(db, ctx.state.key);
    await Promise.all([db.ledger.posted(), db.refusals.written()]);
    const read = (page: Page) => listRequests(rows, wanted, page);
    if (format === 'csv') {
      const { count } = await readRequestTotals(rows, wanted);
      return answerCsv(ctx, { name: 'requests', count, columns: REQUEST_CSV, read });
    }
    await answerPage(ctx, cursors, { list: 'requests', read, present: presentRequest });
  };
}

/** `GET /platform/v1/requests/totals`: how many calls that list has, and what they cost. */
export function retrieveRequestTotals({ db }: Services): Handler<z.output<typeof RequestTotalsQuery>> {
  return async (ctx) => {
    await Promise.all([db.ledger.posted(), db.refusals.written()]);
    const totals = await readRequestTotals(seenBy(db, ctx.state.key), filterOf(ctx.state.input));
    const { count, calls, costNanos } = totals;
    ctx.body = {
      object: 'request.totals',
      count,
      calls,
      cost_usd: costNanos === null ? null : usdOf(costNanos),
      is_capped: costNanos === null,
    } satisfies z.infer<typeof RequestTotals>;
  };
}

const filterOf = ({ status, ...filter }: z.output<typeof RequestTotalsQuery>): RequestFilter => ({
  ...filter,
  ...(status !== undefined && { status: statusOf(status) }),
});

function statusOf(status: string): RequestFilter['status'] {
  if (status === 'cancelled') return status;
  if (!status.endsWith('xx')) return { from: Number(status), to: Number(status) };
  const from = Number(status[0]) * 100;
  return { from, to: from + 99 };
}

/**
 * `GET /platform/v1/requests/{request_id}`: a call and its cost, available from the end of its answer; by its id, or by the id in its
 * answer's body. Throws 404 `request_not_found` for an id that is unknown or of another workspace, and 409 `request_not_ended` for an open
 * stream, or one whose client has just disconnected.
 */
export function retrieveRequest(services: Services): Handler {
  return async (ctx) => {
    ctx.body = presentRequest(await endedRequest(ctx, services));
  };
}

/** The request in the path, by its id or by its answer's id. Throws 422 for a malformed id. */
export function namedRequest(ctx: Context): NonNullable<ReturnType<typeof requestIdIn>> {
  const named = requestIdIn(ctx.state.params.request_id!);
  if (!named) throw malformedId();
  return named;
}

/** The caller's request with this id or this answer id. Throws 422 for a malformed id, 404 and 409 as above. */
async function endedRequest(ctx: Context, { db }: Services): Promise<EndedRequest> {
  const { requestId, isOf } = namedRequest(ctx);
  const { key } = ctx.state;
  const find = () => findRequest(seenBy(db, key), requestId);
  const request = await findEnded(db, { workspaceId: key.workspaceId, requestId }, find);
  if (!request || !isOf(request.route))
    throw notFound(`No ended request with the id '${ctx.state.params.request_id!}'.`, 'request_not_found');
  return request;
}

/** The result of `find` once the request is billed. Throws 409 `request_not_ended` while it runs. */
export async function findEnded<T>(
  { ledger, refusals, answers }: Services['db'],
  { workspaceId, requestId }: { workspaceId: string; requestId: string },
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const written = () => Promise.all([ledger.posted(), refusals.written()]);
  await written();
  const found = await find();
  if (found !== undefined) return found;
  const isRunning = await answers.isRunning(workspaceId, requestId);
  if (isRunning) throw notEnded(requestId);
  // Checks again: it may have ended in between.
  await written();
  const ended = await find();
  if (ended === undefined && isRunning === undefined) throw notKnown(requestId);
  return ended;
}

const notEnded = (requestId: string) =>
  askLater(
    `The request '${requestId}' has not ended: it still runs, or is still ending because its client has just left.`,
  );

const notKnown = (requestId: string) =>
  askLater(`No request '${requestId}' has ended, and a process that may run it does not answer at the moment.`);

const askLater = (message: string) =>
  conflict('request_not_ended', `${message} Try again shortly.`, { 'retry-after': '1', 'x-should-retry': 'true' });

const malformedId = () =>
  validationErrorAt(
    ['path', 'request_id'],
    'A request id is req_ and letters and digits; the id of an answer begins with chatcmpl-, cmpl- or resp_.',
  );
