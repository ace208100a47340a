import { useDisclosure } from '@mantine/hooks';
import { HamburgerMenuIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { meQuery } from '../api/me.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { Brand, Menu } from './Menu.tsx';
import { OfflineStrip } from './OfflineStrip.tsx';
import { PagePending } from './PageStates.tsx';
import { PaletteKeys } from './PaletteKeys.tsx';
import { TestStrip } from './TestMode.tsx';

const Lacking = lazy(() => import('../account/Lacking.tsx'));
const PhoneMenu = lazy(() => import('./PhoneMenu.tsx'));

/** The frame of every page for signed-in people: the menu at the side, or behind a button on a phone. */
export function Shell() {
  const [isOpen, drawer] = useDisclosure();
  const [isWanted, setIsWanted] = useState(false);
  const open = () => {
    setIsWanted(true);
    drawer.open();
  };
  const { data: me } = useQuery(meQuery);
  // The session has ended: the browser is going to the sign-in page.
  if (!me) return <PagePending />;
  if (me.session.lacks !== null)
    return (
      <Suspense fallback={<PagePending />}>
        <Lacking />
      </Suspense>
    );
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      {me.mode === 'test' && <TestStrip />}
      <OfflineStrip />
      <PaletteKeys />
      <div className="shell">
        <nav className="shell-topbar" aria-label="Menu and account">
          <button type="button" className="menu-icon" aria-label="Open the menu" onClick={open}>
            <HamburgerMenuIcon width={20} height={20} />
          </button>
          <Brand />
          <AccountMenu isCompact />
        </nav>
        <div className="shell-sidebar">
          <Menu />
        </div>
        {isWanted && (
          <Suspense>
            <PhoneMenu isOpen={isOpen} onClose={drawer.close} />
          </Suspense>
        )}
        <main className="shell-main" id="content" tabIndex={-1}>
          <Suspense fallback={<PagePending />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </>
  );
}
