import type { z } from 'zod';
import type { SignedIn } from '../../db/accounts/consoleSession.ts';
import { countTry, type Allowance } from '../../db/accounts/throttle.ts';
import {
  decideDeviceLogin,
  findDeviceLogin,
  userCodeIn,
  type Decision,
  type DeviceLoginRow,
} from '../../db/keys/deviceLogins.ts';
import { mayMake } from '../../db/keys/fetchKey.ts';
import { readKeyMakers, type KeyMaker } from '../../db/keys/keyMakers.ts';
import { rolesWith } from '../../db/keys/roles.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { listOpenProjects } from '../../db/projects/openProjects.ts';
import { openTestWorkspace } from '../../db/testMode/testMode.ts';
import { storedProjectOf } from '../../db/workspaces/defaultProject.ts';
import { roleNotAllowed, scopeNotGrantable, tooManyTries } from '../../base/errors/keyErrors.ts';
import type { Context, Handler } from '../context.ts';
import { clientAddressOf, shownAddressOf } from '../guard/allowedAddress.ts';
import { checkOpens, memberAt } from '../guard/session.ts';
import { networkOf } from '../guard/throttling.ts';
import { projectNotFound } from '../projects/projects.ts';
import type { Services } from '../services.ts';
import type { DeviceLoginAnswer, DeviceLoginDetail } from './deviceAnswers.ts';
import { loginDecided, loginNotFound, noSuchWorkspace } from './deviceErrors.ts';
import type { ApprovalBody, UserCodeBody } from './deviceSchema.ts';

type Approval = z.output<typeof ApprovalBody>;

// Of 20^8 codes at most a few wait at a time: so few guesses find none.
const OF_PERSON: Allowance = { triesMax: 30, windowSeconds: 900 };
const OF_ADDRESS: Allowance = { triesMax: 120, windowSeconds: 900 };

/** `POST /console/v1/device/read`: the login of a code, for the person who may approve it. */
export function readDeviceLogin({ db }: Services): Handler<z.output<typeof UserCodeBody>> {
  return async (ctx) => {
    const userCode = await codeOf(ctx, db);
    const member = ctx.state.member!;
    const login = await findDeviceLogin(db.everywhere, userCode);
    if (!login) throw loginNotFound();
    const makers = (await readKeyMakers(db.pool, member.userId)).flatMap((one) => makerBy(member, one) ?? []);
    const projects = await listOpenProjects(db.pool, makers);
    ctx.body = {
      ...present(ctx, login, userCode),
      workspaces: makers.map(({ workspaceId: id, workspaceName: name, role, grantable }) => ({
        id,
        name,
        role,
        scopes: [...grantable],
        projects: projects.get(id) ?? [],
      })),
    } satisfies z.infer<typeof DeviceLoginDetail>;
  };
}

/**
 * `POST /console/v1/device/approve`. Throws 403 for rights that the person has not in that workspace, and where their session lacks what
 * it asks for.
 */
export function approveDeviceLogin(services: Services): Handler<Approval> {
  const { db } = services;
  return async (ctx) => {
    const userCode = await codeOf(ctx, db);
    const { input, member } = ctx.state;
    const [found] = await readKeyMakers(db.pool, member!.userId, { workspaceId: input.workspace_id });
    const maker = found && makerBy(member!, found);
    if (!maker || maker.workspaceId !== input.workspace_id) throw noSuchWorkspace(input.workspace_id);
    const there = await memberAt(services, ctx, maker.workspaceId);
    if (!there) throw noSuchWorkspace(input.workspace_id);
    checkOpens(there);
    checkRights(maker, input);
    const isTest = input.mode === 'test';
    const workspaceId = isTest ? await openTestWorkspace(db.everywhere, maker.workspaceId) : maker.workspaceId;
    const approved = { workspaceId, key: keyOf(input, isTest ? { ...maker, projectIds: null } : maker) };
    await checkProject(db, { ...maker, workspaceId }, approved.key);
    await decide(ctx, db, userCode, approved);
  };
}

/** `POST /console/v1/device/deny`. */
export function denyDeviceLogin({ db }: Services): Handler<z.output<typeof UserCodeBody>> {
  return async (ctx) => decide(ctx, db, await codeOf(ctx, db), null);
}

