import { hasScope, type Scope } from './scopes.ts';

/** The scopes for files of a purpose; the most common scope is first. */
const SCOPES: Record<string, [Scope, ...Scope[]]> = {
  agent_input: ['agents'],
  agent_output: ['agents'],
  agent_icon: ['publisher', 'agents'],
  user_data: ['agents'],
  // What OpenAI's programs and the AI SDK send for files that a model reads.
  vision: ['agents'],
  assistants: ['agents'],
  batch: ['batch'],
  batch_output: ['batch'],
  speech: ['voice'],
  voice_sample: ['voice'],
  workspace_logo: ['manage'],
};

/** The purposes of files that keys may read. */
export const PURPOSES: string[] = Object.keys(SCOPES);

/** The scope that a key needs to use files of a purpose, and does not have; undefined if it may. Nobody uses an unknown purpose. */
export function scopeMissingFor(key: { scopes: ReadonlySet<string> }, purpose: string): Scope | undefined {
  if (!Object.hasOwn(SCOPES, purpose)) return 'agents';
  const scopes = SCOPES[purpose]!;
  return scopes.some((scope) => hasScope(key, scope)) ? undefined : scopes[0];
}
