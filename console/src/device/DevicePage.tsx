import './device.css';
import { Skeleton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { Decide } from './Decide.tsx';
import { EnterCode } from './EnterCode.tsx';
import type { Login } from './grant.ts';
import { Outcome } from './Outcome.tsx';

/** Where a person gives a key to a program on some machine: its code is typed, or comes with the address. */
export default function DevicePage() {
  const [{ code = '' }, set] = useSearchState();
  const queries = useQueryClient();
  const key = ['device', code];
  // Each question counts as a try of a code, so none is asked again by itself.
  const login = useAnswer(key, (signal) => api.POST('/console/v1/device/read', { body: { user_code: code }, signal }), {
    enabled: code !== '',
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const enter = (typed: string) => (typed === code ? void login.refetch() : set({ code: typed }));
  const end = (status: Login['status']) => queries.setQueryData(key, { ...login.data, status });
  return (
    <>
      <PageHeader
        title="Log in a program"
        description="Gives a command line or another program a key of a workspace."
      />
      <div className="device">
        {login.data ? (
          login.data.status === 'asked' ? (
            <Decide key={login.data.id} login={login.data} onEnd={end} />
          ) : (
            <Outcome status={login.data.status} />
          )
        ) : login.isLoading ? (
          <Skeleton height={320} />
        ) : (
          <EnterCode code={code} error={login.error} onEnter={enter} />
        )}
      </div>
    </>
  );
}
