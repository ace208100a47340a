/** The roles of members. */
export const ROLES = ['owner', 'developer', 'finance', 'publisher'] as const;

export type Role = (typeof ROLES)[number];

/** The rights of each role: the scopes of the key used by a member's calls. Every role reads keys, requests, usage and the ledger. */
const SCOPES: Record<Role, readonly string[]> = {
  owner: ['llm', 'voice', 'batch', 'publisher', 'contents', 'manage', 'billing'],
  developer: ['llm', 'voice', 'batch', 'contents', 'manage'],
  finance: ['billing'],
  publisher: ['llm', 'voice', 'publisher'],
};

/** The scopes of a member. An operator of the platform has one more. */
export const scopesOf = (role: Role, isOperator: boolean): string[] =>
  isOperator ? [...SCOPES[role], 'operator'] : [...SCOPES[role]];

/** The roles that have a scope, in the order of `ROLES`. */
export const rolesWith = (scope: string): Role[] => ROLES.filter((role) => SCOPES[role].includes(scope));
