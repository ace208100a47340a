import { Checkbox, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { readKeys, type Key } from '../api/keys.ts';
import { Ago } from '../parts/figures.tsx';

/** The working keys that a person made, which go on when they go. */
export function useKeysOf(userId: string, isOpen: boolean) {
  const keys = useQuery({
    queryKey: ['keys', 'own', userId],
    queryFn: ({ signal }) => readKeys({ owner_user_id: userId, status: 'live' }, signal),
    enabled: isOpen,
  });
  return { isLoading: keys.isLoading, error: keys.error, own: keys.data && keysToRevoke(keys.data) };
}

/** Revoking a key also ends the keys below it. */
function keysToRevoke(own: Key[]): Key[] {
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
