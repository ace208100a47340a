import { body } from '../body/body.ts';
import { parseWith } from '../body/parseWith.ts';
import { idempotent } from '../guard/idempotency.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { wholeWorkspace } from '../guard/projects.ts';
import { get, patch, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { flowDocs } from './flowDocs.ts';
import { changeRule, createRule, deleteRule, listRules, retrieveRule } from './flowRules.ts';
import { FlowRuleChangeBody, NewFlowRuleBody } from './flowSchema.ts';

/** The routes of flow rules. Those who manage keys set them, and everyone reads them. */
export function flowRoutes(services: Services, keyed: Keyed): Route[] {
  const setter: Keyed = (...checks) => keyed(scope('manage'), wholeWorkspace, ...checks);
  const [all, one] = ['/platform/v1/flow-rules', '/platform/v1/flow-rules/:flow_rule_id'];
  const creation = setter(body(parseWith(NewFlowRuleBody, 'body')), idempotent(services.db, 'flow'));
  return [
    get(all, keyed(), listRules(services), flowDocs.list),
    post(all, creation, createRule(services), flowDocs.create),
    get(one, keyed(), retrieveRule(services), flowDocs.retrieve),
    patch(one, setter(body(parseWith(FlowRuleChangeBody, 'body'))), changeRule(services), flowDocs.change),
    remove(one, setter(), deleteRule(services), flowDocs.remove),
  ];
}
