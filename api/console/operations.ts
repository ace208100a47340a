import type { z } from 'zod';
import { isHealthy, readUpstreamHealth } from '../../db/accounting/upstreamHealth.ts';
import { listWorkspaceFigures, type WorkspaceFigures } from '../../db/accounting/workspaceFigures.ts';
import { audit, listAudit, type ListedAudit } from '../../db/workspaces/audit.ts';
import { usdOf } from '../../db/money.ts';
import { listSteps } from '../../db/runs/steps/readSteps.ts';
import { findRun } from '../../db/runs/runRow.ts';
import { pathId } from '../body/parseWith.ts';
import { actorOf, type Handler } from '../context.ts';
import { answerPage, type PageInput } from '../http/page.ts';
import { runNotFound } from '../../orders/errors.ts';
import { presentBareStep } from '../runs/stepAnswers.ts';
import type { Services } from '../services.ts';
import type { AuditAnswer, UpstreamList, WorkspaceAnswer } from './operationsAnswers.ts';
import type { AuditQuery, WorkspaceQuery } from './operationsSchema.ts';

/** `GET /console/v1/workspaces`: all workspaces, newest first, with their balances. */
export function listAllWorkspaces({ db, cursors }: Services): Handler<z.output<typeof WorkspaceQuery>> {
  return async (ctx) => {
    const { query } = ctx.state.input;
    await db.ledger.posted();
    await answerPage(ctx, cursors, {
      list: `workspaces ${query ?? ''}`,
      read: (page) => listWorkspaceFigures(db.everywhere, query, page),
      present: (row) => presentWorkspace(db, row),
    });
  };
}

async function presentWorkspace(
  { ledger }: Services['db'],
  { id, name, createdAt, ...figures }: WorkspaceFigures,
): Promise<z.infer<typeof WorkspaceAnswer>> {
  const { postedNanos, heldNanos } = await ledger.balanceOf(id);
  return {
    id,
    object: 'workspace',
    name,
    created_at: createdAt.toISOString(),
    balance_usd: usdOf(postedNanos),
    held_usd: usdOf(heldNanos),
    spend_month_usd: usdOf(figures.spendMonthNanos),
    keys: figures.keys,
    members: figures.members,
    last_used_at: figures.lastUsedAt?.toISOString() ?? null,
  };
}

/** `GET /console/v1/audit`: audited actions with their actor, newest first. */
export function listAuditTrail({ db, cursors }: Services): Handler<z.output<typeof AuditQuery>> {
  return async (ctx) => {
    const { workspace, action, subject, person, from, to } = ctx.state.input;
    const filter = { workspaceId: workspace, action, subjectId: subject, person, from, to };
    await answerPage(ctx, cursors, {
      list: `audit ${JSON.stringify([workspace, action, subject, person, from, to])}`,
      read: (page) => listAudit(db.everywhere, filter, page),
      present: presentAudit,
    });
  };
}

function presentAudit(row: ListedAudit): z.infer<typeof AuditAnswer> {
  return {
    id: row.id,
    object: 'audit.entry',
    workspace_id: row.workspaceId,
    workspace_name: row.workspaceName,
    action: row.action,
    subject_type: row.subjectType,
    subject_id: row.subjectId,
    subject_name: row.subjectName,
    key_id: row.keyId,
    user_id: row.userId,
    by: row.by,
    detail: row.detail as Record<string, unknown>,
    request_id: row.requestId,
    created_at: row.createdAt.toISOString(),
  };
}

/**
 * `GET /console/v1/workspaces/{workspace_id}/runs/{run_id}/steps`: the steps of a customer's run, without any text by the customer, a model
 * or a tool. Each view is audited.
 */
export function listCustomerSteps({ db, cursors }: Services): Handler<PageInput> {
  return async (ctx) => {
    const [workspaceId, runId] = [pathId(ctx, 'workspace_id'), pathId(ctx, 'run_id')];
    const rows = db.read(workspaceId);
    const run = await findRun(rows, runId);
    if (!run) throw runNotFound(runId);
    const entry = { workspaceId, action: 'read_run_steps', subjectType: 'run', subjectId: runId };
    await db.write(workspaceId).transaction((tx) => audit(tx, actorOf(ctx), entry));
    await answerPage(ctx, cursors, {
      list: `steps ${runId}`,
      read: (page) => listSteps(rows, runId, page),
      present: (row) => presentBareStep(run, row),
    });
  };
}

/** `GET /console/v1/upstreams`: how the catalogue's upstreams served the calls of the last hour. */
export function listUpstreams({ db, catalog }: Services): Handler {
  return async (ctx) => {
    await db.ledger.posted();
    const known = new Map((await readUpstreamHealth(db.everywhere)).map((health) => [health.upstream, health]));
    const data = [...catalog.upstreams.keys()].map((id) => {
      const { requests = 0, errors = 0, refusals = 0, firstByteP50Ms = null, lastError = null } = known.get(id) ?? {};
      return {
        id,
        models: catalog.models
          .filter(({ upstreams }) => upstreams.some(({ upstream }) => upstream === id))
          .map((model) => model.id),
        requests_last_hour: requests,
        errors_last_hour: errors,
        refusals_last_hour: refusals,
        first_byte_p50_ms: firstByteP50Ms,
        last_error: lastError && `${lastError.status} on ${lastError.model} at ${new Date(lastError.at).toISOString()}`,
        is_healthy: isHealthy({ calls: requests, failed: errors }),
      };
    });
    ctx.body = { data } satisfies z.infer<typeof UpstreamList>;
  };
}
