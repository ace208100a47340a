import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { showFailure, useAnswer } from '../api/hooks.ts';
import { signOut, useMe } from '../api/me.ts';
import { useModels } from '../api/models.ts';
import { withoutSecret } from '../parts/withoutSecret.ts';
import { useModeChange } from '../shell/TestMode.tsx';
import { useMenuItems } from '../shell/useMenuItems.ts';
import { foundEntries, matching, modelEntries, pageEntries, type Entry } from './entries.ts';

const TYPING_MS = 120;
const QUERY_MIN = 2;
const MODELS_MAX = 5;

/** What the text finds: pages and actions at once, what the API knows a moment later. */
export function useEntries(text: string, onKeys: () => void): { entries: Entry[]; isSearching: boolean } {
  const { scopes, is_operator: isOperator, mode } = useMe();
  const pages = pageEntries(useMenuItems());
  const actions = useActions(onKeys);
  const models = useModels().data?.data ?? [];
  const query = text.trim();
  const [asked] = useDebouncedValue(withoutSecret(query), TYPING_MS);
  const isAsked = asked.length >= QUERY_MIN;
  const found = useAnswer(
    ['search', asked],
    (signal) => api.GET('/platform/v1/search', { params: { query: { query: asked } }, signal }),
    { enabled: isAsked, placeholderData: keepPreviousData, retry: false },
  );
  const isLong = query.length >= QUERY_MIN;
  return {
    entries: [
      ...(isLong && isAsked ? foundEntries(found.data?.data ?? [], scopes.includes('manage')) : []),
      ...matching(pages, query),
      ...matching(actions, query),
      ...(isLong && isOperator && mode === 'live' ? [everywhereEntry(withoutSecret(query))] : []),
      ...(isLong ? matching(modelEntries(models), query).slice(0, MODELS_MAX) : []),
    ],
    isSearching: isLong && (asked !== withoutSecret(query) || found.isFetching),
  };
}

/** Leads an operator to the search of all workspaces: what that finds is audited, so it is not made while somebody types. */
const everywhereEntry = (query: string): Entry => ({
  value: 'action find everywhere',
  group: 'Actions',
  label: `Find “${query}” in all workspaces`,
  to: `/operate?${new URLSearchParams({ find: query })}`,
});

/** What can be done from anywhere, for this person. */
function useActions(onKeys: () => void): Entry[] {
  const { scopes, role, mode, project_ids: projectIds } = useMe();
  const isLimited = projectIds !== null;
  const queries = useQueryClient();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const change = useModeChange();
  const isTest = mode === 'test';
  const other = colorScheme === 'dark' ? 'light' : 'dark';
  const action = (label: string, words: string, rest: Pick<Entry, 'to' | 'act'>): Entry => ({
    value: `action ${label}`,
    group: 'Actions',
    label,
    words,
    ...rest,
  });
  return [
    ...(scopes.includes('manage')
      ? [
          action('Create key', 'new api key secret', { to: '/keys?create=1' }),
          ...(isLimited
            ? []
            : [
                action('Create project', 'new team budget', { to: '/projects?create=1' }),
                action('Add webhook endpoint', 'new create', { to: '/webhooks?create=1' }),
                action('Flow control', 'concurrency rate limit throttle queue rule runs', { to: '/runs/flow' }),
              ]),
        ]
      : []),
    ...(scopes.includes('billing')
      ? [
          action('Add credit', 'top up pay buy balance', { to: '/billing' }),
          action('Invoices', 'bill receipt pdf tax vat address billing details', { to: '/billing?view=invoices' }),
        ]
      : []),
    ...(role === 'owner' ? [action('Invite a member', 'team people', { to: '/settings?tab=members' })] : []),
    action(isTest ? 'Leave test mode' : 'Enter test mode', 'sandbox live', {
      act: () => change.mutate(isTest ? 'live' : 'test'),
    }),
    action(`Use ${other} appearance`, 'theme colour color mode', { act: () => setColorScheme(other) }),
    action('Keyboard shortcuts', 'keys help ?', { act: onKeys }),
    action('Sign out', 'log out leave', { act: () => void signOut(queries).catch(showFailure) }),
  ];
}
