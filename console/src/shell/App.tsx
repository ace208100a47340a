import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../look/tokens.css';
import '../parts/parts.css';
import '../parts/table.css';
import '../parts/chart/chart.css';
import './shell.css';
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useLayoutEffect } from 'react';
import { isElsewhere, isSignedOut } from '../api/failure.ts';
import { signInAddress } from '../api/me.ts';
import { adoptAddress, forgetWorkspace } from '../api/tab.ts';
import { cssVariables, theme } from '../look/theme.ts';
import { createPageRouter } from './router.tsx';

// Loaded beside the first page: what is shown before waits for it.
const Notifications = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }));

// The pages' policy allows only styles with this nonce. The second use is the scroll lock behind dialogs.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

const onError = (error: Error) => {
  if (isElsewhere(error)) {
    forgetWorkspace();
    location.assign('/');
    return;
  }
  const from = location.pathname + location.search;
  if (isSignedOut(error) && !router.state.matches.some(({ staticData }) => staticData.isPublic)) {
    queries.removeQueries({ queryKey: ['me'] });
    void router.navigate({ href: signInAddress(from) });
  }
};

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Refusals are not retried, only overloads and outages.
      retry: (count, error) => count < 2 && !('status' in error && Number(error.status) < 500),
    },
  },
});

adoptAddress();
const router = createPageRouter(queries);

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
        <Suspense>
          <Notifications position="bottom-right" />
        </Suspense>
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>
  );
}
