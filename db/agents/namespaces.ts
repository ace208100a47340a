import type { InferEntity } from '@mikro-orm/core';
import type { Pool, PoolClient } from 'pg';
import type { Namespace } from '../entities/agent.ts';
import { newId } from '../ids.ts';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { inWorkspace } from '../postgres/tenant.ts';
import { inTransaction } from '../postgres/transaction.ts';

export type NamespaceRow = InferEntity<typeof Namespace>;

/** A namespace of the workspace, or undefined when it is unknown or another's. */
export async function findNamespace(
  orm: LazyOrm,
  workspaceId: string,
  name: string,
): Promise<NamespaceRow | undefined> {
  return (
    (await inWorkspace(orm, workspaceId, (em, { Namespace }) => em.findOne(Namespace, { workspaceId, name }))) ??
    undefined
  );
}

/**
 * Changes what a namespace says of its provider; members that are undefined stay. What was verified is no longer so when it changes.
 * False: the workspace has no such namespace.
 */
export async function changeNamespace(
  pool: Queryable,
  change: { workspaceId: string; name: string; providerName?: string; website?: string | null },
): Promise<boolean> {
  const { workspaceId, name, providerName, website } = change;
  const { rows } = await pool.query(CHANGE, [name, workspaceId, providerName, website !== undefined, website]);
  return rows.length > 0;
}

const CHANGE = `
update namespaces n set provider_name = to_be.provider_name, website = to_be.website,
  verified = n.verified and (n.provider_name, n.website) is not distinct from (to_be.provider_name, to_be.website)
from (select name, coalesce($3::text, provider_name) as provider_name, case when $4::boolean then $5::text else website end as website
  from namespaces) to_be
where n.name = $1 and n.workspace_id = $2 and to_be.name = n.name returning n.name`;

/** Says that an operator has made sure who the provider is, or takes that back, with a row of the audit. Undefined: no such namespace. */
export function verifyNamespace(
  pool: Pool,
  order: { name: string; verified: boolean; operatorKeyId: string; requestId: string },
): Promise<NamespaceRow | undefined> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<NamespaceRow>(VERIFY, [order.name, order.verified]);
    if (rows[0]) await audit(client, order, rows[0]);
    return rows[0];
  });
}

const VERIFY = `
update namespaces set verified = $2 where name = $1
returning name, workspace_id as "workspaceId", provider_name as "providerName", verified, website, created_at as "createdAt"`;

async function audit(
  client: PoolClient,
  { verified, operatorKeyId, requestId }: { verified: boolean; operatorKeyId: string; requestId: string },
  { name, workspaceId, providerName, website }: NamespaceRow,
): Promise<void> {
  const action = verified ? 'verify' : 'unverify';
  await client.query(
    `insert into audit_entries (id, workspace_id, key_id, action, subject_type, subject_id, detail, request_id)
     values ($1, $2, $3, $4, 'namespace', $5, $6, $7)`,
    [newId('aud'), workspaceId, operatorKeyId, action, name, JSON.stringify({ providerName, website }), requestId],
  );
}

// Names that speak for the platform, and those of vendors whose interfaces it offers: a caller would take their agents for official ones.
// prettier-ignore
const RESERVED = [
  'ledgerline', 'admin', 'administrator', 'root', 'system', 'operator', 'console', 'platform', 'publisher',
  'official', 'staff', 'support', 'security', 'billing', 'team', 'verified', 'internal', 'api',
  'openai', 'anthropic', 'elevenlabs', 'google', 'microsoft', 'stripe',
];

// What reads alike, of the characters that a name may have: pairs first.
const ALIKE: [RegExp, string][] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  [/[1il]/g, 'l'],
  [/0/g, 'o'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
  [/9/g, 'g'],
];

const looksOf = (name: string) =>
  ALIKE.reduce((text, [from, to]) => text.replace(from, to), name.replaceAll('-', '').toLowerCase());

const RESERVED_LOOKS = new Set(RESERVED.map(looksOf));

/** Whether a namespace is one that no publisher may take: a reserved name, or one that reads like it. */
export function isReservedName(name: string): boolean {
  return RESERVED_LOOKS.has(looksOf(name));
}
