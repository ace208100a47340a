import { hash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import { keyOf, type Key } from '../keys/keys.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { createWorkspace } from '../workspaces/workspaces.ts';
import { scopesOf, type Role } from '../keys/roles.ts';
import { isErasingSql } from '../entities/erasureSql.ts';

/** A signed-in person, as a member of their selected workspace. */
export interface SignedIn {
  sessionId: string;
  /** When they signed in with this browser. */
  signedInAtMs: number;
  userId: string;
  name: string;
  email: string;
  emailVerified: boolean;
  twoFactorEnabled: boolean;
  isOperator: boolean;
  workspaceName: string;
  /** In test mode, the live workspace of their membership. */
  liveWorkspaceId: string;
  role: Role;
  /** How the session began. */
  method: string | null;
  /** Of a session of an identity provider: the only workspace that it opens. */
  ssoWorkspaceId: string | null;
  /** What the session lacks to open the workspace: a sign-in by its identity provider, or a second factor. */
  lacks: 'single_sign_on' | 'second_factor' | null;
  /** The key that counts and pays for their calls. */
  key: Key;
}

/** The stored form of a session's token. The token has 190 random bits, so no slow hash is needed. */
export const hashSessionToken = (token: string): string => hash('sha256', token, 'hex');

/** The installation's longest session, and how long one may be unused, in minutes; null: as long as its cookie. */
export interface SessionLimits {
  minutes: number | null;
  idleMinutes: number | null;
}

/** The ways to begin a session that prove a second factor. */
export const STRONG_METHODS: readonly string[] = ['second_factor', 'recovery_code', 'passkey'];

/**
 * The person of a session and their membership, or null when the session has ended. A person without a workspace gets a new one, and a
 * new member gets their key. With `isUnused` it does not count as used. `wanted` names a workspace of theirs, live or test, in place of the
 * session's; `not_member`: it is not theirs.
 */
export async function findSignedIn(
  { pool, everywhere }: { pool: Pool; everywhere: Rows<undefined> },
  token: string,
  wanted: string | null,
  limits: SessionLimits & { isUnused?: boolean },
): Promise<SignedIn | 'not_member' | null> {
  const values = [hashSessionToken(token), wanted];
  for (;;) {
    const { rows } = await pool.query<Found>({ name: 'find_signed_in', text: FIND_SIGNED_IN, values });
    const found = rows[0];
    if (!found) return null;
    if (hasEnded(found, limits)) return endSession(everywhere, found);
    if (found.workspace_id === null && wanted !== null) return 'not_member';
    // A former member has nothing that the provider may open.
    if (found.workspace_id === null && found.sso_workspace_id !== null) return endSession(everywhere, found);
    if (found.workspace_id === null) await giveWorkspace(everywhere, found);
    else if (found.key_id === null) await makeMemberKey(everywhere, found.workspace_id, found);
    else {
      if (found.is_unused && !limits.isUnused) await markUsed(everywhere, found);
      if (wanted === null && found.chosen_workspace_id !== found.workspace_id) await choose(everywhere, found);
      return signedInOf(found);
    }
  }
}

/** The same without any effect: a session that is only watched is not used. Null also where its person has no membership there. */
export async function watchSignedIn(
  pool: Pool,
  token: string,
  wanted: string,
  limits: SessionLimits,
): Promise<SignedIn | null> {
  const values = [hashSessionToken(token), wanted];
  const { rows } = await pool.query<Found>({ name: 'find_signed_in', text: FIND_SIGNED_IN, values });
  const [found] = rows;
  return found && !hasEnded(found, limits) && found.key_id !== null ? signedInOf(found) : null;
}

/** Whether the session is older, or was unused for longer, than its workspace or the installation permits. */
function hasEnded({ age_minutes, idle_minutes, ...found }: Found, { minutes, idleMinutes }: SessionLimits): boolean {
  const exceeds = (value: number, ...bounds: (number | null)[]) =>
    bounds.some((bound) => bound !== null && value >= bound);
  return (
    exceeds(age_minutes, found.session_minutes_max, minutes) ||
    exceeds(idle_minutes, found.idle_minutes_max, idleMinutes)
  );
}

async function endSession(everywhere: Rows<undefined>, { session_id: id }: Found): Promise<null> {
  await everywhere.statement(({ em, UserSession }) => em.nativeDelete(UserSession, { id }));
  return null;
}

const markUsed = (everywhere: Rows<undefined>, { session_id: id }: Found) =>
  everywhere.statement(({ em, UserSession, sql }) => em.nativeUpdate(UserSession, { id }, { usedAt: sql.now() }));

interface Found {
  session_id: string;
  signed_in_at: Date;
  method: string | null;
  sso_workspace_id: string | null;
  age_minutes: number;
  idle_minutes: number;
  /** Not marked as used in this minute. */
  is_unused: boolean;
  session_minutes_max: number | null;
  idle_minutes_max: number | null;
  requires_second_factor: boolean;
  /** Its identity provider is enforced, and claims the person's mail domain. */
  requires_provider: boolean;
  user_id: string;
  name: string;
  email: string;
  email_verified: boolean;
  two_factor_enabled: boolean;
  is_operator: boolean;
  workspace_id: string | null;
  chosen_workspace_id: string | null;
  workspace_name: string;
  live_workspace_id: string;
  /** The workspace will be erased: members only read, and owners may cancel the erasure. */
  is_erasing: boolean;
  role: Role;
  account_id: string;
  key_id: string | null;
  prefix: string;
  key_name: string;
  rpm_limit: number | null;
  concurrency_limit: number | null;
  project_id: string | null;
  project_ids: string[] | null;
  no_retention: boolean | null;
}

// Raw: one statement over eight tables for each request of the console.
const FIND_SIGNED_IN = `
select s.id as session_id, s.created_at as signed_in_at, u.id as user_id, u.name, u.email, u.email_verified, u.two_factor_enabled,
  u.is_operator, m.workspace_id, m.live_workspace_id, s.active_workspace_id as chosen_workspace_id, w.name as workspace_name, m.role, a.id as account_id, k.id as key_id, k.prefix, k.name as key_name,
  k.rpm_limit, k.concurrency_limit, k.project_id, m.project_ids, w.no_retention,
  ${isErasingSql('m.live_workspace_id')} as is_erasing,
  s.method, s.sso_workspace_id, extract(epoch from now() - s.created_at)::float8 / 60 as age_minutes,
  extract(epoch from now() - greatest(s.created_at, s.used_at))::float8 / 60 as idle_minutes,
  greatest(s.created_at, s.used_at) < now() - interval '1 minute' as is_unused,
  r.session_minutes as session_minutes_max, r.idle_minutes as idle_minutes_max,
  coalesce(r.requires_second_factor, false) as requires_second_factor,
  exists (select from identity_providers i join mail_domains d on d.workspace_id = i.workspace_id
    where i.workspace_id = m.live_workspace_id and i.enforced and d.verified_at is not null
      and d.domain = lower(split_part(u.email, '@', 2))) as requires_provider
from user_sessions s
join users u on u.id = s.user_id
left join lateral (
  select coalesce(t.id, n.workspace_id) as workspace_id, n.workspace_id as live_workspace_id, n.role,
    case when t.id is null and n.role in ('developer', 'publisher') then n.project_ids end as project_ids
  from members n left join workspaces t on t.live_workspace_id = n.workspace_id and t.id = coalesce($2, s.active_workspace_id)
  where n.user_id = u.id and (s.sso_workspace_id is null or n.workspace_id = s.sso_workspace_id) and ($2::text is null or coalesce(t.id, n.workspace_id) = $2)
  order by (coalesce(t.id, n.workspace_id) = s.active_workspace_id) desc nulls last, n.created_at, n.id limit 1
) m on true
left join workspaces w on w.id = m.workspace_id
left join session_rules r on r.workspace_id = m.live_workspace_id
left join accounts a on a.workspace_id = m.workspace_id
left join api_keys k on k.workspace_id = m.workspace_id and k.member_user_id = u.id and k.revoked_at is null
where s.token = $1 and s.expires_at > now()`;

function signedInOf(found: Found): SignedIn {
  return {
    sessionId: found.session_id,
    signedInAtMs: found.signed_in_at.getTime(),
    userId: found.user_id,
    name: found.name,
    email: found.email,
    emailVerified: found.email_verified,
    twoFactorEnabled: found.two_factor_enabled,
    isOperator: isOperatorNow(found),
    workspaceName: found.workspace_name,
    liveWorkspaceId: found.live_workspace_id,
    role: found.role,
    method: found.method,
    ssoWorkspaceId: found.sso_workspace_id,
    lacks: lackOf(found),
    key: keyOf({
      ...found,
      id: found.key_id!,
      workspace_id: found.workspace_id!,
      name: found.key_name,
      scopes: found.is_erasing ? [] : rightsOf(found),
      allowed_ips: null,
      allowed_agents: null,
      // What a person tries in the console is not kept here.
      log_days: 0,
      no_retention: found.no_retention === true,
      has_projects: false,
      is_archived: false,
    }),
  };
}

/** The rights of a member. Nothing is operated from a test workspace. */
const rightsOf = (found: Found): string[] =>
  scopesOf(found.role, isOperatorNow(found) && found.workspace_id === found.live_workspace_id);

/** A workspace's identity provider gives rights in that workspace alone. */
const isOperatorNow = ({ is_operator, sso_workspace_id }: Found): boolean => is_operator && sso_workspace_id === null;

/** A session of the workspace's own provider needs nothing more: the provider asks for its factors. */
function lackOf(found: Found): SignedIn['lacks'] {
  if (found.sso_workspace_id !== null) return null;
  const isStrong = found.method === null ? found.two_factor_enabled : STRONG_METHODS.includes(found.method);
  // An owner with a second factor gets in while the provider is away. Their sign-in is audited.
  if (found.requires_provider && !(found.role === 'owner' && isStrong)) return 'single_sign_on';
  return found.requires_second_factor && !isStrong ? 'second_factor' : null;
}

// The accounts library reads the selection from the session.
const choose = (everywhere: Rows<undefined>, { session_id: id, workspace_id: activeWorkspaceId }: Found) =>
  everywhere.statement(({ em, UserSession }) => em.nativeUpdate(UserSession, { id }, { activeWorkspaceId }));

interface Person {
  user_id: string;
  name: string;
}

/** Creates a workspace for a person without any, with them as its owner. */
function giveWorkspace(everywhere: Rows<undefined>, { user_id: userId, name }: Person): Promise<void> {
  return everywhere.transaction(async (tx) => {
    await lockUser(tx, userId);
    if ((await tx.em.count(tx.Member, { userId })) > 0) return;
    await addOwnWorkspace(tx, userId, `${name}’s workspace`);
  });
}

/** Creates a workspace with the person as its owner. Returns its id. */
export async function addOwnWorkspace(tx: AnyTransaction, userId: string, name: string): Promise<string> {
  const workspaceId = await createWorkspace(tx, name);
  await tx.em.insert(tx.Member, { id: newId('mem'), workspaceId, userId, role: 'owner' });
  return workspaceId;
}

/** Creates the key of a member. It has no secret: its hash is random. */
function makeMemberKey(
  everywhere: Rows<undefined>,
  workspaceId: string,
  { user_id: userId, name }: Person,
): Promise<void> {
  return everywhere.transaction(async (tx) => {
    await lockUser(tx, userId);
    const { em, Account, ApiKey } = tx;
    if ((await em.count(ApiKey, { workspaceId, memberUserId: userId, revokedAt: null })) > 0) return;
    const account = await em.findOneOrFail(Account, { workspaceId });
    const member = await em.findOne(tx.Member, { workspaceId, userId });
    await em.insert(ApiKey, {
      id: newId('key'),
      workspaceId,
      accountId: account.id,
      name: `Console: ${name}`,
      hash: randomBytes(32),
      prefix: 'console',
      scopes: [],
      ownerUserId: userId,
      memberUserId: userId,
      projectId: member?.projectIds?.[0] ?? null,
    });
  });
}

/** Concurrent requests of one person create one workspace and one key. */
export const lockUser = ({ em, User, LockMode }: AnyTransaction, id: string): Promise<unknown> =>
  em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
