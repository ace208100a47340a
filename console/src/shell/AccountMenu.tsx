import { ActionIcon, Button, Menu, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { DesktopIcon, ExitIcon, GearIcon, MoonIcon, PersonIcon, SunIcon } from '@radix-ui/react-icons';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { showFailure } from '../api/hooks.ts';
import { signOut, useMe } from '../api/me.ts';

/** The account of the signed-in person: settings, appearance, sign out. */
export function AccountMenu({ isCompact = false }: { isCompact?: boolean }) {
  const { user } = useMe();
  const queries = useQueryClient();
  return (
    <Menu position={isCompact ? 'bottom-end' : 'top-start'} width={240} closeOnItemClick={false}>
      <Menu.Target>
        {isCompact ? (
          <ActionIcon variant="subtle" color="gray" size="lg" ml="auto" aria-label={`Account: ${user.name}`}>
            <PersonIcon width={18} height={18} />
          </ActionIcon>
        ) : (
          <Button
            variant="subtle"
            color="gray"
            fullWidth
            justify="flex-start"
            px={10}
            leftSection={<PersonIcon />}
            className="menu-account"
          >
            <Text component="span" size="sm" truncate>
              {user.name}
            </Text>
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item component={Link} to="/settings" leftSection={<GearIcon />} closeMenuOnClick>
          Settings
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        <Appearance />
        <Menu.Divider />
        <Menu.Item leftSection={<ExitIcon />} onClick={() => void signOut(queries).catch(showFailure)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Light, dark, or the system's setting. */
function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label="Appearance"
      value={colorScheme}
      onChange={setColorScheme}
      data={[
        { value: 'auto', label: choice(<DesktopIcon />, 'Auto') },
        { value: 'light', label: choice(<SunIcon />, 'Light') },
        { value: 'dark', label: choice(<MoonIcon />, 'Dark') },
      ]}
    />
  );
}

const choice = (icon: ReactNode, name: string) => (
  <span className="appearance-choice">
    {icon}
    {name}
  </span>
);
