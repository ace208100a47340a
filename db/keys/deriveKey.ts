import { audit, type Actor } from '../workspaces/audit.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { takeTurn } from '../postgres/transaction.ts';
import { mayRun } from './scopes.ts';
import { readKeyUsage, type KeyUsage } from './keyUsage.ts';
import { createKey, type KeyRow, type Limits, revokeWithin } from './keyStore.ts';

// A tree of keys is at most this deep, and this large.
const ANCESTORS_MAX = 4;
const KEYS_MAX = 1_000;

/** Scopes that a key cannot give to keys it makes, because they do more than spend. */
const UNGIVABLE = new Set(['contents', 'manage', 'operator']);

/** The limits of a key without its own. */
export interface DefaultLimits {
  rpm: number;
  concurrency: number;
}

/** The rights of a new key made by another key; omitted members are its parent's. */
export interface DerivedKey extends Partial<Limits> {
  id: string;
  parentId: string;
  name: string;
  scopes?: string[];
  defaults: DefaultLimits;
  by: Actor;
}

/** Why no key was made. `beyond_parent` names the member that is wider than the parent's. */
export type DerivationRefusal =
  | { outcome: 'ended' | 'too_deep' | 'too_many' }
  | {
      outcome: 'beyond_parent';
      member: 'scopes' | 'rpm_limit' | 'concurrency_limit' | 'expires_at' | 'allowed_agents';
    };

/**
 * Makes a key by another key, audited: it may do no more than its parent, is accepted from the same addresses, counts against the
 * ceilings of all its ancestors, and ends with them. The secret is null when the key exists already.
 */
export function insertDerivedKey(
  rows: Rows,
  { id, parentId, by, ...wanted }: DerivedKey,
): Promise<{ outcome: 'derived'; secret: string | null; key: KeyUsage } | DerivationRefusal> {
  return rows.transaction(async (tx) => {
    const { em, sql, client, ApiKey } = tx;
    const existing = await readKeyUsage(tx, id);
    if (existing?.parentId === parentId) return { outcome: 'derived', secret: null, key: existing };
    const parent = await lockParent(tx, parentId);
    if (!parent) return { outcome: 'ended' };
    const ancestors = [...parent.ancestors, parent.id];
    if (ancestors.length > ANCESTORS_MAX) return { outcome: 'too_deep' };
    // Makes the count exact: keys that other keys of the tree make wait.
    await takeTurn(client, `keys below ${ancestors[0]!}`);
    const isInTree = { parentId: { $ne: null }, [sql`ancestors @> array[${ancestors[0]!}]`]: [] };
    if ((await em.count(ApiKey, isInTree)) >= KEYS_MAX) return { outcome: 'too_many' };
    const narrowed = narrow(parent, wanted);
    if ('outcome' in narrowed) return narrowed;
    const { workspaceId } = rows;
    const { ownerUserId, allowedIps, projectId } = parent;
    const lineage = { parentId, ancestors, inTree: true, createdBy: parent.name, ownerUserId, allowedIps, projectId };
    const { secret } = await createKey(tx, { id, workspaceId, ...narrowed, ...lineage });
    await em.nativeUpdate(ApiKey, { id: parentId, inTree: false }, { inTree: true });
    const detail = { after: { name: wanted.name, scopes: narrowed.scopes, parent_id: parentId } };
    await audit(tx, by, { workspaceId, action: 'derive_key', subjectType: 'api_key', subjectId: id, detail });
    return { outcome: 'derived', secret, key: (await readKeyUsage(tx, id))! };
  });
}

