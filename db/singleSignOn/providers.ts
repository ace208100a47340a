import type { InferEntity } from '@mikro-orm/core';
import type { IdentityProvider } from '../entities/singleSignOn.ts';
import { newId } from '../ids.ts';
import type { AnyRows, AnyTransaction, Rows } from '../postgres/rows.ts';
import { takeTurn } from '../postgres/transaction.ts';
import { resealed, type OnLeft, type SealingKeys } from '../sealing/sealingKeys.ts';
import { auditOf, type Actor } from '../workspaces/audit.ts';

const auditProvider = auditOf('identity_provider');

export type ProviderRow = InferEntity<typeof IdentityProvider>;

/** What an owner states of a provider; a secret only where it changes. */
export type StatedProvider = Pick<
  ProviderRow,
  'kind' | 'name' | 'issuer' | 'configuration' | 'groupsName' | 'groupRoles' | 'defaultRole'
> & { secret?: string };

/** The provider of a workspace, or null. */
export const readProvider = (rows: AnyRows, workspaceId: string): Promise<ProviderRow | null> =>
  rows.statement(({ em, IdentityProvider }) => em.findOne(IdentityProvider, { workspaceId }));

/** A provider with the verified domains of its workspace, in order. */
export type ProviderWithDomains = ProviderRow & { domains: string[] };

/** A provider by its id, locked until the end of the transaction when `isLocked`. */
export function findProvider(rows: AnyRows, id: string, isLocked = false): Promise<ProviderWithDomains | null> {
  return rows.transaction(async (tx) => {
    const lockMode = isLocked ? tx.LockMode.PESSIMISTIC_WRITE : undefined;
    const row = await tx.em.findOne(tx.IdentityProvider, { id }, { lockMode });
    return row && { ...row, domains: await verifiedDomains(tx, row.workspaceId) };
  });
}

/** The tested provider that signs in people of a mail domain, or undefined. */
export function findProviderOf(everywhere: Rows<undefined>, domain: string): Promise<ProviderRow | undefined> {
  return everywhere.transaction(async ({ em, IdentityProvider, MailDomain }) => {
    const claimed = await em.findOne(MailDomain, { domain, verifiedAt: { $ne: null } });
    const found = claimed && (await em.findOne(IdentityProvider, { workspaceId: claimed.workspaceId }));
    return found && found.testedAt !== null ? found : undefined;
  });
}

/** The verified domains of a workspace, in the order of the alphabet. */
async function verifiedDomains({ em, MailDomain }: AnyTransaction, workspaceId: string): Promise<string[]> {
  const rows = await em.find(MailDomain, { workspaceId, verifiedAt: { $ne: null } }, { orderBy: { domain: 'asc' } });
  return rows.map(({ domain }) => domain);
}

/** The owner of a sealed secret: a copy in another row cannot be opened. */
const ownerOf = (id: string): string => `identity provider ${id}`;

/** The client secret of a provider in plain text; undefined where it has none. */
export const openProviderSecret = (keys: SealingKeys, { id, sealedSecret }: ProviderRow): string | undefined =>
  sealedSecret === null ? undefined : keys.open(sealedSecret, ownerOf(id));

