import type { z } from 'zod';
import {
  ALERTS_MAX,
  findAlert,
  insertAlert,
  listAlerts,
  removeAlert,
  updateAlert,
  type AlertChoice,
  type AlertState,
} from '../../db/alerts/alerts.ts';
import type { AlertKind } from '../../db/entities/alertKinds.ts';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import { conflict, notFound, validationError, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { projectNotFound } from '../projects/projects.ts';
import { pathId } from '../body/parseWith.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import type { AlertAnswer, AlertChangeBody, AlertList, DeletedAlert, NewAlertBody } from './alertSchema.ts';

/** `GET /platform/v1/alerts`: the workspace's alerts, and what they watch now. */
export function listWorkspaceAlerts({ db }: Services): Handler {
  return async (ctx) => {
    await db.ledger.posted();
    const alerts = await listAlerts(seenBy(db, ctx.state.key), await db.ledger.balanceOf(ctx.state.key.workspaceId));
    ctx.body = { object: 'list', data: alerts.map(present) } satisfies z.infer<typeof AlertList>;
  };
}

/** `POST /platform/v1/alerts`: creates an alert. Throws 404 `key_not_found` and `project_not_found`, and 409 `too_many_alerts`. */
export function createAlert({ db }: Services): Handler<z.output<typeof NewAlertBody>> {
  return async (ctx) => {
    const { input, resourceId: id } = ctx.state;
    const chosen = choiceOf(input);
    const { workspaceId } = ctx.state.key;
    await db.ledger.posted();
    const balance = await db.ledger.balanceOf(workspaceId);
    const made = await insertAlert(db.write(workspaceId), balance, { id, by: actorOf(ctx), ...chosen });
    if (made === 'no_key') throw notFound(`No key with the id '${chosen.keyId}'.`, 'key_not_found', 'key_id');
    if (made === 'no_project') throw projectNotFound(chosen.projectId!, 'project_id');
    if (made === 'no_member') throw noMember();
    if (made === 'too_many')
      throw conflict('too_many_alerts', `A workspace has at most ${ALERTS_MAX} alerts. Delete one.`);
    ctx.status = 201;
    ctx.body = present(made);
  };
}

/** `GET /platform/v1/alerts/{alert_id}`: one alert. Throws 404 `alert_not_found`, like all routes of an alert. */
export function retrieveAlert(services: Services): Handler {
  return async (ctx) => {
    ctx.body = present(await alertOf(ctx, services));
  };
}

/** `PATCH /platform/v1/alerts/{alert_id}`: changes the sent members. Throws 422 for a member that the alert's type does not have. */
export function changeAlert(services: Services): Handler<z.output<typeof AlertChangeBody>> {
  return async (ctx) => {
    const { db } = services;
    const { kind, id } = await alertOf(ctx, services);
    const { input, key } = ctx.state;
    const wrong = (Object.keys(input) as (keyof typeof input)[]).filter(
      (name) => input[name] !== undefined && !SHARED.includes(name) && !MEMBERS[kind].includes(name),
    );
    if (wrong.length > 0) throw validationError(wrong.map((name) => notOf(name, kind)));
    const change = changeOf(input);
    const balance = await db.ledger.balanceOf(key.workspaceId);
    const changed = await updateAlert(db.write(key.workspaceId), balance, { id, change, by: actorOf(ctx) });
    if (changed === 'not_found') throw alertNotFound(id);
    if (changed === 'no_member') throw noMember();
    ctx.body = present(changed);
  };
}

/** What may change in an alert of each kind, and in all of them. */
const MEMBERS: Record<AlertKind, readonly string[]> = {
  spend: ['amount_usd', 'period', 'percentages'],
  runway: ['days'],
};
const SHARED: readonly string[] = ['mail', 'mail_to'];

/** `DELETE /platform/v1/alerts/{alert_id}`: deletes it. */
export function deleteAlert({ db }: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'alert_id');
    if (!(await removeAlert(db.write(ctx.state.key.workspaceId), id, actorOf(ctx)))) throw alertNotFound(id);
    ctx.body = { id, object: 'alert', deleted: true } satisfies z.infer<typeof DeletedAlert>;
  };
}

async function alertOf(ctx: Context, { db }: Services): Promise<AlertState> {
  const id = pathId(ctx, 'alert_id');
  await db.ledger.posted();
  const balance = await db.ledger.balanceOf(ctx.state.key.workspaceId);
  const alert = await findAlert(seenBy(db, ctx.state.key), balance, id);
  if (!alert) throw alertNotFound(id);
  return alert;
}

export const alertNotFound = (id: string) => notFound(`No alert with the id '${id}'.`, 'alert_not_found');

/** For a person in `mail_to` who is no member. */
export const noMember = () => validationErrorAt(['body', 'mail_to'], 'One of these is no member of the workspace.');

const notOf = (name: string, kind: string) => ({
  loc: ['body', name],
  msg: `An alert of the type ${kind} has no ${name}.`,
  type: 'value_error',
});

const NONE = { keyId: null, projectId: null, amountNanos: null, period: null, percentages: [], days: null };

function choiceOf(input: z.output<typeof NewAlertBody>): AlertChoice {
  if (input.type === 'runway')
    return { ...NONE, kind: 'runway', days: input.days, mail: input.mail, recipients: input.mail_to };
  const {
    amount_usd: usd,
    period,
    percentages,
    key_id: keyId,
    project_id: projectId,
    mail,
    mail_to: recipients,
  } = input;
  if (keyId !== null && projectId !== null)
    throw validationErrorAt(['body', 'project_id'], 'An alert has a key_id or a project_id, not both.');
  return {
    ...NONE,
    kind: 'spend',
    keyId,
    projectId,
    amountNanos: nanosOfUsd(usd),
    period,
    percentages: ascending(percentages),
    mail,
    recipients,
  };
}

function changeOf({
  amount_usd: usd,
  percentages,
  mail_to: recipients,
  ...rest
}: z.output<typeof AlertChangeBody>): Partial<AlertChoice> {
  return {
    ...rest,
    ...(recipients !== undefined && { recipients }),
    ...(usd !== undefined && { amountNanos: nanosOfUsd(usd) }),
    ...(percentages && { percentages: ascending(percentages) }),
  };
}

const ascending = (numbers: number[]): number[] => numbers.toSorted((one, other) => one - other);

function present(alert: AlertState): z.infer<typeof AlertAnswer> {
  const isSpend = alert.kind === 'spend';
  return {
    id: alert.id,
    object: 'alert',
    type: alert.kind,
    key_id: alert.keyId,
    key_name: alert.keyName,
    project_id: alert.projectId,
    project_name: alert.projectName,
    amount_usd: alert.amountNanos === null ? null : usdOf(alert.amountNanos),
    period: alert.period,
    percentages: alert.percentages,
    days: alert.days,
    mail: alert.mail,
    mail_to: alert.recipients,
    spent_usd: isSpend ? usdOf(alert.spentNanos) : null,
    reached_percentage: isSpend && alert.level > 0 ? alert.level : null,
    runway_days: alert.runwayDays,
    is_reached: alert.level > 0,
    created_at: alert.createdAt.toISOString(),
  };
}
