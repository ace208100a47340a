import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { Ago } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { RunStatus } from './RunStatus.tsx';
import type { Run } from './runEvents.ts';

const SHOWN = 10;

/** Chooses the run beside which this one is shown: the one that it repeats, or another of its agent. */
export function CompareMenu({ run }: { run: Run }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const query = { agent: run.agent, limit: SHOWN + 1 };
  const others = useAnswer(
    ['runs', 'list', 'compared', run.agent],
    (signal) => api.GET('/v1/runs', { params: { query }, signal }),
    { enabled: isOpen },
  );
  const compare = (first: string, second: string) => void navigate({ to: `/runs/${first}/compare/${second}` });
  const rows = others.data?.data.filter(({ id }) => id !== run.id && id !== run.rerun_of?.run_id).slice(0, SHOWN);
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width={340}>
      <Menu.Target>
        <Button variant="default">Compare</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {run.rerun_of && <Menu.Item onClick={() => compare(run.rerun_of!.run_id, run.id)}>The original run</Menu.Item>}
        <Menu.Label>{rows?.length === 0 ? 'No other runs of this agent' : 'Other runs of this agent'}</Menu.Label>
        {rows?.map((other) => (
          <Menu.Item key={other.id} onClick={() => compare(other.id, run.id)}>
            <span className="compare-line">
              <RunStatus status={other.status} />
              <Ago at={other.created_at} />
              <Money usd={other.usage.total_usd} />
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
