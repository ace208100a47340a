import type { components } from '../api/openapi.d.ts';
import { PRODUCTS, scopeLabel, SCOPES } from '../keys/keyTypes.ts';

export type Login = components['schemas']['DeviceLoginDetail'];
export type Approval = components['schemas']['DeviceApproval'];
export type Scope = Approval['scopes'][number];

/** Where the key may be made: a workspace of the person, or its test mode. */
export interface Place {
  value: string;
  label: string;
  workspaceId: string;
  mode: 'live' | 'test';
  /** What the person may give there. */
  scopes: string[];
  projects: { id: string; name: string }[];
}

/** The places where the person makes keys. Nothing is operated in test mode, and it has no projects. */
export const placesOf = ({ workspaces }: Pick<Login, 'workspaces'>): Place[] =>
  workspaces
    .filter(({ scopes }) => scopes.length > 0)
    .flatMap(({ id, name, scopes, projects }): Place[] => [
      { value: id, label: name, workspaceId: id, mode: 'live', scopes, projects },
      {
        value: `${id} test`,
        label: `${name}, test mode`,
        workspaceId: id,
        mode: 'test',
        scopes: scopes.filter((scope) => scope !== 'operator'),
        projects: [],
      },
    ]);

/** What the tab shows, if keys are made there; otherwise the first place. */
export const firstPlace = (
  places: Place[],
  { workspace, mode }: { workspace: { id: string }; mode: 'live' | 'test' },
): Place | undefined => places.find((place) => place.workspaceId === workspace.id && place.mode === mode) ?? places[0];

const OPERATE = {
  value: 'operator' as const,
  label: 'Operate the platform',
  description: 'Everything of Operate: reviews, prices, refunds, and the data of all workspaces',
};

/** What the person can tick. */
export const choicesAt = ({ scopes }: Place) => [...SCOPES, OPERATE].filter(({ value }) => scopes.includes(value));

/**
 * What is ticked at first: what the program asks for, or else everything that programs call. Operating is never ticked for a person, and
 * managing keys only where nothing else is asked for, because it stands alone.
 */
export function firstScopes({ scopes }: Pick<Login, 'scopes'>): Scope[] {
  const asked = (scopes ?? PRODUCTS).filter((scope) => scope !== 'operator') as Scope[];
  return asked.length > 1 ? asked.filter((scope) => scope !== 'manage') : asked;
}

/** The ticks after a change: managing keys stands alone. */
export function ticked(before: readonly string[], after: readonly string[]): Scope[] {
  const isNew = after.includes('manage') && !before.includes('manage');
  return after.filter((scope) => (scope === 'manage') === isNew) as Scope[];
}

/** The ticked scopes that the person may give there. */
export const given = (scopes: Scope[], place: Place | undefined): Scope[] =>
  scopes.filter((scope) => place?.scopes.includes(scope));

/** What is asked for and the person may not give there, in words. */
export const beyond = ({ scopes }: Pick<Login, 'scopes'>, place: Place): string[] =>
  (scopes ?? [])
    .filter((scope) => !place.scopes.includes(scope))
    .map((scope) => (scope === OPERATE.value ? OPERATE.label : scopeLabel(scope)));

/** A name for the key: `Command line on ada-laptop`, from what the program says. */
export function keyNameOf({ client_name: name }: Pick<Login, 'client_name'>): string {
  const host = / on (\S.*)$/.exec(name ?? '')?.[1];
  return host === undefined ? (name ?? 'Command line') : `Command line on ${host}`;
}

/** What the form holds. */
export interface GrantValues {
  place: string;
  name: string;
  project: string | null;
  scopes: Scope[];
  /** In how many days the key ends, as text; empty: never. */
  days: string;
  spendLimit: number | string;
  period: string;
}

const DAY_MS = 86_400_000;

/** The approval of a filled form. */
export function approvalOf(values: GrantValues, place: Place, userCode: string): Approval {
  const { name, project, scopes, days, spendLimit, period } = values;
  const isLimited = spendLimit !== '';
  const isThere = place.projects.some(({ id }) => id === project);
  return {
    user_code: userCode,
    workspace_id: place.workspaceId,
    mode: place.mode,
    name: name.trim(),
    scopes: given(scopes, place),
    ...(project !== null && isThere && { project_id: project }),
    expires_at: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    spend_limit: isLimited ? Number(spendLimit) : null,
    spend_limit_period: isLimited && period !== 'never' ? (period as 'daily' | 'monthly') : null,
  };
}
