import type { z } from 'zod';
import { insertDerivedKey, revokeDescendant, type DerivationRefusal } from '../../db/keys/deriveKey.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { pathId } from '../body/parseWith.ts';
import type { DerivedKeyBody } from './keySchema.ts';
import { actorOf, type Handler } from '../context.ts';
import { invalidApiKey } from '../../base/errors/keyErrors.ts';
import { conflict, notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import type { DeletedThing } from '../files/presentFile.ts';
import { makeOnce } from '../guard/idempotency.ts';
import { cancelRunsOfRevoked } from '../runs/cancelRun.ts';
import type { Services } from '../services.ts';
import { presentKey } from './keys.ts';

/**
 * `POST /platform/v1/keys/derive`: creates a narrower key, whose parent is the calling key. Only this answer has the secret. Throws 422 for
 * rights beyond the parent's, 409 `key_tree_too_deep` and `key_tree_too_large`.
 */
export function deriveKey({ db, limits }: Services): Handler<z.output<typeof DerivedKeyBody>> {
  return async (ctx) => {
    const input = ctx.state.input;
    const { workspaceId, keyId } = ctx.state.key;
    // The same body from another key is another request.
    const request = { ...input, parentId: keyId };
    const order = { prefix: 'key', request, key: ctx.req.headers['idempotency-key'] };
    await makeOnce(ctx, db, order, async (id) => {
      const derived = await insertDerivedKey(db.write(workspaceId), {
        id,
        parentId: keyId,
        name: input.name,
        scopes: input.scopes,
        spendLimitNanos: input.spend_limit === undefined ? null : nanosOfUsd(input.spend_limit),
        spendLimitPeriod: input.spend_limit_period ?? null,
        rpmLimit: input.rpm_limit ?? null,
        concurrencyLimit: input.concurrency_limit ?? null,
        expiresAt: input.expires_at === undefined ? null : new Date(input.expires_at),
        allowedAgents: input.allowed_agents,
        defaults: limits.defaults,
        by: actorOf(ctx),
      });
      if (derived.outcome !== 'derived') throw refusalOf(derived);
      if (derived.secret === null) ctx.set('idempotent-replayed', 'true');
      ctx.status = 201;
      ctx.body = { ...presentKey(derived.key, keyId), key: derived.secret };
    });
  };
}

/** `DELETE /platform/v1/keys/{key_id}`: revokes the calling key or a descendant of it, with its own descendants. */
export function revokeDerivedKey(services: Services): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'key_id');
    const { workspaceId, keyId: ancestorId } = ctx.state.key;
    if (!(await revokeDescendant(services.db.write(workspaceId), { id, ancestorId, by: actorOf(ctx) })))
      throw notFound(`The calling key has made no key with the id '${id}'.`, 'key_not_found');
    await cancelRunsOfRevoked(services, workspaceId);
    ctx.body = { id, object: 'api_key', deleted: true } satisfies DeletedThing;
  };
}

function refusalOf(refused: DerivationRefusal) {
  switch (refused.outcome) {
    case 'ended':
      return invalidApiKey();
    case 'too_deep':
      return conflict(
        'key_tree_too_deep',
        'Keys are made at most four levels deep: make this one of a key further up.',
      );
    case 'too_many':
      return conflict('key_tree_too_large', 'The first key of this tree has 1,000 keys below it: revoked ones count.');
    case 'beyond_parent': {
      const { member } = refused;
      return validationErrorAt(['body', member], 'This is more than the calling key may do.');
    }
    default:
      return refused satisfies never;
  }
}
