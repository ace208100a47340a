import { DataTable, type Rows } from '../parts/DataTable.tsx';
import { Ago } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import { RUN_STATES, type EvaluationRunSummary } from './evaluations.ts';

/** The runs of a set, newest first; one of them is shown. */
export function RunsPanel({
  from,
  shownId,
  onShow,
}: {
  from: Rows<EvaluationRunSummary>;
  shownId: string | undefined;
  onShow: (id: string) => void;
}) {
  return (
    <Panel title="Runs">
      <DataTable<EvaluationRunSummary>
        label="Runs of the set"
        from={from}
        rowKey={({ id }) => id}
        empty="No run yet."
        columns={[
          {
            title: 'Started',
            cell: ({ id, created_at: at }) => (
              <button
                type="button"
                className="case-link"
                aria-current={id === shownId ? 'true' : undefined}
                onClick={() => onShow(id)}
              >
                <Ago at={at} />
              </button>
            ),
          },
          { title: 'Result', cell: ({ status }) => <Status {...RUN_STATES[status]} /> },
          {
            title: 'Passed',
            isNumber: true,
            cell: ({ result_counts: { passed, total } }) => `${passed} of ${total}`,
          },
        ]}
      />
    </Panel>
  );
}
