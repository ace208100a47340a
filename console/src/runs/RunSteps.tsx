import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { DateTime } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { RunStep } from './RunStep.tsx';
import type { Progress, Run } from './runEvents.ts';

/** The steps of a run as they happen, and its events. */
export function RunSteps({ run, progress, isBrief }: { run: Run; progress: Progress; isBrief: boolean }) {
  const [areEventsShown, setEventsShown] = useState(false);
  const { steps, events } = progress;
  return (
    <Panel
      title="Steps"
      actions={
        !isBrief && (
          <Button variant="default" size="xs" onClick={() => setEventsShown(!areEventsShown)}>
            {areEventsShown ? 'Hide the events' : `Show the ${events.length} events`}
          </Button>
        )
      }
    >
      {steps.length === 0 && <Text c="dimmed">No step has begun.</Text>}
      <ol className="run-steps">
        {steps.map((step) => (
          <RunStep key={step.id} run={run} step={step} />
        ))}
      </ol>
      {areEventsShown && (
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
      )}
    </Panel>
  );
}
