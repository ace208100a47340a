import { sendNotice } from '../postgres/notices.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { audit } from '../workspaces/audit.ts';
import type { Person } from '../workspaces/secondPerson.ts';
import { readCatalogRows, type CatalogRows, type ChangeRow } from './catalogRows.ts';
import { composeCatalog, faultOfChange, keyOwnerOf, type ComposedCatalog, type Composing } from './composeCatalog.ts';

/** What is changed of an entry: a null member is the file's again. `key`: an upstream's; null: none. */
export interface EntryChange {
  kind: ChangeRow['kind'];
  name: string;
  members: Record<string, unknown>;
  disabled?: boolean | undefined;
  key?: string | null | undefined;
  /** Whether the entry must be a new one. */
  isNew: boolean;
}

/** Why an entry was not changed. */
export type ChangeRefusal =
  | { reason: 'exists' | 'not_found' | 'no_sealing_key' | 'key_needed' }
  | { reason: 'invalid'; member: string | undefined; message: string }
  | { reason: 'in_use'; models: string[] }
  | { reason: 'agents_use'; model: string };

/** Changes an entry, audited, and tells every process. Undefined: it is changed. */
export function updateEntry(
  everywhere: Rows<undefined>,
  base: Composing,
  change: EntryChange,
  by: Person,
): Promise<ChangeRefusal | undefined> {
  return everywhere.transaction(async (tx) => {
    await lockCatalog(tx);
    return changeEntry(tx, base, change, by);
  });
}

/** Changes of the catalogue follow each other. */
export const lockCatalog = ({ client }: Pick<AnyTransaction, 'client'>): Promise<unknown> =>
  client.query(`select pg_advisory_xact_lock(hashtext('catalog'))`);

/** The same within a transaction that has locked the catalogue. */
export async function changeEntry(
  tx: AnyTransaction,
  base: Composing,
  change: EntryChange,
  by: Person,
): Promise<ChangeRefusal | undefined> {
  const rows = await readCatalogRows(tx.client);
  const row = rowOf(base, rows.changes, change, by);
  const isKnown = isInFile(base, change) || rows.changes.some((one) => isSame(one, change));
  if (change.isNew === isKnown) return { reason: change.isNew ? 'exists' : 'not_found' };
  if (typeof row === 'string') return { reason: row };
  const refusal = refusalOf(base, rows, row);
  if (refusal) return refusal;
  await tx.em.upsert(tx.CatalogChange, row);
  const { kind, name, members, disabled, key } = change;
  const detail = {
    ...members,
    ...(disabled !== undefined && { disabled }),
    ...(key !== undefined && { key: 'changed' }),
  };
  await tell(tx, by, `${change.isNew ? 'add' : 'change'}_catalog_${kind}`, { kind, name, detail });
  return undefined;
}

/** Returns an entry to the file, audited; one that the file does not have is removed. */
export function removeChange(
  everywhere: Rows<undefined>,
  base: Composing,
  entry: Pick<EntryChange, 'kind' | 'name'>,
  by: Person,
): Promise<ChangeRefusal | undefined> {
  return everywhere.transaction(async (tx): Promise<ChangeRefusal | undefined> => {
    await lockCatalog(tx);
    const rows = await readCatalogRows(tx.client);
    const { changes, choices } = rows;
    const { kind, name } = entry;
    if (!changes.some((one) => isSame(one, entry))) return isInFile(base, entry) ? undefined : { reason: 'not_found' };
    const others = changes.filter((one) => !isSame(one, entry));
    const after = composeCatalog(base, others, choices);
    const refusal = refusalAfter(base, rows, after);
    if (refusal) return refusal;
    await tx.em.nativeDelete(tx.CatalogChange, { kind, name });
    await tell(tx, by, `return_catalog_${kind}`, { kind, name, detail: {} });
    return undefined;
  });
}

async function tell(
  tx: AnyTransaction,
  by: Person,
  action: string,
  { kind, name, detail }: { kind: string; name: string; detail: object },
): Promise<void> {
  await audit(tx, by, { workspaceId: null, action, subjectType: `catalog_${kind}`, subjectId: name, detail });
  await sendNotice(tx.client, { kind: 'catalog' });
}

