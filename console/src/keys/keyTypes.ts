import type { components } from '../api/openapi.d.ts';

export type Key = components['schemas']['ManagedKey'];
export type NewKey = components['schemas']['NewKey'];
export type KeyScope = NonNullable<NewKey['scopes']>[number];

export const SCOPES: { value: KeyScope; label: string; description: string }[] = [
  { value: 'llm', label: 'Text and agents', description: 'Chat, responses, completions, embeddings, agent runs' },
  { value: 'voice', label: 'Voice', description: 'Speech, transcription, voice conversion' },
  { value: 'agents', label: 'Agents', description: 'Agent runs alone, without calls of models' },
  { value: 'batch', label: 'Batch', description: 'Batch jobs and their files' },
  { value: 'publisher', label: 'Publishing', description: 'Drafts, versions and submissions of agents' },
  { value: 'manage', label: 'Keys only', description: 'Manages keys and limits; calls no product. Stands alone.' },
];

export const scopeLabel = (scope: string): string => SCOPES.find(({ value }) => value === scope)?.label ?? scope;

/** The state of a key. */
export function keyState({ revoked_at: revokedAt, expires_at: expiresAt }: Key): 'live' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && new Date(expiresAt) <= new Date() ? 'expired' : 'live';
}

/** The amount counted against a key's limit in its period, in USD; null without a limit. */
export function spentOf({ spend_limit: limit, spend_limit_remaining: left }: Key): number | null {
  return limit === null || left === null ? null : limit - left;
}

/** Keys as a tree: each below its parent, with its level. A key with a hidden parent is at the top. */
export function treeOf(keys: Key[]): (Key & { level: number })[] {
  const shown = new Set(keys.map(({ id }) => id));
  const isChildOf = (parent: string | null) => (key: Key) =>
    (key.parent_id !== null && shown.has(key.parent_id) ? key.parent_id : null) === parent;
  const below = (parent: string | null, level: number): (Key & { level: number })[] =>
    keys.filter(isChildOf(parent)).flatMap((key) => [{ ...key, level }, ...below(key.id, level + 1)]);
  return below(null, 0);
}
