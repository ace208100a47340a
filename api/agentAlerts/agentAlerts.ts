import type { z } from 'zod';
import {
  AGENT_ALERTS_MAX,
  findAgentAlert,
  insertAgentAlert,
  listAgentAlerts,
  removeAgentAlert,
  updateAgentAlert,
  type AgentAlertChoice,
  type AgentAlertState,
} from '../../db/agentAlerts/agentAlerts.ts';
import { conflict, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { pathId } from '../body/parseWith.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { agentNotFound } from '../publisher/errors.ts';
import type { Services } from '../services.ts';
import { alertNotFound, noMember } from '../alerts/alerts.ts';
import {
  isFittingRate,
  RATE_TOO_HIGH,
  type AgentAlertAnswer,
  type AgentAlertChangeBody,
  type AgentAlertList,
  type AgentAlertsQuery,
  type DeletedAgentAlert,
  type NewAgentAlertBody,
} from './agentAlertSchema.ts';

/** `GET /v1/publisher/alerts`: the alerts on the workspace's agents, and what they watch now. */
export function listPublisherAlerts({ db }: Services): Handler<z.output<typeof AgentAlertsQuery>> {
  return async (ctx) => {
    const { agent_id: agentId = null } = ctx.state.input;
    const alerts = await listAgentAlerts(db.everywhere, ctx.state.key.workspaceId, agentId);
    ctx.body = { object: 'list', data: alerts.map(present) } satisfies z.infer<typeof AgentAlertList>;
  };
}

/** `POST /v1/publisher/alerts`: creates an alert. Throws 404 `agent_not_found`, and 409 `too_many_alerts`. */
export function createPublisherAlert(services: Services): Handler<z.output<typeof NewAgentAlertBody>> {
  return async (ctx) => {
    const { input, resourceId: id } = ctx.state;
    const chosen = {
      agentId: input.agent_id,
      kind: input.type,
      threshold: input.threshold,
      windowMinutes: input.window_minutes,
      runsMin: input.runs_min,
      faults: input.faults,
      mail: input.mail,
      recipients: input.mail_to,
    };
    const made = await insertAgentAlert(services.db.write(ctx.state.key.workspaceId), {
      id,
      by: actorOf(ctx),
      ...chosen,
    });
    if (made === 'no_agent') throw agentNotFound(input.agent_id, 'agent_id');
    if (made === 'no_member') throw noMember();
    if (made === 'too_many')
      throw conflict('too_many_alerts', `A publisher has at most ${AGENT_ALERTS_MAX} alerts. Delete one.`);
    ctx.status = 201;
    ctx.body = present(made);
  };
}

/** `GET /v1/publisher/alerts/{agent_alert_id}`: one alert. Throws 404 `alert_not_found`, like all routes of an alert. */
export function retrievePublisherAlert(services: Services): Handler {
  return async (ctx) => {
    ctx.body = present(await alertOf(ctx, services));
  };
}

/** `PATCH /v1/publisher/alerts/{agent_alert_id}`: changes the sent members. */
export function changePublisherAlert(services: Services): Handler<z.output<typeof AgentAlertChangeBody>> {
  return async (ctx) => {
    const alert = await alertOf(ctx, services);
    const { input } = ctx.state;
    if (!isFittingRate({ type: input.type ?? alert.kind, threshold: input.threshold ?? alert.threshold }))
      throw validationErrorAt(['body', 'threshold'], RATE_TOO_HIGH);
    const change = changeOf(input);
    const rows = services.db.write(ctx.state.key.workspaceId);
    const changed = await updateAgentAlert(rows, alert.id, { change, by: actorOf(ctx) });
    if (changed === 'not_found') throw alertNotFound(alert.id);
    if (changed === 'no_member') throw noMember();
    ctx.body = present(changed);
  };
}

/** `DELETE /v1/publisher/alerts/{agent_alert_id}`: deletes it. */
export function deletePublisherAlert({ db }: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'agent_alert_id');
    if (!(await removeAgentAlert(db.write(ctx.state.key.workspaceId), id, actorOf(ctx)))) throw alertNotFound(id);
    ctx.body = { id, object: 'publisher.alert', deleted: true } satisfies z.infer<typeof DeletedAgentAlert>;
  };
}

async function alertOf(ctx: Context, { db }: Services): Promise<AgentAlertState> {
  const id = pathId(ctx, 'agent_alert_id');
  const alert = await findAgentAlert(db.everywhere, ctx.state.key.workspaceId, id);
  if (!alert) throw alertNotFound(id);
  return alert;
}

function changeOf({
  type,
  threshold,
  window_minutes: windowMinutes,
  runs_min: runsMin,
  faults,
  mail,
  mail_to: recipients,
}: z.output<typeof AgentAlertChangeBody>): Partial<AgentAlertChoice> {
  const change = { kind: type, threshold, windowMinutes, runsMin, faults, mail, recipients };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

function present(alert: AgentAlertState): z.infer<typeof AgentAlertAnswer> {
  const { runs, failures } = alert;
  return {
    id: alert.id,
    object: 'publisher.alert',
    agent_id: alert.agentId,
    agent: alert.agent,
    type: alert.kind,
    threshold: alert.threshold,
    window_minutes: alert.windowMinutes,
    runs_min: alert.runsMin,
    faults: alert.faults,
    mail: alert.mail,
    mail_to: alert.recipients,
    runs,
    failures,
    failure_rate: runs === 0 ? null : failures / runs,
    is_failing: alert.failing,
    created_at: alert.createdAt.toISOString(),
  };
}
