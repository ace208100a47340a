import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import type { LedgerEntry } from '../entities/ledger.ts';
import type { Bound } from '../postgres/rows.ts';
import { boundaryOf } from './entryBoundaries.ts';

/** Which entries a list has; all where a member is left out. */
export interface LedgerFilter {
  kind?: string;
  /** Those of these keys' calls and runs. */
  keyIds?: string[];
  from?: Date;
  /** Excluded. */
  to?: Date;
}

/** Kinds of entries that a workspace sees and that are not of its account. */
export const BESIDE = ['earning', 'absorbed'];
/** Kinds that change the bill of a call later; they name no key. */
export const CHANGES = ['refund', 'correction'];

export type Where = FilterQuery<InferEntity<typeof LedgerEntry>>;

/** Whether months of calls have such entries. */
export const mayBeArchived = ({ kind }: LedgerFilter): boolean =>
  kind === undefined || kind === 'debit' || CHANGES.includes(kind);

/** Where entries of the account are. Those of another kind than debits are legs: no call need be read to find them. */
export const ownTable = ({ LedgerEntry, LedgerLeg }: Bound, { kind = 'debit' }: LedgerFilter): Bound['LedgerEntry'] =>
  kind === 'debit' ? LedgerEntry : (LedgerLeg as unknown as Bound['LedgerEntry']);

/** The conditions for entries of the account, and for the others that the workspace sees. */
export async function entriesWhere(
  tx: Bound,
  accountId: string,
  filter: LedgerFilter,
): Promise<{ own: Where; beside: Where }> {
  const { kind, keyIds } = filter;
  const ofKey = keyIds && (await ofKeys(tx, keyIds));
  const besideKinds = keyIds ? [] : BESIDE.filter((one) => kind === undefined || one === kind);
  return {
    own: allOf(
      { accountId },
      timeOf(filter),
      await sequencesOf(tx, accountId, filter),
      kind !== undefined && { kind },
      ofKey,
    ),
    beside: allOf({ kind: besideKinds }, timeOf(filter)),
  };
}

export const allOf = (...conditions: (Where | false | undefined)[]): Where =>
  ({ $and: conditions.filter(Boolean) }) as Where;

const timeOf = ({ from, to }: LedgerFilter): Where | undefined =>
  from || to ? { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } } : undefined;

const DAY_MS = 86_400_000;

/**
 * The sequences between which the entries of a past time are, with a day to spare on both sides, for readers of all projects: a list is
 * read by sequence, and would
 * read all entries of the account that are later or earlier.
 */
async function sequencesOf(tx: Bound, accountId: string, { from, to }: LedgerFilter): Promise<Where> {
  const account = { workspaceId: tx.workspaceId, accountId };
  const first = async (at: Date, days: number) =>
    BigInt(await boundaryOf(tx, account, new Date(at.getTime() + days * DAY_MS).toISOString().slice(0, 10)));
  const isPast = (at: Date | undefined): at is Date =>
    at !== undefined && at.getTime() > DAY_MS && at.getTime() < Date.now();
  return allOf(
    isPast(from) && { sequence: { $gte: await first(from, -1) } },
    isPast(to) && { sequence: { $lt: await first(to, 2) } },
  );
}

async function ofKeys({ em, LedgerLeg, Request }: Bound, keyIds: string[]): Promise<Where> {
  const changes = await em.find(LedgerLeg, { kind: CHANGES }, { fields: ['subject'] });
  const changed = await em.find(
    Request,
    { id: changes.map(({ subject }) => subject), keyId: keyIds },
    { fields: ['id'] },
  );
  return { $or: [{ keyId: keyIds }, { kind: CHANGES, subject: changed.map(({ id }) => id) }] };
}
