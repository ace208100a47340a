import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useMe } from '../api/me.ts';
import { pages, type MenuItem } from '../pages.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { WorkspaceMenu } from './WorkspaceMenu.tsx';
import * as icons from './icons.ts';
import { preload } from './preload.ts';

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
  const { is_operator: isOperator, role, mode } = useMe();
  const items = useMemo(
    () =>
      pages.filter(
        (page): page is MenuItem =>
          page.menu !== undefined &&
          // Nothing is operated from a test workspace.
          (!page.isForOperators || (isOperator && mode === 'live')) &&
          (page.roles?.includes(role) ?? true),
      ),
    [isOperator, role, mode],
  );
  useEffect(() => preload(items), [items]);
  return (
    <nav className="menu" aria-label="Pages">
      <WorkspaceMenu items={items.filter(({ menu }) => menu.group === 'Workspace')} onFollow={onFollow} />
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
