import { Button, Group } from '@mantine/core';
import { PlusIcon } from '@radix-ui/react-icons';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { DataTable } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Panel } from '../parts/Panel.tsx';
import { caseOfExample, checkText, inputText, type Case, type Evaluated, type EvaluationSet } from './evaluations.ts';

type Row = Case & { at: number };

/** The cases of a set. */
export function CasesPanel({
  of,
  set,
  onEdit,
}: {
  of: Evaluated;
  set: EvaluationSet;
  onEdit: (at: number | 'new') => void;
}) {
  const add = (
    <Button variant="default" size="xs" leftSection={<PlusIcon aria-hidden />} onClick={() => onEdit('new')}>
      Add case
    </Button>
  );
  if (set.cases.length === 0)
    return (
      <div className="panel">
        <EmptyState
          drawing="signal"
          title="No cases yet"
          action={
            <Group justify="center">
              <Button onClick={() => onEdit('new')}>Add case</Button>
              {of.examples.length > 0 && <FromExamples of={of} />}
            </Group>
          }
        >
          Inputs with checks of what the agent does. Run them with each draft: red and green stand beside the public
          version, and the reviewer sees them.
        </EmptyState>
      </div>
    );
  return (
    <Panel title="Cases" description="Kept with the agent. A case passes when all of its checks do." actions={add}>
      <DataTable<Row>
        label="Cases"
        from={{ rows: set.cases.map((one, at) => ({ ...one, at })), error: null, isLoading: false }}
        rowKey={({ name }) => name}
        noun="case"
        empty=""
        columns={[
          {
            title: 'Case',
            cell: ({ name, at }) => (
              <button type="button" className="case-link" onClick={() => onEdit(at)}>
                {name}
              </button>
            ),
          },
          {
            title: 'Input',
            visibleFrom: 'md',
            cell: ({ input }) => <span className="cell-short">{inputText(input)}</span>,
          },
          { title: 'Checks', cell: ({ checks }) => <Checks of={checks} /> },
        ]}
      />
    </Panel>
  );
}

const Checks = ({ of }: { of: Case['checks'] }) => (
  <span className="case-checks">
    {of.map((check, at) => (
      <span key={at} className="case-check" title={checkText(check)}>
        {checkText(check)}
      </span>
    ))}
  </span>
);

/** Makes a case of each example of the draft, which asks for any answer. */
function FromExamples({ of: { agentId, isTyped, examples } }: { of: Evaluated }) {
  const cases = examples.map((example, at) => caseOfExample(example, isTyped, at));
  const make = useChange(
    () =>
      answerOf(
        api.PUT('/v1/publisher/agents/{agent_id}/evaluation-set', {
          params: { path: { agent_id: agentId } },
          body: { cases, revision: 0 },
        }),
      ),
    { stale: [['evaluations', agentId]], done: 'Cases added' },
  );
  return (
    <Button variant="default" loading={make.isPending} onClick={() => make.mutate(undefined)}>
      From the examples
    </Button>
  );
}
