import { Button, Menu, Text } from '@mantine/core';
import { CaretSortIcon, CheckIcon } from '@radix-ui/react-icons';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';

/**
 * Selects the workspace of the pages. A different workspace is loaded as a new page, so that no data of the previous one stays on the
 * screen.
 */
export function WorkspaceSwitcher() {
  const { workspace, workspaces, role } = useMe();
  const change = useChange(
    (organizationId: string) => sendJson('/console/v1/auth/organization/set-active', { organizationId }),
    { onSuccess: () => location.assign('/') },
  );
  return (
    <Menu position="bottom-start" width="target" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          justify="space-between"
          fullWidth
          mt="md"
          rightSection={<CaretSortIcon />}
          loading={change.isPending}
          aria-label={`Workspace: ${workspace.name}`}
        >
          <Text component="span" size="sm" truncate>
            {workspace.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Your role here: {role}</Menu.Label>
        {workspaces.map(({ id, name }) => (
          <Menu.Item
            key={id}
            leftSection={id === workspace.id ? <CheckIcon /> : <span className="icon-space" />}
            onClick={() => id !== workspace.id && change.mutate(id)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
