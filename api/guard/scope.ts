import { scopeNotAllowed } from '../errors/keyErrors.ts';
import type { Guard } from '../context.ts';

/** What a key may be allowed to do: the products, and managing, publishing and operating. */
export type Scope = 'llm' | 'voice' | 'batch' | 'agents' | 'publisher' | 'manage' | 'operator';

// Whoever may call models may run agents.
const IMPLIED_BY: Partial<Record<Scope, Scope>> = { agents: 'llm' };
const PRODUCTS: readonly Scope[] = ['llm', 'voice', 'batch', 'agents'];

/** Lets a request pass whose key has the scope, or one that implies it. 403 `scope_not_allowed` otherwise. */
export function scope(needed: Scope): Guard {
  const implying = IMPLIED_BY[needed];
  return (ctx, next) => {
    const { scopes } = ctx.state.key;
    if (!scopes.has(needed) && !(implying && scopes.has(implying))) throw scopeNotAllowed(needed);
    return next();
  };
}

/** Lets a request pass whose key may call any product: for what all of them share. 403 `scope_not_allowed` otherwise. */
export function productScope(): Guard {
  return (ctx, next) => {
    if (!PRODUCTS.some((product) => ctx.state.key.scopes.has(product))) throw scopeNotAllowed('agents');
    return next();
  };
}
