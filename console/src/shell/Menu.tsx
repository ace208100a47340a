import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { MenuItem } from '../pages.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { WorkspaceMenu } from './WorkspaceMenu.tsx';
import * as icons from './icons.ts';
import { SearchButton } from './PaletteKeys.tsx';
import { preload } from './preload.ts';
import { useMenuItems } from './useMenuItems.ts';

/** The groups of the sidebar. Pages of `Workspace` are in the menu of the workspace. */
const GROUPS = ['Overview', 'Build', 'Agents', 'Money'] as const;

export function Brand() {
  return (
    <Link to="/" className="brand">
      <img src="/favicon.svg" alt="" width={22} height={22} />
      Ledgerline
    </Link>
  );
}

/** The pages this person may open: of a workspace and its money at the side, operating and settings in the workspace's own menu. */
export function Menu({ onFollow }: { onFollow?: () => void }) {
  const items = useMenuItems();
  useEffect(() => preload(items), [items]);
  return (
    <nav className="menu" aria-label="Pages">
      <WorkspaceMenu items={items.filter(({ menu }) => menu.group === 'Workspace')} onFollow={onFollow} />
      <SearchButton onOpen={onFollow} />
      <div className="menu-pages">
        {GROUPS.map((group) => (
          <MenuGroup
            key={group}
            name={group}
            items={items.filter(({ menu }) => menu.group === group)}
            onFollow={onFollow}
          />
        ))}
      </div>
      <div className="menu-foot">
        <a className="menu-link" href="/docs">
          <icons.Docs />
          Documentation
        </a>
        <AccountMenu />
      </div>
    </nav>
  );
}

function MenuGroup({ name, items, onFollow }: { name: string; items: MenuItem[]; onFollow?: () => void }) {
  if (items.length === 0) return null;
  return (
    <div>
      {name !== 'Overview' && <p className="menu-group">{name}</p>}
      <ul className="menu-list" aria-label={name}>
        {items.map(({ path, menu: { icon: Icon, label } }) => (
          <li key={path}>
            <Link
              to={path}
              className="menu-link"
              activeOptions={{ exact: path === '/', includeSearch: false }}
              onClick={onFollow}
            >
              <Icon />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
