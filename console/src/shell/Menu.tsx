import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useMe } from '../api/me.ts';
import { pages, type PageEntry } from '../pages.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { ModeSwitch } from './TestMode.tsx';
import { WorkspaceSwitcher } from './WorkspaceSwitcher.tsx';
import * as icons from './icons.ts';
import { preload } from './preload.ts';

type Item = PageEntry & { menu: NonNullable<PageEntry['menu']> };

const GROUPS = ['Overview', 'Build', 'Money', 'Publish', 'Operate', 'Account'] as const;

// Nothing is operated from a test workspace.
const LIVE_GROUPS = new Set(['Operate']);

export function Brand() {
  return (
    <Link to="/" className="brand">
      <img src="/favicon.svg" alt="" width={24} height={24} />
      Ledgerline
    </Link>
  );
}

/** The pages this person may open, in groups. `onFollow` is called when one is chosen. */
export function Menu({ onFollow }: { onFollow?: () => void }) {
  const { is_operator: isOperator, role, mode } = useMe();
  const items = useMemo(
    () =>
      pages.filter(
        (page): page is Item =>
          page.menu !== undefined &&
          (mode === 'live' || !LIVE_GROUPS.has(page.menu.group)) &&
          (!page.isForOperators || isOperator) &&
          (page.roles?.includes(role) ?? true),
      ),
    [isOperator, role, mode],
  );
  useEffect(() => preload(items), [items]);
  return (
    <nav className="menu" aria-label="Pages">
      <Brand />
      <WorkspaceSwitcher />
      <ModeSwitch />
      {GROUPS.map((group) => (
        <MenuGroup
          key={group}
          name={group}
          items={items.filter(({ menu }) => menu.group === group)}
          onFollow={onFollow}
        />
      ))}
      <div className="menu-foot">
        <ul className="menu-list">
          <li>
            <a className="menu-link" href="/docs">
              <icons.Docs />
              Documentation
            </a>
          </li>
        </ul>
        <AccountMenu />
      </div>
    </nav>
  );
}

function MenuGroup({ name, items, onFollow }: { name: string; items: Item[]; onFollow?: () => void }) {
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
