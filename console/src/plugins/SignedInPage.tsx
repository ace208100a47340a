import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { FormError } from '../parts/FormError.tsx';

/** The return address after a sign-in at a plugin's authorization server: sends its answer to the API, once. */
export default function SignedInPage() {
  const finish = useChange(
    (query: URLSearchParams) =>
      answerOf(
        api.POST('/console/v1/plugin-sign-ins', {
          body: { state: query.get('state') ?? '', ...partsOf(query) },
        }),
      ),
    { stale: [['plugins']], onError: () => {} },
  );
  const isSent = useRef(false);
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    if (isSent.current || !query.has('state')) return;
    isSent.current = true;
    // Removes the code from the address and the browser's history.
    history.replaceState(history.state, '', location.pathname);
    finish.mutate(query);
  });
  return (
    <>
      <PageHeader title="Sign-in to a plugin" />
      <Panel title={finish.data ? 'Connected' : finish.isPending ? 'Connecting …' : 'Not connected'}>
        <Stack>
          {finish.isPending && <Skeleton height={48} />}
          {finish.isIdle && <Text>No sign-in waits here. Begin one at the plugin.</Text>}
          <FormError error={finish.error} />
          {finish.data && (
            <Text>
              The plugin <span className="id">{finish.data.plugin_id}</span> is connected
              {finish.data.account === null ? '' : ` as ${finish.data.account}`}. Runs that wait for it go on.
            </Text>
          )}
          <Anchor component={Link} to="/plugins">
            All plugins
          </Anchor>
        </Stack>
      </Panel>
    </>
  );
}

function partsOf(query: URLSearchParams): { code?: string; iss?: string; error?: string } {
  const names = ['code', 'iss', 'error'] as const;
  return Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])));
}
