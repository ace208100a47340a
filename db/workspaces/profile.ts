import type { InferEntity } from '@mikro-orm/core';
import type { Workspace } from '../entities/workspace.ts';
import { removeFile } from '../files/files.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';
import { audit, type Actor } from './audit.ts';
import { lockWorkspace } from './lockWorkspace.ts';

export const LOGO_PURPOSE = 'workspace_logo';

type Columns = InferEntity<typeof Workspace>;

/** Columns that members do not set. */
type Given =
  'id' | 'createdAt' | 'liveWorkspaceId' | 'clockSeconds' | 'clockTargetSeconds' | 'clockFollowedTo' | 'clockMoving';

/** The settings of a workspace, with their names in the API. A column that is neither here nor in `Given` does not compile. */
const SETTINGS = {
  name: 'name',
  logoFileId: 'logo_file_id',
  logoIsPublic: 'logo_is_public',
  noRetention: 'no_retention',
} as const satisfies Record<Exclude<Extract<keyof Columns, string>, Given>, string>;

type Setting = keyof typeof SETTINGS;

/** The settings by the names of the API, as they are sent, shown and audited. */
export type NamedSettings = { [Key in Setting as (typeof SETTINGS)[Key]]: Columns[Key] };

/** What a workspace is called and how it is shown. */
export type Profile = Pick<Columns, Setting | 'id' | 'liveWorkspaceId' | 'createdAt'>;

const keys = Object.keys(SETTINGS) as Setting[];

/** All settings of a workspace by the names of the API. */
export const namedSettings = (profile: Pick<Columns, Setting>): NamedSettings =>
  Object.fromEntries(keys.map((key) => [SETTINGS[key], profile[key]])) as NamedSettings;

/** The profile of a workspace. A test workspace has the look of its live one. */
export function readProfile(rows: AnyRows, id: string): Promise<Profile> {
  return rows.transaction(async ({ em, Workspace }) => {
    const own = await em.findOneOrFail(Workspace, { id });
    if (own.liveWorkspaceId === null) return own;
    const { name, logoFileId, logoIsPublic } = await em.findOneOrFail(Workspace, { id: own.liveWorkspaceId });
    return { ...own, name, logoFileId, logoIsPublic };
  });
}

/**
 * Changes settings of the live workspace, audited; its test workspace gets the name too. The file of a replaced logo is deleted.
 * `no_logo`: there is no such file of the purpose `workspace_logo`.
 */
export function changeProfile(
  rows: Rows,
  { change, by }: { change: Partial<NamedSettings>; by: Actor },
): Promise<'changed' | 'no_logo'> {
  const { workspaceId: id } = rows;
  return rows.transaction(async (tx) => {
    const { em, Workspace, File } = tx;
    const before = (await lockWorkspace(tx, id))!;
    const changed = keys.filter((key) => ![undefined, before[key]].includes(change[SETTINGS[key]]));
    if (changed.length === 0) return 'changed';
    const logoFileId = changed.includes('logoFileId') ? change.logo_file_id : undefined;
    if (logoFileId) {
      const file = { id: logoFileId, purpose: LOGO_PURPOSE, deletedAt: null, ...tx.unexpired() };
      if ((await em.count(File, file)) === 0) return 'no_logo';
    }
    await em.nativeUpdate(Workspace, { id }, Object.fromEntries(changed.map((key) => [key, change[SETTINGS[key]]])));
    if (changed.includes('name')) await em.nativeUpdate(Workspace, { liveWorkspaceId: id }, { name: change.name });
    if (logoFileId !== undefined && before.logoFileId !== null) await dropLogo(tx, before.logoFileId);
    await audit(tx, by, {
      workspaceId: id,
      action: 'change_workspace',
      subjectType: 'workspace',
      subjectId: id,
      detail: {
        before: Object.fromEntries(changed.map((key) => [SETTINGS[key], before[key]])),
        after: Object.fromEntries(changed.map((key) => [SETTINGS[key], change[SETTINGS[key]]])),
      },
    });
    return 'changed';
  });
}

/** Its file may have been deleted before. */
async function dropLogo(tx: Rows, fileId: string): Promise<void> {
  const there = await tx.statement(({ em, File }) => em.count(File, { id: fileId, deletedAt: null }));
  if (there > 0) await removeFile(tx, fileId);
}

/** The workspace whose logo is this file, or undefined. */
export function findLogoOwner(rows: AnyRows, fileId: string): Promise<string | undefined> {
  return rows.transaction(async ({ em, File, Workspace }) => {
    const file = await em.findOne(File, { id: fileId });
    const owner = file && (await em.findOne(Workspace, { id: file.workspaceId, logoFileId: fileId }));
    return owner?.id;
  });
}