/** Seals the client secrets again that an older key sealed. Those that no key opens stay as they are, and are told of. */
export function moveProviderSecrets(everywhere: Rows<undefined>, keys: SealingKeys, onLeft: OnLeft): Promise<void> {
  return everywhere.transaction(async ({ em, IdentityProvider, LockMode }) => {
    const held = await em.find(
      IdentityProvider,
      { sealedSecret: { $ne: null } },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    const due = held.filter(({ sealedSecret }) => !keys.isCurrent(sealedSecret!));
    for (const { id, workspaceId, sealedSecret } of due) {
      const again = resealed(keys, { sealed: sealedSecret!, owner: ownerOf(id) }, (reason) =>
        onLeft(`the identity provider of the workspace ${workspaceId}: ${reason}`),
      );
      if (again !== undefined) await em.nativeUpdate(IdentityProvider, { id }, { sealedSecret: again });
    }
  });
}

/**
 * Sets the provider of a workspace, audited. A change of who signs people in needs a new trial, and ends the sessions of the former
 * provider. `no_secret`: an OpenID provider is new or another one, and no secret was sent.
 */
export function saveProvider(
  rows: Rows,
  { stated, by, keys }: { stated: StatedProvider; by: Actor; keys: SealingKeys },
): Promise<ProviderRow | 'no_secret'> {
  const { workspaceId } = rows;
  const { secret, ...change } = stated;
  return rows.transaction(async (tx) => {
    await takeTurn(tx.client, `identity provider of ${workspaceId}`);
    const before = await tx.em.findOne(
      tx.IdentityProvider,
      { workspaceId },
      { lockMode: tx.LockMode.PESSIMISTIC_WRITE },
    );
    const id = before?.id ?? newId('idp');
    const isSame = before !== null && isSameProvider(before, stated);
    const isKept = isSame && secret === undefined;
    if (stated.kind === 'oidc' && secret === undefined && !isSame) return 'no_secret';
    const row = {
      ...change,
      sealedSecret:
        stated.kind === 'saml' ? null : secret === undefined ? before!.sealedSecret : keys.seal(secret, ownerOf(id)),
      ...(!isKept && { testedAt: null, enforced: false, trial: null, trialState: null }),
      updatedAt: new Date(),
    };
    if (before === null) await tx.em.insert(tx.IdentityProvider, { id, workspaceId, ...row });
    else await tx.em.nativeUpdate(tx.IdentityProvider, { id }, row);
    if (before !== null && !isSame) await endProviderSessions(tx, before);
    const detail = { ...shown(stated), ...(secret !== undefined && { secret: 'changed' }) };
    await auditProvider(tx, by, {
      action: before === null ? 'add_identity_provider' : 'change_identity_provider',
      id,
      detail,
    });
    return tx.em.findOneOrFail(tx.IdentityProvider, { id }, { refresh: true });
  });
}

/** Whether people are signed in by the same party as before: names and roles may change. */
const isSameProvider = (before: ProviderRow, { kind, issuer, configuration }: StatedProvider): boolean =>
  before.kind === kind &&
  before.issuer === issuer &&
  JSON.stringify(sorted(before.configuration)) === JSON.stringify(sorted(configuration));

const sorted = (value: object) => Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));

const shown = ({ kind, name, issuer, groupsName, groupRoles, defaultRole }: StatedProvider) => ({
  kind,
  name,
  issuer,
  groups_name: groupsName,
  group_roles: groupRoles,
  default_role: defaultRole,
});

/** Removes the provider of a workspace with the ways in by it, and ends its sessions, audited. False: there is none. */
export function removeProvider(rows: Rows, by: Actor): Promise<boolean> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    const lockMode = tx.LockMode.PESSIMISTIC_WRITE;
    const row = await tx.em.findOne(tx.IdentityProvider, { workspaceId }, { lockMode });
    if (row === null) return false;
    await endProviderSessions(tx, row);
    await tx.em.nativeDelete(tx.IdentityProvider, { id: row.id });
    await auditProvider(tx, by, { action: 'remove_identity_provider', id: row.id, detail: { issuer: row.issuer } });
    return true;
  });
}

/** Sessions that a provider began, and the accounts that it is known to sign in. */
async function endProviderSessions(tx: Rows, { id, workspaceId }: ProviderRow): Promise<void> {
  await tx.statement(({ em, UserSession }) => em.nativeDelete(UserSession, { ssoWorkspaceId: workspaceId }));
  await tx.statement(({ em, Credential }) => em.nativeDelete(Credential, { providerId: id }));
}

/** Whether members of the domains must use the provider, audited. `not_tested`, `no_domain`, or false: there is no provider. */
export function enforceProvider(
  rows: Rows,
  { enforced, by }: { enforced: boolean; by: Actor },
): Promise<ProviderRow | 'not_tested' | 'no_domain' | false> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    const lockMode = tx.LockMode.PESSIMISTIC_WRITE;
    const row = await tx.em.findOne(tx.IdentityProvider, { workspaceId }, { lockMode });
    if (row === null) return false;
    if (enforced && row.testedAt === null) return 'not_tested';
    if (enforced && (await verifiedDomains(tx, workspaceId)).length === 0) return 'no_domain';
    if (row.enforced !== enforced) {
      await tx.em.nativeUpdate(tx.IdentityProvider, { id: row.id }, { enforced });
      const action = enforced ? 'enforce_single_sign_on' : 'release_single_sign_on';
      await auditProvider(tx, by, { action, id: row.id });
    }
    return { ...row, enforced };
  });
}
