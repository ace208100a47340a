import { Anchor, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useMinuteMs } from '../api/clock.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { Panel } from '../parts/Panel.tsx';
import { metricOf } from '../usage/metrics.ts';
import { periodOf } from '../usage/period.ts';
import { Segments } from '../usage/Segments.tsx';
import '../usage/usage.css';
import { UsagePicture } from '../usage/UsagePicture.tsx';
import { useView } from '../usage/useView.ts';

const GROUPS = [
  { value: 'model', label: 'Model' },
  { value: 'key', label: 'Key' },
];

/** The cost of a project in the last 30 days. */
export function ProjectUsage({ projectId }: { projectId: string }) {
  const minuteMs = useMinuteMs();
  const [by, setBy] = useState('model');
  const only = useMemo(() => ({ project: projectId }), [projectId]);
  const choice = useMemo(
    () => ({ metric: metricOf('cost'), by, part: '', period: periodOf({}, minuteMs ?? 0) }),
    [by, minuteMs],
  );
  const { view, isStale, failure, retry } = useView(choice, only, {
    isKnown: minuteMs !== undefined,
    isCompared: false,
  });
  return (
    <Panel
      title="Cost"
      description="Last 30 days. Days are UTC."
      actions={
        <Anchor component={Link} size="sm" {...pageAt('/usage', { project: projectId })}>
          All usage
        </Anchor>
      }
    >
      <Stack gap="md">
        <div className="usage-choices">
          <Segments label="Group by" options={GROUPS} value={by} onChange={setBy} />
        </div>
        {failure ? (
          <TableFailure error={failure} retry={retry} />
        ) : (
          <UsagePicture view={view} only={only} isStale={isStale} />
        )}
      </Stack>
    </Panel>
  );
}
