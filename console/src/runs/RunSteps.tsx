import { Button, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { DateTime } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { countOf } from '../parts/totals.tsx';
import { isOver } from './RunStatus.tsx';
import { StepDetails } from './StepDetails.tsx';
import type { Progress, Run, RunEvent, Step } from './runEvents.ts';
import { Waterfall } from './Waterfall.tsx';

/** The timeline of a run: its steps as they happen, the chosen one in full beside them, and its events. */
export function RunSteps({
  run,
  progress,
  isLive,
  isBrief,
}: {
  run: Run;
  progress: Progress;
  /** Whether news of the run arrive. */
  isLive: boolean;
  isBrief: boolean;
}) {
  const [areEventsShown, setEventsShown] = useState(false);
  const [chosenId, setChosenId] = useState<string>();
  const { steps, events } = progress;
  const step = steps.find(({ id }) => id === chosenId) ?? (isBrief ? undefined : firstShown(steps));
  // A run that has ended had steps: they are still loading.
  const isWaiting = steps.length === 0 && events.length === 0 && isOver(run.status);
  return (
    <Panel
      title="Timeline"
      description={steps.length > 0 ? countOf(steps.length, 'step') : undefined}
      actions={
        !isBrief && (
          <Button variant="default" size="xs" onClick={() => setEventsShown(!areEventsShown)}>
            {areEventsShown ? 'Hide events' : `Show ${countOf(events.length, 'event')}`}
          </Button>
        )
      }
    >
      {isWaiting && <Skeleton height={140} />}
      {steps.length === 0 && !isWaiting && (
        <Text size="sm" c="dimmed">
          No steps yet.
        </Text>
      )}
      {steps.length > 0 && (
        <div className="trace" data-open={step !== undefined || undefined}>
          <Waterfall run={run} steps={steps} isLive={isLive} chosenId={step?.id} onChoose={setChosenId} />
          {step && <StepDetails key={step.id} run={run} step={step} />}
        </div>
      )}
      {areEventsShown && <Events events={events} />}
    </Panel>
  );
}

/** The step shown first: the failed one, otherwise the last. */
const firstShown = (steps: Step[]): Step | undefined => steps.find(({ state }) => state === 'failed') ?? steps.at(-1);

function Events({ events }: { events: RunEvent[] }) {
  return (
    <ol className="run-events" aria-label="Events">
      {events.map((event) => (
        <li key={event.id}>
          <details>
            <summary>
              <span className="id">{event.type}</span> <DateTime at={event.created_at} />
            </summary>
            <pre className="code" tabIndex={0}>
              {JSON.stringify(event, null, 2)}
            </pre>
          </details>
        </li>
      ))}
    </ol>
  );
}
