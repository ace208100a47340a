import type { z } from 'zod';
import { readLedgerProof, type LedgerCheckRow } from '../../db/invariants/ledgerChecks.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import type { LedgerProof } from './platformAnswers.ts';

type Answer = z.infer<typeof LedgerProof>;

const CHECKS = 24;
/** A check is due every hour; one or two may be missed while a worker is replaced. */
const LATE_MS = 3 * 3_600_000;

/** `GET /console/v1/platform/ledger`: the last checks of the ledger, and the last signed day. */
export function retrieveLedgerProof({ db }: Services): Handler {
  return async (ctx) => {
    const { checks, root } = await readLedgerProof(db.everywhere, { checks: CHECKS });
    const [last] = checks;
    ctx.body = {
      object: 'ledger.proof',
      state: stateOf(last),
      last_check: last ? presentCheck(last) : null,
      checks: checks.map(presentCheck),
      last_root: root && { day: root.day, key_id: root.keyId, signed_at: root.createdAt.toISOString() },
    } satisfies Answer;
  };
}

function stateOf(last: LedgerCheckRow | undefined): Answer['state'] {
  if (!last) return 'unchecked';
  if (last.violations.length > 0) return 'broken';
  return Date.now() - last.checkedAt.getTime() > LATE_MS ? 'late' : 'holds';
}

const presentCheck = ({ id, checkedAt, startedAt, entries, transactions, violations }: LedgerCheckRow) => ({
  id,
  checked_at: checkedAt.toISOString(),
  duration_ms: Math.max(0, checkedAt.getTime() - startedAt.getTime()),
  entries: Number(entries),
  transactions: Number(transactions),
  violations,
});
