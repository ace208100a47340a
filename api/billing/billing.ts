import type { z } from 'zod';
import { answerCsv } from '../http/csvList.ts';
import { answerPage, type Page } from '../http/page.ts';
import { keyIdsOf } from '../../db/accounting/requestFilter.ts';
import { listLedgerEntries, type LedgerPosition, type WorkspaceEntry } from '../../db/ledger/ledgerEntries.ts';
import type { LedgerFilter } from '../../db/ledger/ledgerFilter.ts';
import { readLedgerTotals, type LedgerTotals as Totals } from '../../db/ledger/ledgerTotals.ts';
import { usdOf } from '../../db/money.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import type { Balance, LedgerEntry, LedgerTotals } from './billingAnswers.ts';
import { LEDGER_CSV } from './ledgerCsv.ts';
import type { LedgerQuery, LedgerTotalsQuery } from './billingSchema.ts';

/** `GET /platform/v1/billing/balance`: the account's balance, the part held by running calls and runs, and the rest. */
export function retrieveBalance({ db }: Services): Handler {
  return async (ctx) => {
    await db.ledger.posted();
    ctx.body = presentBalance(await db.ledger.balanceOf(ctx.state.key.workspaceId));
  };
}

/** A balance in its public form. */
export const presentBalance = ({
  postedNanos,
  heldNanos,
}: {
  postedNanos: bigint;
  heldNanos: bigint;
}): z.infer<typeof Balance> => ({
  balance_usd: usdOf(postedNanos),
  held_usd: usdOf(heldNanos),
  available_usd: usdOf(postedNanos - heldNanos),
});

const LIST = 'ledger';

type Filters = z.output<typeof LedgerTotalsQuery>;

/**
 * `GET /platform/v1/billing/ledger`: the account's entries, and the workspace's entries that do not change its balance; newest first, in
 * pages or as one file.
 */
export function listLedger({ db, cursors }: Services): Handler<z.output<typeof LedgerQuery>> {
  return async (ctx) => {
    const { workspaceId, accountId } = ctx.state.key;
    const { limit: _limit, cursor: _cursor, format, ...filters } = ctx.state.input;
    const read = async ({ after, limit }: Page) => {
      const before = after === null ? null : positionOf(after);
      await db.ledger.posted();
      const { entries, next } = await db
        .read(workspaceId)
        .transaction(async (tx) =>
          listLedgerEntries(tx, { accountId, before, limit, filter: await filterOf(tx, filters) }),
        );
      return { rows: entries, next: next && `${next.sequence} ${next.transactionId}` };
    };
    if (format === 'csv') {
      const { count } = await totalsOf(db, ctx.state.key, filters);
      return answerCsv(ctx, { name: 'ledger', count, columns: LEDGER_CSV, read });
    }
    await answerPage(ctx, cursors, { list: LIST, read, present: presentEntry });
  };
}

/** `GET /platform/v1/billing/ledger/totals`: how many entries that list has, and their sums. */
export function retrieveLedgerTotals({ db }: Services): Handler<z.output<typeof LedgerTotalsQuery>> {
  return async (ctx) => {
    const { count, sums } = await totalsOf(db, ctx.state.key, ctx.state.input);
    ctx.body = {
      object: 'ledger.totals',
      count,
      amount_usd: sums ? usdOf(sums.changeNanos) : null,
      beside_usd: sums ? usdOf(sums.besideNanos) : null,
      is_capped: !sums,
    } satisfies z.infer<typeof LedgerTotals>;
  };
}

async function totalsOf(
  db: Services['db'],
  { workspaceId, accountId }: { workspaceId: string; accountId: string },
  filters: Filters,
): Promise<Totals> {
  await db.ledger.posted();
  return db
    .read(workspaceId)
    .transaction(async (tx) => readLedgerTotals(tx, { accountId, filter: await filterOf(tx, filters) }));
}

async function filterOf(tx: Parameters<typeof keyIdsOf>[0], { key, ...filter }: Filters): Promise<LedgerFilter> {
  return key === undefined ? filter : { ...filter, keyIds: await keyIdsOf(tx, key) };
}

function positionOf(text: string): LedgerPosition {
  const [sequence, transactionId] = text.split(' ');
  return { sequence: BigInt(sequence!), transactionId: BigInt(transactionId!) };
}

/** An entry in its public form. */
export function presentEntry(entry: WorkspaceEntry): z.infer<typeof LedgerEntry> {
  return {
    id: entry.id,
    object: 'ledger.entry',
    kind: entry.kind,
    amount_usd: usdOf(entry.amountNanos),
    balance_after_usd: entry.balanceAfterNanos === null ? null : usdOf(entry.balanceAfterNanos),
    request_id: entry.requestId,
    run_id: entry.runId,
    key_prefix: entry.keyPrefix,
    model: entry.model,
    route: entry.route,
    agent: entry.agent,
    receipt_url: entry.receiptUrl,
    created_at: entry.createdAt.toISOString(),
    hash: entry.hash,
    prev_hash: entry.prevHash,
  };
}
