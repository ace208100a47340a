import { hasScope, type Scope } from './scopes.ts';

/** The scopes that the API gives to keys. The operators' scope is given by the command line, or at an operator's own device login. */
export const KEY_SCOPES = ['llm', 'voice', 'batch', 'agents', 'publisher', 'contents', 'manage'] as const;

/**
 * The scopes that a key's holder may grant: their own. A key with only the scope `manage` may grant all, like an owner, so `manage` itself
 * requires the right to grant all others.
 */
export function grantableScopes(key: { scopes: ReadonlySet<string> }): ReadonlySet<Scope> {
  const managesAlone = key.scopes.size === 1 && key.scopes.has('manage');
  const products = KEY_SCOPES.filter((scope) => scope !== 'manage');
  const given = products.filter((scope) => managesAlone || hasScope(key, scope));
  return new Set<Scope>(given.length === products.length ? [...products, 'manage'] : given);
}
