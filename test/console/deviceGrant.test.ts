import { expect, test } from '@jest/globals';
import {
  approvalOf,
  beyond,
  choicesAt,
  firstPlace,
  firstScopes,
  keyNameOf,
  placesOf,
  ticked,
  type GrantValues,
} from '../../console/src/device/grant.ts';

const workspace = (id: string, scopes: string[], projects = [{ id: 'default', name: 'Default' }]) => ({
  id,
  name: id,
  role: 'owner' as const,
  scopes,
  projects,
});
const workspaces = [workspace('ws_a', ['llm', 'operator']), workspace('ws_b', []), workspace('ws_c', ['llm', 'voice'])];
const places = placesOf({ workspaces });
const me = (id: string, mode: 'live' | 'test' = 'live') => ({ workspace: { id }, mode });

test('a key is made where the person makes keys, live or in test mode, where nothing is operated', () => {
  expect(places.map(({ value, scopes }) => [value, scopes])).toEqual([
    ['ws_a', ['llm', 'operator']],
    ['ws_a test', ['llm']],
    ['ws_c', ['llm', 'voice']],
    ['ws_c test', ['llm', 'voice']],
  ]);
  expect(['ws_c', 'ws_b', 'ws_none'].map((id) => firstPlace(places, me(id))?.value)).toEqual(['ws_c', 'ws_a', 'ws_a']);
  expect(firstPlace(places, me('ws_c', 'test'))?.value).toBe('ws_c test');
  expect(firstPlace([], me('ws_a'))).toBeUndefined();
});

test('what is asked for is ticked, but never operating; managing keys only alone', () => {
  expect(firstScopes({ scopes: ['llm', 'operator', 'manage'] })).toEqual(['llm']);
  expect(firstScopes({ scopes: ['manage'] })).toEqual(['manage']);
  expect(firstScopes({ scopes: ['operator'] })).toEqual([]);
  expect(firstScopes({ scopes: null })).toEqual(['llm', 'voice', 'batch', 'publisher']);
  expect(ticked(['llm', 'voice'], ['llm', 'voice', 'manage'])).toEqual(['manage']);
  expect(ticked(['manage'], ['manage', 'llm'])).toEqual(['llm']);
  expect(ticked(['llm', 'voice'], ['voice'])).toEqual(['voice']);
  expect(choicesAt(places[0]!).map(({ value }) => value)).toEqual(['llm', 'operator']);
  expect(beyond({ scopes: ['llm', 'publisher', 'operator'] }, places[2]!)).toEqual([
    'Publishing',
    'Operate the platform',
  ]);
});

test('the key is named after the machine', () => {
  const named = (name: string | null) => keyNameOf({ client_name: name });
  expect(named('ledgerline on ada-laptop')).toBe('Command line on ada-laptop');
  expect(named('build server')).toBe('build server');
  expect(named(null)).toBe('Command line');
});

test('an approval holds what is given at its place', () => {
  const values: GrantValues = {
    place: 'ws_c',
    name: ' laptop ',
    project: 'default',
    scopes: ['llm', 'publisher'],
    days: '',
    spendLimit: 5,
    period: 'never',
  };
  expect(approvalOf(values, places[2]!, 'BCDF-GHJK')).toEqual({
    user_code: 'BCDF-GHJK',
    workspace_id: 'ws_c',
    mode: 'live',
    name: 'laptop',
    scopes: ['llm'],
    project_id: 'default',
    expires_at: null,
    spend_limit: 5,
    spend_limit_period: null,
  });
  const inTest = approvalOf({ ...values, spendLimit: '', days: '1' }, places[3]!, 'BCDF-GHJK');
  expect(inTest).toMatchObject({ mode: 'test', spend_limit: null, expires_at: expect.any(String) });
  expect(inTest).not.toHaveProperty('project_id');
});
