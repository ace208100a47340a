import type { z } from 'zod';
import {
  changeProfile,
  findLogoOwner,
  LOGO_PURPOSE,
  namedSettings,
  readProfile,
  type Profile,
} from '../../db/workspaces/profile.ts';
import { modeOf } from '../../db/workspaces/mode.ts';
import { notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { actorOf, type Handler } from '../context.ts';
import { sendPicture } from '../files/sendPicture.ts';
import { requireLive } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import { logoUrlOf } from './logoUrl.ts';
import type { WorkspaceAnswer, WorkspaceChangeBody } from './workspaceSchema.ts';

/** `GET /platform/v1/workspace`: the workspace of the key. */
export function retrieveWorkspace({ db, config }: Services): Handler {
  return async (ctx) => {
    ctx.body = present(await readProfile(db.everywhere, ctx.state.key.workspaceId), config.publicUrl);
  };
}

/** `PATCH /platform/v1/workspace`: renames it, changes its logo. Throws 409 `live_mode_only`, and 422 for an unknown file. */
export function changeWorkspace({ db, config }: Services): Handler<z.output<typeof WorkspaceChangeBody>> {
  return async (ctx) => {
    requireLive(ctx);
    const { workspaceId } = ctx.state.key;
    if ((await changeProfile(db.write(workspaceId), { change: ctx.state.input, by: actorOf(ctx) })) === 'no_logo')
      throw unknownLogo();
    ctx.body = present(await readProfile(db.everywhere, workspaceId), config.publicUrl);
  };
}

const unknownLogo = () =>
  validationErrorAt(['body', 'logo_file_id'], `must be an image that was uploaded with the purpose ${LOGO_PURPOSE}`);

/** `GET /v1/logos/{logo_id}`: the image, for everybody who has its address. 404 `logo_not_found` for any other file. */
export function retrieveLogo({ db }: Services): Handler {
  return async (ctx) => {
    const { logo_id: fileId = '' } = ctx.state.params;
    const owner = await findLogoOwner(db.everywhere, fileId);
    const isSent = owner !== undefined && (await sendPicture(ctx, db.read(owner), { fileId, purpose: LOGO_PURPOSE }));
    if (!isSent) throw notFound('There is no such logo.', 'logo_not_found');
  };
}

const present = (profile: Profile, publicUrl: string): z.infer<typeof WorkspaceAnswer> => ({
  id: profile.id,
  object: 'workspace',
  ...namedSettings(profile),
  mode: modeOf(profile.id),
  logo_url: logoUrlOf(profile.logoFileId, publicUrl),
  created_at: profile.createdAt.toISOString(),
});
