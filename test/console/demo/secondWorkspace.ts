import { iconOf } from './pictures.ts';
import { send, upload, type Person } from './people.ts';

/** Gives the owner's workspace a logo, which its public agents show, and the owner a second workspace. */
export async function addSecondWorkspace(owner: Person): Promise<void> {
  const logo = await upload(owner, 'workspace_logo', { name: 'logo.png', type: 'image/png', bytes: iconOf(200) });
  await send(owner, 'PATCH', 'workspace', { logo_file_id: logo, logo_is_public: true });
  await send(owner, 'POST', 'auth/organization/create', { name: 'Northwind Labs' });
  await send(owner, 'POST', 'auth/organization/set-active', { organizationId: owner.workspaceId });
}
