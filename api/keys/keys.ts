import { findKeyUsage, limitRemainingNanosOf, listKeyUsage, type KeyWithSpending } from '../../db/keys/keyUsage.ts';
import { usdOf } from '../../db/money.ts';
import { projectIdOf } from '../../db/workspaces/defaultProject.ts';
import type { Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import { invalidApiKey } from '../../base/errors/keyErrors.ts';
import type { Services } from '../services.ts';
import type { InspectedKey, ListedKey } from './keyAnswers.ts';
import type { z } from 'zod';

/**
 * `GET /platform/v1/key`: the calling key, its ceiling, its spending and its account's balance. Without a ceiling `limit` and
 * `limit_remaining` are null, as in OpenRouter's API; `limit_reset` is null when the ceiling never resets.
 */
export function inspectKey({ db, limits }: Services): Handler {
  return async (ctx) => {
    const { keyId, workspaceId } = ctx.state.key;
    await db.ledger.posted();
    const key = await findKeyUsage(db.read(workspaceId), keyId);
    // The key was revoked after the guard found it.
    if (!key) throw invalidApiKey();
    const { postedNanos } = await db.ledger.balanceOf(workspaceId);
    ctx.body = {
      label: key.name,
      prefix: key.prefix,
      limit: usdOrNull(key.spendLimitNanos),
      limit_remaining: usdOrNull(limitRemainingNanosOf(key)),
      limit_reset: key.spendLimitPeriod,
      usage_daily: usdOf(key.dailyNanos),
      usage_monthly: usdOf(key.monthlyNanos),
      rate_limit: {
        rpm: key.rpmLimit ?? limits.defaults.rpm,
        concurrency: key.concurrencyLimit ?? limits.defaults.concurrency,
      },
      balance: usdOf(postedNanos),
      log_days: key.logDays,
      no_retention: key.noRetention,
    } satisfies z.infer<typeof InspectedKey>;
  };
}

/**
 * `GET /platform/v1/keys`: all keys of the workspace, newest first, including revoked keys because they have spending. A null limit means
 * the default tier, a null ceiling means none.
 */
export function listKeys({ db }: Services): Handler {
  return async (ctx) => {
    const { key: calling } = ctx.state;
    await db.ledger.posted();
    const keys = await listKeyUsage(seenBy(db, calling));
    ctx.body = { data: keys.map((key) => presentKey(key, calling.keyId)) };
  };
}

/** A key in a list. */
export function presentKey(key: KeyWithSpending, callingKeyId: string): z.infer<typeof ListedKey> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    scopes: key.scopes,
    spend_daily: usdOf(key.dailyNanos),
    spend_monthly: usdOf(key.monthlyNanos),
    spend_limit: usdOrNull(key.spendLimitNanos),
    spend_limit_period: key.spendLimitPeriod,
    rpm_limit: key.rpmLimit,
    concurrency_limit: key.concurrencyLimit,
    is_calling_key: key.id === callingKeyId,
    parent_id: key.parentId,
    allowed_agents: key.allowedAgents,
    log_days: key.logDays,
    no_retention: key.noRetention,
    project_id: projectIdOf(key.projectId),
  };
}

function usdOrNull(nanos: bigint | null): number | null {
  return nanos === null ? null : usdOf(nanos);
}
