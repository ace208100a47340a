import type { Key } from '../../db/keys/keys.ts';
import { findRun } from '../../db/runs/runRow.ts';
import type { z } from 'zod';
import { findLedgerEntry, listEntriesOf, type WorkspaceEntry } from '../../db/ledger/ledgerEntries.ts';
import { readReceipts, type ReceiptEntry } from '../../db/bill/receipts.ts';
import { rootDueAt } from '../../db/bill/signDays.ts';
import { findRequest } from '../../db/accounting/requests.ts';
import type { Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import { notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { subjectOf } from './explain.ts';
import type { Services } from '../services.ts';
import { presentEntry } from './billing.ts';
import type { ReceiptAnswer } from './billingAnswers.ts';

/**
 * `GET /platform/v1/receipts/{id}`: the entries of a request, an answer or a run, or a single entry, each with its proof up to the signed
 * root of its day. Throws 422 for a malformed id, and 404 `not_found` for an id that the workspace does not have.
 */
export function retrieveReceipt(services: Services): Handler {
  return async (ctx) => {
    const id = ctx.state.params.request_id!;
    const entries = await entriesOf(services, ctx.state.key, id);
    // Entries beside the account, for example an agent's earnings, are not part of its chain.
    const chained = entries.filter(({ sequence }) => sequence !== null);
    const proofs = await readReceipts(
      services.db.everywhere,
      ctx.state.key,
      chained.map(({ sequence }) => sequence!),
    );
    ctx.body = presentReceipt(id, chained, proofs);
  };
}

async function entriesOf({ db }: Services, key: Key, id: string) {
  const { subject, isOf } = subjectOf(id);
  if (subject.type === 'event') throw noEvents();
  const rows = seenBy(db, key);
  await db.ledger.posted();
  if (subject.type === 'entry') {
    const entry = key.seesProjects ? undefined : await findLedgerEntry(rows, key.accountId, id);
    if (entry) return [entry];
  } else {
    // One transaction: an archived call becomes visible to it, with its entries.
    const { request, entries } = await rows.transaction(async (tx) => {
      const isUnseen = subject.type === 'run' && key.seesProjects && !(await findRun(tx, subject.id));
      return {
        request: subject.type === 'request' ? await findRequest(tx, subject.id) : undefined,
        entries: isUnseen ? [] : await listEntriesOf(tx, subject.id),
      };
    });
    if (request ? isOf(request.route) : subject.type === 'run' && entries.length > 0) return entries;
  }
  throw notFound(`Nothing with the id '${id}' is on the bill.`, 'not_found');
}

const noEvents = () =>
  validationErrorAt(
    ['path', 'request_id'],
    'An event is not billed: send the id of a request, an answer, a run or a ledger entry.',
  );

function presentReceipt(id: string, entries: WorkspaceEntry[], proofs: ReceiptEntry[]): z.infer<typeof ReceiptAnswer> {
  const isPending = proofs.some(({ placed }) => placed === null);
  return {
    object: 'receipt',
    id,
    status: proofs.length === 0 ? 'not_billed' : isPending ? 'pending' : 'signed',
    entries: proofs.map(({ leaf, placed }, at) => ({
      entry: presentEntry(entries[at]!),
      due_at: placed ? null : dueAt(entries[at]!),
      leaf,
      index: placed?.index ?? null,
      proof: placed?.proof ?? null,
      day: placed?.day ?? null,
      root: placed?.root ?? null,
    })),
  };
}

const dueAt = ({ createdAt }: WorkspaceEntry): string => rootDueAt(createdAt.toISOString().slice(0, 10)).toISOString();
