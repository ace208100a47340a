import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../look/tokens.css';
import '../look/forcedColors.css';
import '../look/touch.css';
import '../parts/parts.css';
import '../parts/table.css';
import '../parts/chart/chart.css';
import './shell.css';
import { MantineProvider } from '@mantine/core';
import { notificationsStore } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { isElsewhere, isForbidden, isSignedOut } from '../api/failure.ts';
import { isKnown, meQuery, signInAddress, watchPerson, type Me } from '../api/me.ts';
import { adoptAddress } from '../api/tab.ts';
import { hasTyped } from '../api/typed.ts';
import { cssVariables, theme } from '../look/theme.ts';
import { loadNotifications } from './preload.ts';
import { createPageRouter } from './router.tsx';
import { endTab, tabEnding, watchTab } from './tabState.ts';

// Loaded beside the first page: what is shown before waits for it.
const TabEnded = lazy(() => import('./TabEnded.tsx'));
const Notifications = lazy(loadNotifications);

// The pages' policy allows only styles with this nonce. The second use is the scroll lock behind dialogs.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

const onError = (error: Error) => {
  if (isElsewhere(error)) return endTab('workspace');
  // Read with the next page: this one still shows why it was refused.
  if (isForbidden(error)) void queries.invalidateQueries({ queryKey: meQuery.queryKey, refetchType: 'none' });
  if (isSignedOut(error)) endSession();
};

function endSession(): void {
  if (router.state.matches.some(({ staticData }) => staticData.isPublic)) return;
  if (hasTyped()) endTab('session');
  else leave();
}

/** To the sign-in page, which leads back to this one. */
function leave(): void {
  endTab(null);
  // A session has ended only if a person was signed in, in this browser or, before another tab signed out, on this page.
  const why = isKnown() || queries.getQueryData(meQuery.queryKey) ? 'ended' : undefined;
  queries.removeQueries({ queryKey: ['me'] });
  void router.navigate({ href: signInAddress(location.pathname + location.search + location.hash, why) });
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Refusals are not retried, only overloads and outages.
      retry: (count, error) => count < 2 && !('status' in error && Number(error.status) < 500),
    },
    // Without a network they fail at once. They would wait for it otherwise, and be sent when nobody expects it any more.
    mutations: { networkMode: 'always' },
  },
});

adoptAddress();
const router = createPageRouter(queries);
watchPerson({
  own: () => queries.getQueryData<Me>(meQuery.queryKey)?.user.id,
  onSignedOut: endSession,
  onOther: () => endTab('person'),
});

export function App() {
  // The document's own frame gives way as soon as there is something in its place.
  useLayoutEffect(() => document.getElementById('start')?.remove(), []);
  return (
    <QueryClientProvider client={queries}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <Notes />
        <RouterProvider router={router} />
        <Ended />
      </MantineProvider>
    </QueryClientProvider>
  );
}

/** Drawn once there is something to say. */
function Notes() {
  const hasAny = useSyncExternalStore(watchNotes, hasNotes);
  const [isWanted, setIsWanted] = useState(false);
  if (hasAny && !isWanted) setIsWanted(true);
  if (!isWanted) return null;
  return (
    <Suspense>
      <Notifications position="bottom-right" />
    </Suspense>
  );
}

const watchNotes = (listener: () => void) => notificationsStore.subscribe(listener);
const hasNotes = () => notificationsStore.getState().notifications.length > 0;

function Ended() {
  const ending = useSyncExternalStore(watchTab, tabEnding);
  if (!ending) return null;
  return (
    <Suspense>
      <TabEnded ending={ending} onReturned={() => endTab(null)} onLeave={leave} />
    </Suspense>
  );
}
