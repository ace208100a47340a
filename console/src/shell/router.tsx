import type { QueryClient } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, Outlet, redirect, type AnyRoute } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { isSignedOut } from '../api/failure.ts';
import { meQuery, signInAddress } from '../api/me.ts';
import { pages } from '../pages.ts';
import { focusTitle, pageComponent } from './pageComponent.tsx';
import { FramePending, PageFailure, PagePending } from './PageStates.tsx';
import { Shell } from './Shell.tsx';

const PageNotFound = lazy(() => import('./PageNotFound.tsx'));

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    isPublic?: boolean;
  }
}

const NotFound = () => (
  <Suspense>
    <PageNotFound />
  </Suspense>
);

/** A route for each line of the registry: pages for signed-in people are inside the shell. */
export function createPageRouter(queries: QueryClient) {
  const root = createRootRoute({ component: Outlet });
  const signedIn = createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    component: Shell,
    pendingComponent: FramePending,
    pendingMs: 0,
    pendingMinMs: 0,
    beforeLoad: async ({ location }) => {
      try {
        await queries.ensureQueryData({ ...meQuery, revalidateIfStale: true });
      } catch (error) {
        if (!isSignedOut(error)) throw error;
        redirect({ href: signInAddress(location.href), throw: true });
      }
    },
  });
  const routeOf = (parent: AnyRoute, page: (typeof pages)[number]) =>
    createRoute({
      getParentRoute: () => parent,
      path: page.path,
      component: pageComponent(page),
      staticData: { isPublic: page.isPublic ?? false },
    });
  const router = createRouter({
    routeTree: root.addChildren([
      signedIn.addChildren(pages.filter(({ isPublic }) => !isPublic).map((page) => routeOf(signedIn, page))),
      ...pages.filter(({ isPublic }) => isPublic).map((page) => routeOf(root, page)),
    ]),
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: PagePending,
    defaultPendingMs: 150,
    scrollRestoration: true,
    // Search values stay text: ids and filters are never numbers.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
      const text = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
      return text === '' ? '' : `?${text}`;
    },
  });
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) focusTitle();
  });
  return router;
}
