import { Button, NumberInput, SegmentedControl, Stack } from '@mantine/core';
import { PlayIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { sentenceOf } from '../api/failure.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { columnText } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { countOf } from '../parts/totals.tsx';
import type { Evaluated, EvaluationSet } from './evaluations.ts';
import { Form } from '../parts/Form.tsx';

type Version = 'draft' | 'live';

/** Runs the set with the draft or the public version. The button has the price that is probable, the line below it the most. */
export function RunSet({
  of: { agentId, isPublic },
  set,
  ended,
  onStarted,
}: {
  of: Evaluated;
  set: EvaluationSet;
  /** The runs that have ended, from which the price is estimated. */
  ended: number;
  onStarted: (id: string) => void;
}) {
  const { scopes } = useMe();
  const [version, setVersion] = useState<Version>('draft');
  const [limit, setLimit] = useState<number | string>('');
  const path = { agent_id: agentId };
  const quote = useQuote(agentId, version, [set.revision, ended]);
  const start = useChange(
    () => {
      const body = { version, ...(limit !== '' && { max_cost_usd: Number(limit) }) };
      return answerOf(api.POST('/v1/publisher/agents/{agent_id}/evaluation-runs', { params: { path }, body }));
    },
    { stale: [['evaluations', agentId]], onSuccess: ({ id }) => onStarted(id), onError: () => {} },
  );
  const probable = quote.data?.p50_usd;
  const cases = countOf(set.cases.length, 'case');
  return (
    <Panel title="Run" description="At the platform’s costs. A draft runs as it was last saved.">
      <Form error={start.error} onSubmit={() => start.mutate(undefined)}>
        <Stack gap="sm">
          {isPublic && <Versions version={version} onChoose={setVersion} />}
          <NumberInput
            label="Limit of all cases"
            data-param="max_cost_usd"
            placeholder={quote.data ? shortText(quote.data.max_usd) : undefined}
            prefix="$"
            decimalScale={6}
            min={0.000001}
            hideControls
            value={limit}
            onChange={setLimit}
          />
          <Button
            type="submit"
            leftSection={<PlayIcon aria-hidden />}
            loading={start.isPending}
            disabled={!scopes.includes('llm')}
          >
            Run {cases}
            {probable !== null && probable !== undefined && `, about ${shortText(probable)}`}
          </Button>
          <p className="draft-note" aria-live="polite">
            {quote.data ? basisOf(quote.data) : ' '}
            {quote.error && sentenceOf(quote.error)}
          </p>
        </Stack>
      </Form>
    </Panel>
  );
}

function Versions({ version, onChoose }: { version: Version; onChoose: (version: Version) => void }) {
  return (
    <SegmentedControl
      fullWidth
      aria-label="Version"
      data={[
        { value: 'draft', label: 'Draft' },
        { value: 'live', label: 'Public version' },
      ]}
      value={version}
      onChange={onChoose}
    />
  );
}

/** What a run of the set would cost; read anew with what it depends on. */
function useQuote(agentId: string, version: Version, on: number[]) {
  const params = { path: { agent_id: agentId } };
  return useAnswer(
    ['evaluations', agentId, 'quote', version, ...on],
    (signal) => api.POST('/v1/publisher/agents/{agent_id}/evaluation-set/quote', { params, body: { version }, signal }),
    { placeholderData: (before) => before },
  );
}

/** Two figures below a dime, and cents above. */
const shortText = (usd: number): string => columnText([usd])(usd);

function basisOf({ based_on: basis, sample_size: size, max_usd: maxUsd }: Quote): string {
  const most = `At most ${shortText(maxUsd)}.`;
  return basis === 'nothing' ? `No run yet to estimate from. ${most}` : `By ${countOf(size, 'earlier run')}. ${most}`;
}

interface Quote {
  based_on: string;
  sample_size: number;
  max_usd: number;
}
