import type { InferEntity } from '@mikro-orm/core';
import type { Workspace } from '../entities/workspace.ts';
import { removeFile } from '../files/files.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';
import { audit, type Actor } from './audit.ts';
import { lockWorkspace } from './lockWorkspace.ts';

export const LOGO_PURPOSE = 'workspace_logo';

/** What a workspace is called and how it is shown. */
export type Profile = Pick<
  InferEntity<typeof Workspace>,
  'id' | 'name' | 'logoFileId' | 'logoIsPublic' | 'noRetention' | 'liveWorkspaceId' | 'createdAt'
>;

export type ProfileChange = Partial<Pick<Profile, 'name' | 'logoFileId' | 'logoIsPublic' | 'noRetention'>>;

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
 * Changes the profile of the live workspace, audited; its test workspace gets the name too. The file of a replaced logo is deleted.
 * `no_logo`: there is no such file of the purpose `workspace_logo`.
 */
export function changeProfile(
  rows: Rows,
  { change, by }: { change: ProfileChange; by: Actor },
): Promise<'changed' | 'no_logo'> {
  const { workspaceId: id } = rows;
  return rows.transaction(async (tx) => {
    const { em, Workspace, File } = tx;
    const before = (await lockWorkspace(tx, id))!;
    const changed = Object.fromEntries(
      Object.entries(change).filter(([name, value]) => before[name as keyof ProfileChange] !== value),
    ) as ProfileChange;
    if (Object.keys(changed).length === 0) return 'changed';
    const { name, logoFileId } = changed;
    if (logoFileId) {
      const file = { id: logoFileId, purpose: LOGO_PURPOSE, deletedAt: null, ...tx.unexpired() };
      if ((await em.count(File, file)) === 0) return 'no_logo';
    }
    await em.nativeUpdate(Workspace, { id }, changed);
    if (name !== undefined) await em.nativeUpdate(Workspace, { liveWorkspaceId: id }, { name });
    if (logoFileId !== undefined && before.logoFileId !== null) await dropLogo(tx, before.logoFileId);
    const detail = { before: shown(before, changed), after: shown(changed, changed) };
    await audit(tx, by, {
      workspaceId: id,
      action: 'change_workspace',
      subjectType: 'workspace',
      subjectId: id,
      detail,
    });
    return 'changed';
  });
}

/** Its file may have been deleted before. */
async function dropLogo(tx: Rows, fileId: string): Promise<void> {
  const there = await tx.statement(({ em, File }) => em.count(File, { id: fileId, deletedAt: null }));
  if (there > 0) await removeFile(tx, fileId);
}

/** The changed members of a profile, by the names of the API. */
function shown(of: ProfileChange, changed: ProfileChange): object {
  const names = {
    name: 'name',
    logoFileId: 'logo_file_id',
    logoIsPublic: 'logo_is_public',
    noRetention: 'no_retention',
  } as const;
  const keys = Object.keys(changed) as (keyof ProfileChange)[];
  return Object.fromEntries(keys.map((key) => [names[key], of[key]]));
}

/** The workspace whose logo is this file, or undefined. */
export function findLogoOwner(rows: AnyRows, fileId: string): Promise<string | undefined> {
  return rows.transaction(async ({ em, File, Workspace }) => {
    const file = await em.findOne(File, { id: fileId });
    const owner = file && (await em.findOne(Workspace, { id: file.workspaceId, logoFileId: fileId }));
    return owner?.id;
  });
}