// A revocation waits for this lock, and then finds the new key.
async function lockParent({ em, ApiKey, LockMode, unexpired }: Transaction, id: string): Promise<KeyRow | null> {
  const isLive = { id, revokedAt: null, memberUserId: null, ...unexpired() };
  return em.findOne(ApiKey, isLive, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

type Narrowed = Pick<KeyRow, 'name' | 'scopes'> & Partial<Limits>;

/** The new key's limits within its parent's; otherwise the wider member. */
function narrow(
  parent: KeyRow,
  { defaults, ...wanted }: Omit<DerivedKey, 'id' | 'parentId' | 'by'>,
): Narrowed | DerivationRefusal {
  const beyond = (member: (DerivationRefusal & { outcome: 'beyond_parent' })['member']): DerivationRefusal => ({
    outcome: 'beyond_parent',
    member,
  });
  const givable = parent.scopes.filter((scope) => !UNGIVABLE.has(scope));
  const scopes = wanted.scopes ?? givable;
  const mayGive = (scope: string) => givable.includes(scope) || (scope === 'agents' && givable.includes('llm'));
  if (scopes.length === 0 || !scopes.every(mayGive)) return beyond('scopes');
  const rpmLimit = wanted.rpmLimit ?? parent.rpmLimit;
  if ((rpmLimit ?? 0) > (parent.rpmLimit ?? defaults.rpm)) return beyond('rpm_limit');
  const concurrencyLimit = wanted.concurrencyLimit ?? parent.concurrencyLimit;
  if ((concurrencyLimit ?? 0) > (parent.concurrencyLimit ?? defaults.concurrency)) return beyond('concurrency_limit');
  const expiresAt = wanted.expiresAt ?? parent.expiresAt;
  if (parent.expiresAt && expiresAt! > parent.expiresAt) return beyond('expires_at');
  const allowedAgents = wanted.allowedAgents ?? parent.allowedAgents;
  if (allowedAgents && !allowedAgents.every((agent) => mayRun(parent, agent))) return beyond('allowed_agents');
  const { name, spendLimitNanos = null, spendLimitPeriod = null } = wanted;
  return { name, scopes, rpmLimit, concurrencyLimit, expiresAt, allowedAgents, spendLimitNanos, spendLimitPeriod };
}

/** Revokes a key, or one that descends from it, with its own descendants, audited. False: there is no such key. */
export function revokeDescendant(
  rows: Rows,
  { id, ancestorId, by }: { id: string; ancestorId: string; by: Actor },
): Promise<boolean> {
  return rows.transaction(async (tx) => {
    const { workspaceId } = rows;
    const key = await tx.em.findOne(tx.ApiKey, { id });
    if (id !== ancestorId && !key?.ancestors.includes(ancestorId)) return false;
    if (await revokeWithin(tx, id))
      await audit(tx, by, { workspaceId, action: 'revoke_key', subjectType: 'api_key', subjectId: id, detail: {} });
    return true;
  });
}

/**
 * Narrows all descendants of a changed key to its present rights, in the caller's transaction. Returns their ids, to be announced.
 * Ceilings need no change: each call counts against those of all ancestors.
 */
export async function narrowDescendants(tx: Transaction, key: KeyRow, defaults: DefaultLimits): Promise<string[]> {
  if (!key.inTree) return [];
  const scopes = [...key.scopes, ...(key.scopes.includes('llm') ? ['agents'] : [])];
  const { rpmLimit, concurrencyLimit, expiresAt, allowedIps, allowedAgents } = key;
  const limits = [rpmLimit, concurrencyLimit, expiresAt, allowedIps, allowedAgents, defaults.rpm, defaults.concurrency];
  const values = [key.id, tx.workspaceId, scopes, ...limits];
  return (await tx.client.query<{ id: string }>(NARROW, values)).rows.map(({ id }) => id);
}

const NARROW = `
with tree as (
  select id from api_keys where parent_id is not null and ancestors @> array[$1::text] and workspace_id = $2 and revoked_at is null
  order by id collate "C" for update)
update api_keys k set scopes = array(select s from unnest(k.scopes) s where s = any ($3)),
  rpm_limit = case when $4::int is null and k.rpm_limit > $9 then null else least(k.rpm_limit, $4) end,
  concurrency_limit = case when $5::int is null and k.concurrency_limit > $10 then null else least(k.concurrency_limit, $5) end,
  expires_at = least(k.expires_at, $6), allowed_ips = $7,
  allowed_agents = case when $8::text[] is null then k.allowed_agents when k.allowed_agents is null then $8
    else array(select a from unnest(k.allowed_agents) a where a = any ($8)) end
where k.id in (select id from tree) returning id`;
