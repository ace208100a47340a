import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from '@tanstack/react-router';
import { api, sendJson } from '../api/client.ts';
import { useNowMs } from '../api/clock.ts';
import { listKeys } from '../api/keys.ts';
import { useAnswer } from '../api/hooks.ts';
import { useAgentModel } from '../api/agentModel.ts';
import { useMe } from '../api/me.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { lastDays } from '../usage/range.ts';
import { Cockpit } from './Cockpit.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import './home.css';
import { LatestRequests } from './LatestRequests.tsx';
import { Invitations, Notices, type OwnInvitation } from './Notices.tsx';
import { isDone, progressOf } from './progress.ts';
import { Rankings } from './Rankings.tsx';
import { WaitingReviews } from './WaitingReviews.tsx';

const EVERY_MS = 5_000;
const REVIEWS_MS = 10_000;
const DAYS = 30;

export default function HomePage() {
  const { workspace, scopes } = useMe();
  const overview = useAnswer(['overview'], (signal) => api.GET('/platform/v1/overview', { signal }), {
    refetchInterval: EVERY_MS,
  });
  const nowMs = useNowMs();
  const today = nowMs === undefined ? undefined : lastDays(1, nowMs).to;
  const range = useMemo(() => (today === undefined ? undefined : lastDays(DAYS, Date.parse(today))), [today]);
  const news = useNews(overview.data);
  return (
    <>
      <PageHeader
        title="Home"
        description={workspace.name}
        actions={
          scopes.includes('manage') && (
            <Button component={Link} {...pageAt('/keys', { create: '1' })} variant="default">
              Create key
            </Button>
          )
        }
      />
      {overview.error && !overview.data ? (
        <TableFailure error={overview.error} retry={() => void overview.refetch()} />
      ) : (
        // What stands above the cockpit is known before anything is drawn, so that nothing moves it.
        <Stack gap="lg" key={news ? 'known' : 'loading'}>
          {news && (
            <>
              <Invitations invitations={news.invitations} />
              <Notices overview={news.overview} />
              <WaitingReviews of={news.reviews} />
              <FirstSteps progress={news.progress} agents={news.agents} />
            </>
          )}
          <Cockpit overview={overview.data} />
          {(!news || hasCalls(news)) && <Rankings range={range} />}
          <LatestRequests />
        </Stack>
      )}
    </>
  );
}

/** Before the first call there is nothing to rank; a refused one is shown too. */
const hasCalls = ({ progress, overview }: NonNullable<ReturnType<typeof useNews>>) =>
  progress.isCalled || overview.refused_last_hour.length > 0;

/** What stands above the cockpit; undefined until all of it is known. */
function useNews(overview: Parameters<typeof progressOf>[0] | undefined) {
  const invitations = useQuery({
    queryKey: ['invitations', 'own'],
    queryFn: () => sendJson<OwnInvitation[]>('/console/v1/auth/organization/list-user-invitations'),
    staleTime: 60_000,
  });
  const keys = useAnswer(['keys', 'live'], (signal) => listKeys({ status: 'live' }, signal), {
    // A new workspace waits for its first call.
    refetchInterval: ({ state }) =>
      overview && state.data && isDone(progressOf(overview, state.data.data)) ? false : 2_000,
  });
  const { is_operator: isOperator, mode } = useMe();
  // Nothing is operated from a test workspace.
  const reviews = useAnswer(
    ['reviews', 'waiting'],
    (signal) => api.GET('/console/v1/reviews', { params: { query: { status: 'in_review', limit: 100 } }, signal }),
    { enabled: isOperator && mode === 'live', refetchInterval: REVIEWS_MS },
  );
  const agents = useAgentModel(isOperator && mode === 'live');
  if (!overview || invitations.isPending || keys.isPending || reviews.isLoading || agents.isLoading) return undefined;
  const progress = progressOf(overview, keys.data?.data ?? []);
  return { overview, invitations: invitations.data, reviews: reviews.data, agents: agents.data, progress };
}
