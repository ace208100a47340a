import type { Key } from '../../db/keys.ts';
import { scopeNotAllowed } from '../errors/keyErrors.ts';
import type { Guard } from '../context.ts';

/** The scopes of keys: the products, publishing and operating. */
export type Scope = 'llm' | 'voice' | 'batch' | 'agents' | 'publisher' | 'operator';

// The scope for models includes running agents.
const IMPLIED_BY: Partial<Record<Scope, Scope>> = { agents: 'llm' };

/** Whether a key has the scope, or one that implies it. */
export function hasScope({ scopes }: Key, needed: Scope): boolean {
  const implying = IMPLIED_BY[needed];
  return scopes.has(needed) || (implying !== undefined && scopes.has(implying));
}

/** Requires one of the scopes. Throws 403 `scope_not_allowed`, which names the first. */
export function scope(...needed: [Scope, ...Scope[]]): Guard {
  return (ctx, next) => {
    if (!needed.some((one) => hasScope(ctx.state.key, one))) throw scopeNotAllowed(needed[0]);
    return next();
  };
}
