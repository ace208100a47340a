import type { Ledgerline } from '../../src/index.ts';
import { ownAgents } from './ownAgents.ts';

const SEGMENT = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const CHARACTERS_MAX = 64;
const PROPOSED_MAX = 30;

/** Why a text is no part of an agent's name. */
export const whyNoSegment = (text: string): string | undefined =>
  SEGMENT.test(text) && text.length <= CHARACTERS_MAX
    ? undefined
    : `It has lowercase letters and digits, in groups joined by single hyphens, at most ${CHARACTERS_MAX} of them.`;

/** `Poet of Rain!` as `poet-of-rain`. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, CHARACTERS_MAX)
    .replaceAll(/^-+|-+$/g, '');

/**
 * A namespace for a new agent: that of the workspace's newest one, or one made of the workspace's name and id, which nobody else has taken.
 * Without a client, or a key that may publish, a usual one.
 */
export async function proposeNamespace(client: Ledgerline | undefined): Promise<string> {
  const known = client && (await newestNamespace(client).catch(() => undefined));
  return known ?? (client && (await ownNamespace(client).catch(() => undefined))) ?? 'my-agents';
}

async function newestNamespace(client: Ledgerline): Promise<string | undefined> {
  for await (const { namespace } of ownAgents(client)) return namespace;
  return undefined;
}

async function ownNamespace({ api }: Ledgerline): Promise<string> {
  const { data } = await api.GET('/platform/v1/workspace');
  const own = slugOf(data.id).slice(-6);
  // Names that read as the platform's own are reserved.
  const words = slugOf(data.name).slice(0, PROPOSED_MAX).replace(/-+$/, '');
  return words === '' || words.includes('ledgerline') ? `my-${own}` : `${words}-${own}`;
}
