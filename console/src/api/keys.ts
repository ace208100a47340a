import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { answerOf, api } from './client.ts';
import { useAnswer } from './hooks.ts';
import type { components, paths } from './openapi.d.ts';

export type Key = components['schemas']['ManagedKey'];
export type KeyQuery = NonNullable<paths['/console/v1/keys']['get']['parameters']['query']>;

/** The most that the API answers at once. */
const KEYS_PER_PAGE = 100;
const SEARCH_MS = 200;

export const listKeys = (query: KeyQuery, signal: AbortSignal) =>
  api.GET('/console/v1/keys', { params: { query: { limit: KEYS_PER_PAGE, ...query } }, signal });

/** All keys that fit, page by page: for a few of many, such as those of one person. */
export async function readKeys(query: KeyQuery, signal: AbortSignal): Promise<Key[]> {
  const keys: Key[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await answerOf(listKeys({ ...query, cursor }, signal));
    keys.push(...page.data);
    if (page.next_cursor === null) return keys;
    cursor = page.next_cursor;
  }
}

/** A key by its id; null once it is known that there is none. */
export function useKey(id: string | undefined, isWanted: boolean): Key | null | undefined {
  const { data } = useAnswer(['keys', 'one', id], (signal) => listKeys({ search: id }, signal), {
    enabled: id !== undefined && isWanted,
    staleTime: 60_000,
  });
  return data && (data.data.find((key) => key.id === id) ?? null);
}

/** The keys to choose from: the newest ones, and those that fit what is typed. `present`: the chosen one. */
export function useKeyChoice({
  present,
  status,
  isOn = true,
}: { present?: string | undefined; status?: KeyQuery['status']; isOn?: boolean } = {}) {
  const [typed, onSearch] = useState('');
  const [words] = useDebouncedValue(typed.trim(), SEARCH_MS);
  const found = useChoice('', status, isOn);
  // A field that shows its choice searches for that text, which no key has as its name: nothing more is found.
  const more = useChoice(words, status, isOn && words !== '' && (found.data?.has_more ?? false));
  const isShown = found.data?.data.some(({ id }) => id === present);
  const chosen = useKey(present, isShown === false);
  const keys = [found.data?.data ?? [], more.data?.data ?? [], chosen ? [chosen] : []].flat();
  const options = useMemo(
    () => [...new Map(keys.map(({ id, name, prefix }) => [id, { value: id, label: `${name} (${prefix})` }])).values()],
    [found.data, more.data, chosen],
  );
  return { options, onSearch };
}

const useChoice = (search: string, status: KeyQuery['status'], enabled: boolean) =>
  useAnswer(['keys', 'choice', search, status], (signal) => listKeys({ search: search || undefined, status }, signal), {
    enabled,
    staleTime: 60_000,
  });
