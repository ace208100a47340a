import { body } from '../body/body.ts';
import { parseWith, query } from '../body/parseWith.ts';
import { idempotent } from '../guard/idempotency.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { get, post, type Route } from '../http/router.ts';
import { stepQuery } from '../runs/runDocs.ts';
import type { Services } from '../services.ts';
import { createAdjustment, decideAdjustment, listAdjustments } from './adjustments.ts';
import { listAllWorkspaces, listAuditTrail, listCustomerSteps, listUpstreams } from './operations.ts';
import {
  AuditQuery,
  WorkspaceQuery,
  AdjustmentBody,
  AdjustmentQuery,
  PayoutListQuery,
  RejectedBody,
  SentBody,
} from './operationsSchema.ts';
import { operationsDocs } from './operationsDocs.ts';
import { listAllPayouts, rejectPayout, sendPayout } from './payouts.ts';
import { operatorKey } from './operatorKey.ts';

/** The operators' routes over all workspaces. */
export function operationsRoutes(services: Services, keyed: Keyed): Route[] {
  const operator: Keyed = (...checks) => keyed(scope('operator'), operatorKey(services), ...checks);
  const about = operationsDocs();
  const request = [...operator(body(parseWith(AdjustmentBody, 'body'))), idempotent(services.db, 'adj')];
  const at = '/console/v1';
  const confirmation = operator(body(parseWith(SentBody, 'body')));
  const rejection = operator(body(parseWith(RejectedBody, 'body')));
  const one = `${at}/adjustments/:adjustment_id`;
  return [
    get(`${at}/workspaces`, operator(query(WorkspaceQuery)), listAllWorkspaces(services), about.workspaces),
    get(
      `${at}/workspaces/:workspace_id/runs/:run_id/steps`,
      operator(query(stepQuery)),
      listCustomerSteps(services),
      about.steps,
    ),
    get(`${at}/audit`, operator(query(AuditQuery)), listAuditTrail(services), about.audit),
    get(`${at}/upstreams`, operator(), listUpstreams(services), about.upstreams),
    get(`${at}/adjustments`, operator(query(AdjustmentQuery)), listAdjustments(services), about.adjustments),
    post(`${at}/adjustments`, request, createAdjustment(services), about.request),
    post(`${one}/approve`, operator(), decideAdjustment(services, 'approved'), about.approve),
    post(`${one}/reject`, operator(), decideAdjustment(services, 'rejected'), about.reject),
    get(`${at}/payouts`, operator(query(PayoutListQuery)), listAllPayouts(services), about.payouts),
    post(`${at}/payouts/:payout_id/send`, confirmation, sendPayout(services), about.sendPayout),
    post(`${at}/payouts/:payout_id/reject`, rejection, rejectPayout(services), about.rejectPayout),
  ];
}
