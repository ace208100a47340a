import { APIConnectionError, ServerError, type Ledgerline, type Schemas } from '../../src/index.ts';
import { sleep } from '../../src/http.ts';
import { say } from '../output.ts';
import { err } from '../terminal/colors.ts';

type EndedRequest = Schemas['EndedRequest'];

export interface RequestFilters {
  model?: string;
  key?: string;
  status?: string;
  route?: string;
  product?: EndedRequest['product'] & string;
  code?: string;
  from?: string;
  to?: string;
}

const INTERVAL_MS = 2_000;
// Entries can appear in the list in another order than their times, so each question asks for the last minute again.
const OVERLAP_MS = 60_000;

/** The last `recent` calls, or all since `filters.from`, and then new ones as they end: each once, the oldest first. */
export async function* followRequests(client: Ledgerline, filters: RequestFilters, recent: number) {
  const seen = new Map<string, number>();
  const newestMs = () => [...seen.values()].reduce((newest, ms) => Math.max(newest, ms), -Infinity);
  for (let isFirst = true; ; isFirst = false) {
    const from = isFirst ? filters.from : fromOf(newestMs());
    const fresh = await untilAnswered(() => listUnseen(client, { ...filters, from }, seen));
    const shown = isFirst && !filters.from ? fresh.slice(0, recent) : fresh;
    yield* shown.toReversed();
    const oldestMs = newestMs() - 2 * OVERLAP_MS;
    for (const [id, settledMs] of seen) if (settledMs < oldestMs) seen.delete(id);
    await sleep(INTERVAL_MS);
  }

  /** The newest first. Without a beginning it reads no further than the overlap. */
  async function listUnseen(of: Ledgerline, query: RequestFilters, known: Map<string, number>) {
    // Known only when all pages have come: what an attempt has read that fails is read again.
    const read = new Map<string, EndedRequest>();
    const unseen: EndedRequest[] = [];
    let firstMs: number | undefined;
    for await (const request of of.pages('/platform/v1/requests', { query: { ...query, limit: 100 } })) {
      const settledMs = Date.parse(request.settled_at);
      firstMs ??= settledMs;
      if (!known.has(request.id) && !read.has(request.id)) unseen.push(request);
      read.set(request.id, request);
      if (query.from === undefined && settledMs < firstMs - OVERLAP_MS && unseen.length >= recent) break;
    }
    for (const { id, settled_at } of read.values()) known.set(id, Date.parse(settled_at));
    return unseen;
  }
}

const fromOf = (newestMs: number): string | undefined =>
  Number.isFinite(newestMs) ? new Date(newestMs - OVERLAP_MS).toISOString() : undefined;

/** Asks until an answer comes: a connection that is away for an hour loses nothing. */
async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let isFirst = true; ; isFirst = false)
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof APIConnectionError || error instanceof ServerError)) throw error;
      if (isFirst) say(err.dim(`${error.message} Trying again.`));
      await sleep(INTERVAL_MS);
    }
}
