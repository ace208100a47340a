import type { InferEntity } from '@mikro-orm/core';
import type { BillingDetails } from '../entities/invoice.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { Rows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import { isErasedSql } from '../entities/erasureSql.ts';

/** What the invoices of a workspace say about it. */
export type Details = Omit<InferEntity<typeof BillingDetails>, 'workspaceId' | 'updatedAt'>;

export const NO_DETAILS: Details = {
  company: null,
  line1: null,
  line2: null,
  city: null,
  region: null,
  postalCode: null,
  country: null,
  taxIdType: null,
  taxId: null,
  purchaseOrder: null,
  email: null,
};

/** The workspace's billing details, and when they were last changed: null before they are first set. */
export const readDetails = (rows: Rows): Promise<Details & { updatedAt: Date | null }> =>
  rows.statement(async ({ em, BillingDetails, workspaceId }) => {
    const found = await em.findOne(BillingDetails, { workspaceId });
    if (!found) return { ...NO_DETAILS, updatedAt: null };
    const { workspaceId: _own, ...details } = found;
    return details;
  });

/** Changes some of them, audited, and returns all. Issued invoices keep what they say. */
export function saveDetails(rows: Rows, change: Partial<Details>, by: Actor): ReturnType<typeof readDetails> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    const { em, client, BillingDetails, sql } = tx;
    await client.query('insert into billing_details (workspace_id) values ($1) on conflict do nothing', [workspaceId]);
    await em.nativeUpdate(BillingDetails, { workspaceId }, { ...change, updatedAt: sql.now() });
    const entry = { action: 'change_billing_details', subjectType: 'workspace', subjectId: workspaceId };
    await audit(tx, by, { workspaceId, ...entry, detail: { after: change } });
    return readDetails(tx);
  });
}

/** Fills in what a payment page collected, where the workspace has set nothing yet, and is not erased. */
export async function fillDetails(client: Queryable, workspaceId: string, collected: Details): Promise<void> {
  await client.query(
    `insert into billing_details (workspace_id, company, line1, line2, city, region, postal_code, country, tax_id_type, tax_id, email)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
       where not ${isErasedSql('$1')} on conflict do nothing`,
    [
      workspaceId,
      collected.company,
      collected.line1,
      collected.line2,
      collected.city,
      collected.region,
      collected.postalCode,
      collected.country,
      collected.taxIdType,
      collected.taxId,
      collected.email,
    ],
  );
}