/**
 * The person with the rights that their session has. One of an identity provider opens its workspace alone (undefined for any other), and
 * gives nobody the rights of an operator.
 */
function makerBy({ ssoWorkspaceId }: Pick<SignedIn, 'ssoWorkspaceId'>, maker: KeyMaker): KeyMaker | undefined {
  if (ssoWorkspaceId === null) return maker;
  if (ssoWorkspaceId !== maker.workspaceId) return undefined;
  return { ...maker, grantable: new Set([...maker.grantable].filter((scope) => scope !== 'operator')) };
}

async function decide(
  ctx: Context,
  db: Services['db'],
  userCode: string,
  approved: Decision['approved'],
): Promise<void> {
  const { requestId, member } = ctx.state;
  const { userId } = member!;
  const by = { keyId: null, userId, requestId };
  const decided = await decideDeviceLogin(db.everywhere, userCode, { userId, approved, by });
  if (decided === 'unknown') throw loginNotFound();
  if (decided === 'decided') throw loginDecided();
  ctx.body = present(ctx, decided, userCode);
}

/** The code of a request, whose guesses are bounded by person and address. Throws 429 `too_many_tries`, 404 for what is no code. */
async function codeOf(ctx: Context<z.output<typeof UserCodeBody>>, { pool }: Services['db']): Promise<string> {
  const [ofPerson, ofAddress] = await Promise.all([
    countTry(pool, `device user codes of ${ctx.state.member!.userId}`, OF_PERSON),
    countTry(pool, `device user codes from ${networkOf(clientAddressOf(ctx))}`, OF_ADDRESS),
  ]);
  const waitMs = Math.max(ofPerson.waitMs, ofAddress.waitMs);
  if (waitMs > 0) throw tooManyTries(waitMs);
  const userCode = userCodeIn(ctx.state.input.user_code);
  if (userCode === undefined) throw loginNotFound();
  return userCode;
}

function checkRights({ role, grantable }: KeyMaker, { scopes, mode }: Approval): void {
  if (grantable.size === 0) throw roleNotAllowed(role, rolesWith('llm'));
  const held = [...grantable].filter((scope) => scope !== 'operator' || mode !== 'test');
  const refused = scopes.find((scope) => !held.includes(scope));
  if (refused !== undefined) throw scopeNotGrantable(refused, held);
}

const keyOf = (input: Approval, { projectIds }: KeyMaker) => ({
  name: input.name,
  scopes: input.scopes,
  projectId: input.project_id === undefined ? (projectIds?.[0] ?? null) : storedProjectOf(input.project_id),
  spendLimitNanos: typeof input.spend_limit === 'number' ? nanosOfUsd(input.spend_limit).toString() : null,
  spendLimitPeriod: input.spend_limit_period ?? null,
  expiresAt: input.expires_at ?? null,
});

type ApprovedKey = ReturnType<typeof keyOf>;

/** Throws 404 `project_not_found` for a project that is not there, is archived, or that the person does not see. */
async function checkProject(db: Services['db'], maker: KeyMaker, { scopes, projectId }: ApprovedKey): Promise<void> {
  const { workspaceId } = maker;
  if (!mayMake(maker, { workspaceId, scopes, projectId })) throw projectNotFound(projectId ?? 'default', 'project_id');
  const open = (await listOpenProjects(db.pool, [{ workspaceId, projectIds: null }])).get(workspaceId);
  if (projectId !== null && !open?.some(({ id }) => id === projectId)) throw projectNotFound(projectId, 'project_id');
}

const present = (ctx: Context, login: DeviceLoginRow, userCode: string) =>
  ({
    object: 'device_login' as const,
    id: login.id,
    user_code: userCode,
    status: login.state,
    client_name: login.clientName,
    address: login.address,
    is_same_network: networkOf(login.address) === networkOf(shownAddressOf(ctx)),
    scopes: login.scopes,
    created_at: login.createdAt.toISOString(),
    expires_at: login.expiresAt.toISOString(),
  }) satisfies z.infer<typeof DeviceLoginAnswer>;
