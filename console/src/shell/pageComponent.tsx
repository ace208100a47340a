import { useQuery } from '@tanstack/react-query';
import { useElementScrollRestoration } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue, useEffect, type ComponentType, type FunctionComponent } from 'react';
import { meQuery, type Me } from '../api/me.ts';
import type { PageEntry } from '../pages.ts';
import { PageStart } from '../parts/PageStart.tsx';

const PageRefused = lazy(() => import('./PageRefused.tsx'));

let isAnyDrawn = false;

/**
 * The component of a page. A click shows its title at once; the page itself is then drawn in slices between which the browser responds,
 * because a page of charts and tables takes longer than people wait for a sign that their click arrived.
 */
export function pageComponent(page: PageEntry): FunctionComponent {
  const { load, title, menu, isPublic } = page;
  const Loaded = lazy(load);
  const start = <PageStart title={title ?? menu?.label} />;
  const Drawable = function Page() {
    // The first page of a visit follows no click.
    const isDue = useDeferredValue(true, !isAnyDrawn);
    return <Suspense fallback={start}>{isDue ? <Drawn page={Loaded} /> : start}</Suspense>;
  };
  const isForAll = isPublic || (!page.isForOperators && !page.roles);
  return isForAll ? Drawable : () => <Guarded page={page} drawable={Drawable} />;
}

/** A page of some people alone: others who open its address get one clear page, instead of the refusals of all its parts. */
function Guarded({ page, drawable: Drawable }: { page: PageEntry; drawable: FunctionComponent }) {
  const { data: me } = useQuery(meQuery);
  if (!me || isFor(page, me)) return <Drawable />;
  return (
    <Suspense>
      <PageRefused page={page} role={me.role} />
    </Suspense>
  );
}

const isFor = ({ isForOperators, roles }: PageEntry, { is_operator: isOperator, role }: Me): boolean =>
  isForOperators ? isOperator : (roles?.includes(role) ?? true);

function Drawn({ page: Loaded }: { page: ComponentType }) {
  const place = useElementScrollRestoration({ getElement: () => window });
  useEffect(() => {
    // After Back the router looks for the place where the page was left before the page is high enough to have it.
    if (place && place.scrollY > scrollY) scrollTo(place.scrollX, place.scrollY);
    // The title had the focus until the page replaced it.
    const end = isAnyDrawn ? keepTitleFocused() : undefined;
    isAnyDrawn = true;
    return end;
  }, []);
  return <Loaded />;
}

const READ_MS = 5_000;

/** A page about one thing has its title only after it has loaded. A control that is focused or pressed before that keeps the focus. */
function keepTitleFocused(): () => void {
  const look = () => document.activeElement === document.body && focusTitle();
  const changes = new MutationObserver(look);
  changes.observe(document.body, { childList: true, subtree: true });
  const end = () => {
    changes.disconnect();
    clearTimeout(timer);
    for (const type of PRESSES) removeEventListener(type, end);
  };
  const timer = setTimeout(end, READ_MS);
  for (const type of PRESSES) addEventListener(type, end);
  look();
  return end;
}

const PRESSES = ['keydown', 'pointerdown'];

/** A screen reader announces the new page, and Tab continues from its start. */
export const focusTitle = (): void => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
