import type { components } from '../api/openapi.d.ts';

export type Key = components['schemas']['ManagedKey'];
export type NewKey = components['schemas']['NewKey'];
export type KeyScope = NonNullable<NewKey['scopes']>[number];

export const SCOPES: { value: KeyScope; label: string; description: string }[] = [
  { value: 'llm', label: 'Text and agents', description: 'Chat, responses, embeddings, agent runs' },
  { value: 'voice', label: 'Voice', description: 'Speech, transcription, voice conversion' },
  { value: 'agents', label: 'Agents', description: 'Agent runs only' },
  { value: 'batch', label: 'Batch', description: 'Batches and their files' },
  { value: 'publisher', label: 'Publishing', description: 'Drafts, versions and submissions of agents' },
  {
    value: 'contents',
    label: 'Prompts and answers',
    description: 'Reads what calls of keys with logs were asked and answered',
  },
  { value: 'manage', label: 'Manage keys', description: 'Creates and limits keys; calls no product' },
];

export const scopeLabel = (scope: string): string => SCOPES.find(({ value }) => value === scope)?.label ?? scope;

/** The scopes of a key for its program. Managing keys is a separate choice, and agents are included in text. */
export const PRODUCTS: KeyScope[] = ['llm', 'voice', 'batch', 'publisher'];

// Agents are included in text.
const namedScopes = (scopes: string[]) => scopes.filter((scope) => scope !== 'agents' || !scopes.includes('llm'));

/** What a key may call. */
export const accessText = ({ scopes, allowed_agents: agents }: Key): string =>
  (PRODUCTS.every((scope) => scopes.includes(scope)) ? 'Everything' : namedScopes(scopes).map(scopeLabel).join(', ')) +
  (agents === null ? '' : ` (runs ${agents.join(', ') || 'no agents'})`);

/** The limits of a key on rate and place: `60 / min, 4 concurrent`. */
export function rateText(key: Key): string {
  const { rpm_limit: rpm, concurrency_limit: concurrency, allowed_ips: ips } = key;
  return [
    rpm !== null && `${rpm.toLocaleString('en-US')} / min`,
    concurrency !== null && `${concurrency} concurrent`,
    ips !== null && `${ips.length} ${ips.length === 1 ? 'IP' : 'IPs'}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The state of a key. */
export function keyState({ revoked_at: revokedAt, expires_at: expiresAt }: Key): 'live' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && new Date(expiresAt) <= new Date() ? 'expired' : 'live';
}

/** Keys as a tree: each below its parent, with its level. A key with a hidden parent is at the top. */
export function treeOf(keys: Key[]): (Key & { level: number })[] {
  const shown = new Set(keys.map(({ id }) => id));
  const children = new Map<string | null, Key[]>();
  for (const key of keys) {
    const parent = key.parent_id !== null && shown.has(key.parent_id) ? key.parent_id : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(key);
    else children.set(parent, [key]);
  }
  const below = (parent: string | null, level: number): (Key & { level: number })[] =>
    (children.get(parent) ?? []).flatMap((key) => [{ ...key, level }, ...below(key.id, level + 1)]);
  return below(null, 0);
}
