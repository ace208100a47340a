import type { InferEntity } from '@mikro-orm/core';
import type { Namespace } from '../entities/agent.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';
import { isTestWorkspace } from '../workspaces/mode.ts';

export type NamespaceRow = InferEntity<typeof Namespace>;

/** A stored namespace. Each test workspace has its own names, which no other workspace can take or find. */
export const storedNamespace = (name: string, workspaceId: string): string =>
  isTestWorkspace(workspaceId) ? `${workspaceId}/${name}` : name;

/** The name of a stored namespace. */
export const shownNamespace = (stored: string): string => stored.slice(stored.lastIndexOf('/') + 1);

/** SQL: the same, of a column. */
export const shownNamespaceSql = (column: string): string => `split_part(${column}, '/', -1)`;

/** The stored namespaces that a name may mean for a workspace, its own first. A test workspace also finds the public ones. */
export const namespacesFor = (name: string, workspaceId: string): string[] => [
  ...new Set([storedNamespace(name, workspaceId), name]),
];

/** A namespace of the workspace, or undefined when it is unknown or of another workspace. */
export async function findNamespace(rows: Rows, name: string): Promise<NamespaceRow | undefined> {
  const stored = { name: storedNamespace(name, rows.workspaceId) };
  return (await rows.statement(({ em, Namespace }) => em.findOne(Namespace, stored))) ?? undefined;
}

/**
 * Changes the provider data of a namespace; undefined members stay. A change resets the verification. False: the workspace has no such
 * namespace.
 */
export function changeNamespace(
  rows: Rows,
  { name: shown, ...change }: { name: string; providerName?: string; website?: string | null },
): Promise<boolean> {
  const name = storedNamespace(shown, rows.workspaceId);
  return rows.transaction(async ({ em, Namespace, LockMode }) => {
    const old = await em.findOne(Namespace, { name }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!old) return false;
    const { providerName = old.providerName, website = old.website } = change;
    const verified = old.verified && providerName === old.providerName && website === old.website;
    await em.nativeUpdate(Namespace, { name }, { providerName, website, verified });
    return true;
  });
}

/** Records or withdraws an operator's verification of the provider, audited. Undefined: no such namespace. */
export function verifyNamespace(
  rows: AnyRows,
  { name, verified, by }: { name: string; verified: boolean; by: Actor },
): Promise<NamespaceRow | undefined> {
  return rows.transaction(async (tx) => {
    const { em, Namespace } = tx;
    if ((await em.nativeUpdate(Namespace, { name }, { verified })) === 0) return undefined;
    const namespace = await em.findOneOrFail(Namespace, { name });
    const { workspaceId, providerName, website } = namespace;
    const action = verified ? 'verify' : 'unverify';
    const detail = { providerName, website };
    await audit(tx, by, { workspaceId, action, subjectType: 'namespace', subjectId: name, detail });
    return namespace;
  });
}

const VENDORS = ['openai', 'anthropic', 'elevenlabs', 'google', 'microsoft', 'stripe'];

// Reserved: names that suggest the platform or a vendor whose interface it offers, because callers would take their agents for official
// ones.
// prettier-ignore
const RESERVED = [
  'ledgerline', 'admin', 'administrator', 'root', 'system', 'operator', 'console', 'platform', 'publisher',
  'official', 'staff', 'support', 'security', 'billing', 'team', 'verified', 'internal', 'api',
  ...VENDORS,
];

// Look-alike characters among those allowed in a name: pairs first.
const ALIKE: [RegExp, string][] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  [/[1il]/g, 'l'],
  [/0/g, 'o'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
  [/9/g, 'g'],
];

const looksOf = (name: string) =>
  ALIKE.reduce((text, [from, to]) => text.replace(from, to), name.replaceAll('-', '').toLowerCase());

const RESERVED_LOOKS = new Set(RESERVED.map(looksOf));

// With a reserved word, these still do not name another party: `official-support`.
const FILLERS = ['the', 'a', 'our', 'agent', 'agents', 'ai', 'app', 'apps', 'help', 'hq', 'inc', 'labs', 'bot', 'bots'];

const FILLER_LOOKS = new Set(FILLERS.map(looksOf));
const OWN_LOOK = looksOf('ledgerline');
const VENDOR_LOOKS = new Set(VENDORS.map(looksOf));

/**
 * Whether a namespace is unavailable to publishers: a reserved name, a look-alike, or a name that reads as the platform's own, such as
 * `ledgerline-official`.
 */
export function isReservedName(name: string): boolean {
  const looks = looksOf(name);
  if (RESERVED_LOOKS.has(looks) || looks.includes(OWN_LOOK)) return true;
  const groups = name.split('-').map(looksOf);
  return groups.some((group) => VENDOR_LOOKS.has(group)) || groups.every(isGeneric);
}

const isGeneric = (look: string) => RESERVED_LOOKS.has(look) || FILLER_LOOKS.has(look);

/** The same for a provider's name, which may contain any characters. */
export const isReservedProvider = (name: string): boolean =>
  isReservedName(
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
  );