const isSame = (one: Pick<ChangeRow, 'kind' | 'name'>, other: Pick<ChangeRow, 'kind' | 'name'>): boolean =>
  one.kind === other.kind && one.name === other.name;

const isInFile = ({ file }: Composing, { kind, name }: Pick<ChangeRow, 'kind' | 'name'>): boolean =>
  kind === 'upstream' ? Object.hasOwn(file.upstreams, name) : file.models.some(({ id }) => id === name);

/** The row of an entry with a change. */
function rowOf(
  base: Composing,
  changes: readonly ChangeRow[],
  { kind, name, members, disabled, key }: EntryChange,
  by: Person,
): ChangeRow | 'no_sealing_key' | 'key_needed' {
  const before = changes.find((one) => isSame(one, { kind, name }));
  const change = Object.fromEntries(
    Object.entries({ ...before?.change, ...members }).filter(([, value]) => value !== null),
  );
  const isMoved = kind === 'upstream' && members.baseUrl !== undefined && members.baseUrl !== before?.change.baseUrl;
  const hasKey = before?.sealedKey || base.file.upstreams[name]?.apiKey;
  // A key is sent to no other address than the one it was stated for.
  if (isMoved && hasKey && key === undefined) return 'key_needed';
  if (key && !base.keys) return 'no_sealing_key';
  const sealed = key ? base.keys!.seal(key, keyOwnerOf(name)) : null;
  const keyPart =
    key === undefined
      ? { sealedKey: before?.sealedKey ?? null, keyLast4: before?.keyLast4 ?? null }
      : { sealedKey: sealed, keyLast4: key ? key.slice(-KEY_CHARS_SHOWN) : null };
  return {
    kind,
    name,
    change,
    disabled: disabled ?? before?.disabled ?? null,
    ...keyPart,
    changedBy: by.personId,
    changer: by.name,
    changedAt: new Date(),
  };
}

const KEY_CHARS_SHOWN = 4;

function refusalOf(base: Composing, rows: Rowed, row: ChangeRow): ChangeRefusal | undefined {
  const { changes, choices } = rows;
  const fault = faultOfChange(base.file, changes, row);
  if (fault) return { reason: 'invalid', ...fault };
  const after = composeCatalog(base, [...changes.filter((one) => !isSame(one, row)), row], choices);
  return refusalAfter(base, rows, after);
}

type Rowed = Pick<CatalogRows, 'changes' | 'choices'>;

/** A change must not leave a model without what it needs, nor make another change void, nor take the agents' model away. */
function refusalAfter(base: Composing, { changes, choices }: Rowed, after: ComposedCatalog): ChangeRefusal | undefined {
  const before = composeCatalog(base, changes, choices);
  const ofAgents = agentModelsOf(after).find((id) => isUsable(before, id) && !isUsable(after, id));
  if (ofAgents !== undefined) return { reason: 'agents_use', model: ofAgents };
  const unserved = new Set(unservedIn(before));
  const models = unservedIn(after).filter((id) => !unserved.has(id));
  return models.length > 0 ? { reason: 'in_use', models } : undefined;
}

/** The models that agents use or are to use; the file's too, as it is in use again where the choice is taken back. */
const agentModelsOf = ({ agentModel, choices }: ComposedCatalog): string[] => [
  ...choices.map(({ model }) => model),
  ...(agentModel === undefined ? [] : [agentModel]),
];

const isUsable = ({ models }: ComposedCatalog, name: string): boolean =>
  models.some(({ model, state }) => (model.id === name || model.aliases.includes(name)) && !state.isDisabled);

/** Models that are sold and could not answer: without an upstream, with a disabled model in their pipeline, or a void change. */
function unservedIn({ models }: ComposedCatalog): string[] {
  const disabled = new Set(models.filter(({ state }) => state.isDisabled).map(({ model }) => model.id));
  const isUnserved = ({ model, state }: ComposedCatalog['models'][number]): boolean =>
    (!state.isDisabled &&
      ((model.upstreams.length === 0 && model.pipeline === undefined) ||
        Object.values(model.pipeline ?? {}).some((id) => disabled.has(id)))) ||
    state.problem !== undefined;
  return models.filter(isUnserved).map(({ model }) => model.id);
}
