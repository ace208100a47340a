import { PersonIcon } from '@radix-ui/react-icons';
import { lazy } from 'react';
import { useMe } from '../api/me.ts';
import { MenuButton } from './MenuButton.tsx';

const load = () => import('./AccountItems.tsx');
const Items = lazy(load);

/** The account of the signed-in person: settings, appearance, sign out. */
export function AccountMenu({ isCompact = false }: { isCompact?: boolean }) {
  const { user } = useMe();
  const button = isCompact
    ? {
        className: 'menu-icon',
        'aria-label': `Account: ${user.name}`,
        children: <PersonIcon width={18} height={18} />,
      }
    : {
        className: 'menu-link',
        children: (
          <>
            <PersonIcon />
            <span className="menu-workspace-name" title={user.name}>
              {user.name}
            </span>
          </>
        ),
      };
  return (
    <MenuButton load={load} button={button}>
      <Items button={button} isCompact={isCompact} />
    </MenuButton>
  );
}
