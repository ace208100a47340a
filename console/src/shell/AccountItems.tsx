import { Menu, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { DesktopIcon, ExitIcon, GearIcon, MoonIcon, SunIcon } from '@radix-ui/react-icons';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { showFailure } from '../api/hooks.ts';
import { signOut, useMe } from '../api/me.ts';
import type { LateMenuProps } from './MenuButton.tsx';

/** The menu behind the account's button. */
export default function AccountItems({ button, isCompact }: LateMenuProps & { isCompact: boolean }) {
  const { user } = useMe();
  const queries = useQueryClient();
  return (
    <Menu defaultOpened position={isCompact ? 'bottom-end' : 'top-start'} width={240} closeOnItemClick={false}>
      <Menu.Target>
        <button type="button" {...button} />
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
