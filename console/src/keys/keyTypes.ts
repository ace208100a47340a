import type { components } from '../api/openapi.d.ts';

export type Key = components['schemas']['ManagedKey'];
export type NewKey = components['schemas']['NewKey'];
export type KeyScope = NonNullable<NewKey['scopes']>[number];

export const SCOPES: { value: KeyScope; label: string; description: string }[] = [
  { value: 'llm', label: 'Text and agents', description: 'Chat, responses, completions, embeddings, agent runs' },
  { value: 'voice', label: 'Voice', description: 'Speech, transcription, voice conversion' },
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

/** What counts against the limit of a key in its period, in USD; null without a limit. */
export function spentOf({ spend_limit: limit, spend_limit_remaining: left }: Key): number | null {
  return limit === null || left === null ? null : limit - left;
}
