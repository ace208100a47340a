import { Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useQuery } from '@tanstack/react-query';
import { ApiFailure } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import { Form } from '../parts/Form.tsx';
import { Panel } from '../parts/Panel.tsx';

interface Feedback {
  outcome: 'complete' | 'partial' | 'failed';
  reason: string;
}

const OUTCOMES = [
  ['complete', 'Yes'],
  ['partial', 'Partly'],
  ['failed', 'No'],
] as const;

/** The caller's feedback on an ended run, which counts in the agent's quality. */
export function RunFeedback({ runId }: { runId: string }) {
  const path = `/v1/runs/${runId}/feedback`;
  // Read only on request, because browsers report the 404 of a run without feedback as an error.
  const [isAsked, setAsked] = useState(false);
  const given = useQuery({
    enabled: isAsked,
    queryKey: ['feedback', runId],
    queryFn: async () => {
      try {
        return await sendJson<Feedback>(path);
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return null;
        throw error;
      }
    },
  });
  const [outcome, setOutcome] = useState('');
  const [reason, setReason] = useState('');
  useEffect(() => {
    if (!given.data) return;
    setOutcome(given.data.outcome);
    setReason(given.data.reason);
  }, [given.data]);
  const stale = [['feedback', runId]];
  const save = useChange(() => sendJson(path, { outcome, reason }, 'PUT'), {
    stale,
    done: 'Feedback sent',
    onError: () => {},
  });
  const remove = useChange(() => sendJson(path, undefined, 'DELETE'), { stale, done: 'Feedback removed' });
  return (
    <Panel title="Feedback" description="Did the run do what you asked?">
      <Form error={save.error} onSubmit={() => save.mutate(undefined)}>
        <Stack gap="sm">
          <Radio.Group value={outcome} onChange={setOutcome} aria-label="Outcome">
            <Group>
              {OUTCOMES.map(([value, label]) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Group>
          </Radio.Group>
          <Textarea
            label="What was missing or wrong?"
            data-param="reason"
            autosize
            minRows={1}
            value={reason}
            maxLength={2000}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={outcome === ''}>
              {given.data ? 'Change feedback' : 'Send feedback'}
            </Button>
            {!isAsked && (
              <Button variant="default" onClick={() => setAsked(true)}>
                Show my feedback
              </Button>
            )}
            {given.data && (
              <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
                Remove
              </Button>
            )}
          </Group>
          {isAsked && given.data === null && <Text c="dimmed">You gave no feedback on this run.</Text>}
          {given.error && <Text className="text-bad">The feedback could not be loaded.</Text>}
        </Stack>
      </Form>
    </Panel>
  );
}
