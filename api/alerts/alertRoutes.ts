import { body } from '../body/body.ts';
import { parseWith } from '../body/parseWith.ts';
import { idempotent } from '../guard/idempotency.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { wholeWorkspace } from '../guard/projects.ts';
import { get, patch, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { alertDocs } from './alertDocs.ts';
import { changeAlert, createAlert, deleteAlert, listWorkspaceAlerts, retrieveAlert } from './alerts.ts';
import { AlertChangeBody, NewAlertBody } from './alertSchema.ts';

/** The routes of alerts. Those who manage keys or pay set them, and everyone reads them. */
export function alertRoutes(services: Services, keyed: Keyed): Route[] {
  const setter: Keyed = (...checks) => keyed(scope('manage', 'billing'), wholeWorkspace, ...checks);
  const [all, one] = ['/platform/v1/alerts', '/platform/v1/alerts/:alert_id'];
  const creation = setter(body(parseWith(NewAlertBody, 'body')), idempotent(services.db, 'alert'));
  return [
    get(all, keyed(), listWorkspaceAlerts(services), alertDocs.list),
    post(all, creation, createAlert(services), alertDocs.create),
    get(one, keyed(), retrieveAlert(services), alertDocs.retrieve),
    patch(one, setter(body(parseWith(AlertChangeBody, 'body'))), changeAlert(services), alertDocs.change),
    remove(one, setter(), deleteAlert(services), alertDocs.remove),
  ];
}
