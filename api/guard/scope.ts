import { scopeNotAllowed } from '../errors.ts';
import type { Guard } from '../context.ts';

/** What a key may be allowed to do: the three products, and management. */
export type Scope = 'llm' | 'voice' | 'batch' | 'agents' | 'publisher' | 'manage';

/** Lets a request pass whose key has the scope. 403 `scope_not_allowed` otherwise. */
export function scope(needed: Scope): Guard {
  return (ctx, next) => {
    if (!ctx.state.key.scopes.has(needed)) throw scopeNotAllowed(needed);
    return next();
  };
}
