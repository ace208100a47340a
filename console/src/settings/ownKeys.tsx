import { Checkbox, Text } from '@mantine/core';
import { answerOf, api } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useAnswer } from '../api/hooks.ts';
import { keyState, type Key } from '../keys/keyTypes.ts';
import { Ago } from '../parts/figures.tsx';

/** The working keys that a person made, which go on when they go. */
export function useKeysOf(userId: string, isOpen: boolean) {
  const keys = useAnswer(['keys'], (signal) => api.GET('/console/v1/keys', { signal }), { enabled: isOpen });
  return { isLoading: keys.isLoading, error: keys.error, own: keys.data && keysToRevoke(keys.data.data, userId) };
}

/** A person's working keys. Revoking a key also ends the keys below it. */
function keysToRevoke(keys: Key[], userId: string): Key[] {
  const own = keys.filter((key) => key.owner_user_id === userId && keyState(key) === 'live');
  const ids = new Set(own.map(({ id }) => id));
  return own.filter(({ parent_id: parent }) => parent === null || !ids.has(parent));
}

/** Revokes keys, one after another. */
export async function revokeKeys(keys: Key[]): Promise<void> {
  for (const { id: key_id } of keys)
    await answerOf(api.DELETE('/console/v1/keys/{key_id}', { params: { path: { key_id } } }));
}

/** Lists the keys, and offers to revoke them. `they`: They or You. */
export function KeysLeft({
  of: { own, error },
  they,
  canRevoke,
  revokes,
  onRevokes,
}: {
  of: Pick<ReturnType<typeof useKeysOf>, 'own' | 'error'>;
  they: 'They' | 'You';
  canRevoke: boolean;
  revokes: boolean;
  onRevokes: (revokes: boolean) => void;
}) {
  if (error)
    return <Text size="sm">{`${they === 'You' ? 'Your' : 'Their'} keys could not be read: ${sentenceOf(error)}`}</Text>;
  if (own?.length === 0) return <Text size="sm">{they} made no key that still works.</Text>;
  if (!own) return null;
  return (
    <>
      <Text size="sm">{`Keys that ${they.toLowerCase()} made go on working${they === 'They' ? ', and they may know them' : ''}:`}</Text>
      <ul className="plain-list">
        {own.map(({ id, name, prefix, last_used_at: used }) => (
          <li key={id}>
            <b>{name}</b> <span className="id">{prefix}…</span>, last used <Ago at={used} />
          </li>
        ))}
      </ul>
      {canRevoke && (
        <Checkbox
          label="Revoke these keys too"
          description="Programs that use them are refused within a second."
          checked={revokes}
          onChange={(event) => onRevokes(event.currentTarget.checked)}
        />
      )}
    </>
  );
}
