import type { Key } from '../../db/keys.ts';
import { scopeNotAllowed } from '../errors/keyErrors.ts';
import type { Guard } from '../context.ts';

/** What a key may be allowed to do: the products, publishing and operating. */
export type Scope = 'llm' | 'voice' | 'batch' | 'agents' | 'publisher' | 'operator';

// Whoever may call models may run agents.
const IMPLIED_BY: Partial<Record<Scope, Scope>> = { agents: 'llm' };

/** Whether a key has the scope, or one that implies it. */
export function hasScope({ scopes }: Key, needed: Scope): boolean {
  const implying = IMPLIED_BY[needed];
  return scopes.has(needed) || (implying !== undefined && scopes.has(implying));
}

/** Lets a request pass whose key has one of the scopes. 403 `scope_not_allowed` otherwise, which names the first. */
export function scope(...needed: [Scope, ...Scope[]]): Guard {
  return (ctx, next) => {
    if (!needed.some((one) => hasScope(ctx.state.key, one))) throw scopeNotAllowed(needed[0]);
    return next();
  };
}
