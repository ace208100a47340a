import type { InferEntity } from '@mikro-orm/core';
import type { MailDomain } from '../entities/singleSignOn.ts';
import { newId, randomText } from '../ids.ts';
import { isDuplicate } from '../postgres/databaseErrors.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';
import { auditOf, type Actor } from '../workspaces/audit.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';

const auditDomain = auditOf('mail_domain');

export type MailDomainRow = InferEntity<typeof MailDomain>;

const TOKEN_CHARACTERS = 32;
/** The most domains that a workspace claims. */
export const MAIL_DOMAINS_MAX = 20;

/** The name of the TXT record that proves a domain. */
export const recordNameOf = (domain: string): string => `_ledgerline.${domain}`;

/** The text of that record. */
export const recordTextOf = (token: string): string => `ledgerline-domain=${token}`;

/** The domain of a mail address, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** The domains that a workspace claims. */
export const listDomains = (rows: AnyRows, workspaceId: string): Promise<MailDomainRow[]> =>
  rows.statement(({ em, MailDomain }) => em.find(MailDomain, { workspaceId }, { orderBy: { domain: 'asc' } }));

/** One of them, or null. */
export const findDomain = (rows: Rows, id: string): Promise<MailDomainRow | null> =>
  rows.statement(({ em, MailDomain }) => em.findOne(MailDomain, { id, workspaceId: rows.workspaceId }));

/** Claims a domain, which is not yet proved, audited. `too_many`, or `known`: the workspace claims it already. */
export function addDomain(
  rows: Rows,
  { domain, by }: { domain: string; by: Actor },
): Promise<MailDomainRow | 'too_many' | 'known'> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const own = await tx.em.find(tx.MailDomain, { workspaceId });
    if (own.some((one) => one.domain === domain)) return 'known';
    if (own.length >= MAIL_DOMAINS_MAX) return 'too_many';
    const id = newId('dom');
    await tx.em.insert(tx.MailDomain, { id, workspaceId, domain, token: randomText(TOKEN_CHARACTERS) });
    await auditDomain(tx, by, { action: 'add_mail_domain', id, detail: { domain } });
    return tx.em.findOneOrFail(tx.MailDomain, { id });
  });
}

/** Marks a domain as proved, audited. `taken`: another workspace has proved it. Null: it was given up meanwhile. */
export async function confirmDomain(
  rows: Rows,
  { id, by }: { id: string; by: Actor },
): Promise<MailDomainRow | 'taken' | null> {
  const { workspaceId } = rows;
  try {
    return await rows.transaction(async (tx) => {
      const lockMode = tx.LockMode.PESSIMISTIC_WRITE;
      const row = await tx.em.findOne(tx.MailDomain, { id, workspaceId }, { lockMode });
      if (row === null || row.verifiedAt !== null) return row;
      const verifiedAt = new Date();
      await tx.em.nativeUpdate(tx.MailDomain, { id }, { verifiedAt });
      await auditDomain(tx, by, { action: 'verify_mail_domain', id, detail: { domain: row.domain } });
      return { ...row, verifiedAt };
    });
  } catch (error) {
    if (isDuplicate(error)) return 'taken';
    throw error;
  }
}

/** Gives a domain up, audited; without any other, the provider is no longer enforced. False: there is no such domain. */
export function removeDomain(rows: Rows, { id, by }: { id: string; by: Actor }): Promise<boolean> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    // One at a time, so that the last one is known as such.
    await lockWorkspace(tx, workspaceId);
    const row = await tx.em.findOne(tx.MailDomain, { id, workspaceId });
    if (row === null) return false;
    await tx.em.nativeDelete(tx.MailDomain, { id });
    await auditDomain(tx, by, { action: 'remove_mail_domain', id, detail: { domain: row.domain } });
    if ((await tx.em.count(tx.MailDomain, { workspaceId, verifiedAt: { $ne: null } })) === 0)
      await tx.em.nativeUpdate(tx.IdentityProvider, { workspaceId }, { enforced: false });
    return true;
  });
}
