import type { z } from 'zod';
import {
  findFlowRule,
  FLOW_RULES_MAX,
  insertFlowRule,
  listFlowRules,
  removeFlowRule,
  updateFlowRule,
  type FlowRuleChoice,
  type FlowRuleRow,
} from '../../db/runs/flow/rules.ts';
import { conflict, notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { findCallable } from '../../orders/findAgent.ts';
import { pathId } from '../body/parseWith.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import { answering } from '../runs/createRun.ts';
import type { Services } from '../services.ts';
import type {
  DeletedFlowRule,
  FlowRuleAnswer,
  FlowRuleChangeBody,
  FlowRuleList,
  NewFlowRuleBody,
} from './flowSchema.ts';

/** `GET /platform/v1/flow-rules`: the workspace's rules, by agent. */
export function listRules({ db }: Services): Handler {
  return async (ctx) => {
    const rules = await listFlowRules(seenBy(db, ctx.state.key));
    ctx.body = { object: 'list', data: rules.map(present) } satisfies z.infer<typeof FlowRuleList>;
  };
}

/** `POST /platform/v1/flow-rules`: creates the rule of an agent. Throws 409 `flow_rule_exists` and `too_many_flow_rules`. */
export function createRule(services: Services): Handler<z.output<typeof NewFlowRuleBody>> {
  return async (ctx) => {
    const { input, resourceId: id, key } = ctx.state;
    const { agent, ...limits } = input;
    await answering(() => findCallable(services, key, agent));
    const rows = services.db.write(key.workspaceId);
    const made = await insertFlowRule(rows, { id, by: actorOf(ctx), agent, ...NONE, ...choiceOf(limits) });
    if (made === 'exists')
      throw conflict('flow_rule_exists', `The workspace has a flow rule for '${agent}'. Change or delete it.`);
    if (made === 'too_many')
      throw conflict('too_many_flow_rules', `A workspace has at most ${FLOW_RULES_MAX} flow rules. Delete one.`);
    ctx.status = 201;
    ctx.body = present(made);
  };
}

/** `GET /platform/v1/flow-rules/{flow_rule_id}`: one rule. Throws 404 `flow_rule_not_found`, like all routes of a rule. */
export function retrieveRule(services: Services): Handler {
  return async (ctx) => {
    ctx.body = present(await ruleOf(ctx, services));
  };
}

/** `PATCH /platform/v1/flow-rules/{flow_rule_id}`: replaces what is sent, and starts runs that need not wait any more. */
export function changeRule(services: Services): Handler<z.output<typeof FlowRuleChangeBody>> {
  return async (ctx) => {
    const rule = await ruleOf(ctx, services);
    const change = choiceOf(ctx.state.input);
    const { concurrencyLimit, rateLimit } = { ...rule, ...change };
    if (concurrencyLimit === null && rateLimit === null) throw wouldBeEmpty();
    const { workspaceId } = ctx.state.key;
    const changed = await updateFlowRule(services.db.write(workspaceId), rule.id, { change, by: actorOf(ctx) });
    if (!changed) throw ruleNotFound(rule.id);
    services.runStarter.turn({ workspaceId });
    ctx.body = present(changed);
  };
}

/** `DELETE /platform/v1/flow-rules/{flow_rule_id}`: deletes it, and starts runs that waited only for it. */
export function deleteRule({ db, runStarter }: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'flow_rule_id');
    const { workspaceId } = ctx.state.key;
    if (!(await removeFlowRule(db.write(workspaceId), id, actorOf(ctx)))) throw ruleNotFound(id);
    runStarter.turn({ workspaceId });
    ctx.body = { id, object: 'flow_rule', deleted: true } satisfies z.infer<typeof DeletedFlowRule>;
  };
}

async function ruleOf(ctx: Context, { db }: Services): Promise<FlowRuleRow> {
  const id = pathId(ctx, 'flow_rule_id');
  const rule = await findFlowRule(seenBy(db, ctx.state.key), id);
  if (!rule) throw ruleNotFound(id);
  return rule;
}

const ruleNotFound = (id: string) => notFound(`No flow rule with the id '${id}'.`, 'flow_rule_not_found');

const wouldBeEmpty = () =>
  validationErrorAt(['body', 'concurrency'], 'A rule has a concurrency, a rate, or both: delete it instead.');

const NO_CONCURRENCY = { concurrencyLimit: null, concurrencyKey: null };
const NO_RATE = { rateLimit: null, ratePeriodSeconds: null, rateKey: null, rateExceeded: null };
const NONE: FlowRuleChoice = { ...NO_CONCURRENCY, ...NO_RATE };

function choiceOf({ concurrency, rate }: z.output<typeof FlowRuleChangeBody>): Partial<FlowRuleChoice> {
  return {
    ...(concurrency === null && NO_CONCURRENCY),
    ...(concurrency && { concurrencyLimit: concurrency.limit, concurrencyKey: concurrency.key }),
    ...(rate === null && NO_RATE),
    ...(rate && {
      rateLimit: rate.limit,
      ratePeriodSeconds: rate.period_seconds,
      rateKey: rate.key,
      rateExceeded: rate.when_exceeded,
    }),
  };
}

function present(rule: FlowRuleRow): z.infer<typeof FlowRuleAnswer> {
  const { concurrencyLimit, rateLimit } = rule;
  return {
    id: rule.id,
    object: 'flow_rule',
    agent: rule.agent,
    concurrency: concurrencyLimit === null ? null : { limit: concurrencyLimit, key: rule.concurrencyKey },
    rate:
      rateLimit === null
        ? null
        : {
            limit: rateLimit,
            period_seconds: rule.ratePeriodSeconds!,
            key: rule.rateKey,
            when_exceeded: rule.rateExceeded!,
          },
    created_at: rule.createdAt.toISOString(),
  };
}
