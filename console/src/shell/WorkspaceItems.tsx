import { Menu, Text } from '@mantine/core';
import { CheckIcon, MixerVerticalIcon, PersonIcon, PlusIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { showWorkspace } from '../api/tab.ts';
import type { MenuItem } from '../pages.ts';
import { pageAt } from '../parts/pageAt.ts';
import { WorkspaceLogo } from '../parts/WorkspaceLogo.tsx';
import type { LateMenuProps } from './MenuButton.tsx';
import { useModeChange } from './TestMode.tsx';

const NewWorkspace = lazy(() => import('./NewWorkspace.tsx'));

/**
 * The menu of the workspace: its settings, its test mode, operating, and the person's other workspaces. Another workspace is loaded as a
 * new page, so that no data of the one before stays on the screen.
 */
export default function WorkspaceItems({
  button,
  items,
  onFollow,
}: LateMenuProps & { items: MenuItem[]; onFollow?: () => void }) {
  const { workspace, workspaces, role, mode } = useMe();
  const changeMode = useModeChange();
  const change = useChange(
    (organizationId: string) => sendJson('/console/v1/auth/organization/set-active', { organizationId }),
    {
      onSuccess: (_, id) => {
        showWorkspace(id);
        location.assign('/');
      },
    },
  );
  const [isNew, setIsNew] = useState(false);
  const isTest = mode === 'test';
  return (
    <>
      <Menu defaultOpened position="bottom-start" width={264} withinPortal>
        <Menu.Target>
          <button type="button" {...button} aria-busy={change.isPending || changeMode.isPending} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Your role here: {role}</Menu.Label>
          {items.map(({ path, menu: { icon: Icon, label } }) => (
            <Menu.Item key={path} component={Link} to={path} leftSection={<Icon />} onClick={onFollow}>
              {label}
            </Menu.Item>
          ))}
          {role === 'owner' && !isTest && (
            <Menu.Item
              component={Link}
              {...pageAt('/settings', { tab: 'members' })}
              leftSection={<PersonIcon />}
              onClick={onFollow}
            >
              Invite a member
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<MixerVerticalIcon />}
            rightSection={
              <Text size="xs" c="dimmed">
                {isTest ? 'On' : 'Off'}
              </Text>
            }
            onClick={() => changeMode.mutate(isTest ? 'live' : 'test')}
          >
            Test mode
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Workspaces</Menu.Label>
          {workspaces.map(({ id, name, logo_url: url }) => (
            <Menu.Item
              key={id}
              leftSection={<WorkspaceLogo name={name} url={url} size={18} />}
              rightSection={id === workspace.id && <CheckIcon />}
              aria-current={id === workspace.id || undefined}
              onClick={() => id !== workspace.id && change.mutate(id)}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<PlusIcon />} onClick={() => setIsNew(true)}>
            New workspace
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNew && (
        <Suspense>
          <NewWorkspace onClose={() => setIsNew(false)} />
        </Suspense>
      )}
    </>
  );
}
