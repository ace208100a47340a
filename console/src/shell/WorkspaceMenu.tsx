import { CaretSortIcon } from '@radix-ui/react-icons';
import { lazy } from 'react';
import { useMe } from '../api/me.ts';
import type { MenuItem } from '../pages.ts';
import { WorkspaceLogo } from '../parts/WorkspaceLogo.tsx';
import { MenuButton } from './MenuButton.tsx';

const load = () => import('./WorkspaceItems.tsx');
const Items = lazy(load);

/** The workspace of the pages, with its menu: `items` are its pages. */
export function WorkspaceMenu({ items, onFollow }: { items: MenuItem[]; onFollow?: () => void }) {
  const { workspace } = useMe();
  const button = {
    className: 'menu-workspace',
    'aria-label': `Workspace: ${workspace.name}`,
    children: (
      <>
        <WorkspaceLogo name={workspace.name} url={workspace.logo_url} />
        <span className="menu-workspace-name" title={workspace.name}>
          {workspace.name}
        </span>
        <CaretSortIcon />
      </>
    ),
  };
  return (
    <MenuButton load={load} button={button}>
      <Items button={button} items={items} onFollow={onFollow} />
    </MenuButton>
  );
}
