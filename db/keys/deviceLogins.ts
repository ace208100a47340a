import { hash, randomInt } from 'node:crypto';
import type { InferEntity } from '@mikro-orm/core';
import type { ApprovedKey, DeviceLogin } from '../entities/deviceLogin.ts';
import { newId, randomText } from '../ids.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Rows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';

export type DeviceLoginRow = InferEntity<typeof DeviceLogin>;

/** How long a person has to approve. An approval adds a minute, if it comes last, to fetch the key. */
export const LOGIN_SECONDS = 600;

/** How long a program waits between two questions. */
export const INTERVAL_SECONDS = 2;

const DEVICE_CODE_LENGTH = 43;
const SUBJECT = 'device_login';

// RFC 8628, 6.1: no vowels, so that no words appear, and no letters that look like digits.
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LENGTH = 8;
const USER_CODE = new RegExp(`^[${LETTERS}]{${USER_CODE_LENGTH}}$`);
const TRIES_MAX = 5;

/** What a program says when it asks for a key. */
export type Asked = Pick<DeviceLoginRow, 'clientName' | 'address' | 'scopes'>;

/** Begins a login. Both codes are only available here. */
export async function beginDeviceLogin(
  client: Queryable,
  { clientName, address, scopes }: Asked,
): Promise<{ deviceCode: string; userCode: string }> {
  const deviceCode = randomText(DEVICE_CODE_LENGTH);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const userCode = newUserCode();
    const values = [newId('dl'), hashOf(deviceCode), hashOf(userCode), clientName, address, scopes, LOGIN_SECONDS];
    const { rowCount } = await client.query(BEGIN, values);
    if (rowCount === 1) return { deviceCode, userCode };
  }
  throw new Error('no free code was found');
}

const BEGIN = `
insert into device_logins (id, device_hash, user_hash, client_name, address, scopes, expires_at)
values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7)) on conflict (user_hash) do nothing`;

function newUserCode(): string {
  const letters = Array.from({ length: USER_CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]);
  return [...letters.slice(0, 4), '-', ...letters.slice(4)].join('');
}

/** A code as a person types it, in its own form: `bcdf ghjk` is `BCDF-GHJK`. Undefined for what is no code. */
export function userCodeIn(text: string): string | undefined {
  const letters = text.toUpperCase().replaceAll(/[\s\-–—.]/g, '');
  const isCode = USER_CODE.test(letters);
  return isCode ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}

// The device code has 256 random bits. The user code has 34: whoever finds it in the database still needs a person to approve it.
const hashOf = (code: string): Buffer => hash('sha256', code, 'buffer');

export type Poll = {
  state: DeviceLoginRow['state'] | 'ended';
  isEarly: boolean;
  login: { id: string; workspaceId: string | null };
};

/** The state of a login for its program, which asks again too early when its interval is not over. Unknown and expired ones have ended. */
export async function pollDeviceLogin(client: Queryable, deviceCode: string): Promise<Poll | undefined> {
  const { rows } = await client.query<PollRow>(POLL, [hashOf(deviceCode), INTERVAL_SECONDS - LATENCY_SECONDS]);
  const [found] = rows;
  if (!found) return undefined;
  const { id, workspaceId, state, isEarly, isOver } = found;
  return { state: isOver ? 'ended' : state, isEarly, login: { id, workspaceId } };
}

type PollRow = Poll['login'] & { state: DeviceLoginRow['state']; isEarly: boolean; isOver: boolean };

// Two questions may travel for different times.
const LATENCY_SECONDS = 0.5;

const POLL = `
with asked as (select id, polled_at from device_logins where device_hash = $1 for update)
update device_logins d set polled_at = now() from asked where d.id = asked.id
returning d.id, d.workspace_id as "workspaceId", d.state, coalesce(asked.polled_at > now() - make_interval(secs => $2), false) as "isEarly",
  d.expires_at <= now() as "isOver"`;

/** The login of a user code that has not expired, in any state. */
export const findDeviceLogin = async (
  everywhere: Rows<undefined>,
  userCode: string,
): Promise<DeviceLoginRow | undefined> =>
  (await everywhere.statement(({ em, DeviceLogin, sql }) =>
    em.findOne(DeviceLogin, { userHash: hashOf(userCode), expiresAt: { $gt: sql.now() } }),
  )) ?? undefined;

/** A person's decision: a key of a workspace, or null for none. */
export interface Decision {
  userId: string;
  approved: { workspaceId: string; key: ApprovedKey } | null;
  by: Actor;
}

/** Why a decision counts for nothing: no such login, or it was decided before. */
export type DecisionRefusal = 'unknown' | 'decided';

/** Approves or denies a login, once; audited. */
export function decideDeviceLogin(
  everywhere: Rows<undefined>,
  userCode: string,
  { userId, approved, by }: Decision,
): Promise<DeviceLoginRow | DecisionRefusal> {
  return everywhere.transaction(async (tx) => {
    const { em, sql, DeviceLogin, LockMode } = tx;
    const open = { userHash: hashOf(userCode), expiresAt: { $gt: sql.now() } };
    const login = await em.findOne(DeviceLogin, open, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!login) return 'unknown';
    if (login.state !== 'asked') return 'decided';
    const { id, clientName, address } = login;
    const workspaceId = approved?.workspaceId ?? null;
    const change = approved
      ? {
          state: 'approved' as const,
          workspaceId,
          approvedKey: approved.key,
          expiresAt: sql`greatest(expires_at, now() + interval '1 minute')`,
        }
      : { state: 'denied' as const };
    await em.nativeUpdate(DeviceLogin, { id }, { ...change, userId });
    const action = approved ? 'approve_device_login' : 'deny_device_login';
    const detail = { client_name: clientName, address, ...(approved && { after: shown(approved.key) }) };
    await audit(tx, by, { workspaceId, action, subjectType: SUBJECT, subjectId: id, detail });
    return { ...login, state: approved ? 'approved' : 'denied', workspaceId, userId };
  });
}

const shown = (key: ApprovedKey) => ({ name: key.name, scopes: key.scopes, expires_at: key.expiresAt });

/** Deletes logins an hour after they ended. Returns how many. */
export const pruneDeviceLogins = (everywhere: Rows<undefined>): Promise<number> =>
  everywhere.statement(({ client }) =>
    deleteInPortions(client, 'device_logins', "expires_at < now() - interval '1 hour'"),
  );
