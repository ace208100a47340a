import { Stack, Text } from '@mantine/core';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Fact } from '../parts/Fact.tsx';
import { countText } from '../parts/figures.tsx';
import { Status } from '../parts/Status.tsx';
import type { FileCheck, LineError } from './checkLines.ts';
import { countOf } from '../parts/totals.tsx';

/** What the check of a file found: its calls, or the errors of its lines. */
export function FileVerdict({
  of: check,
  isChecking,
  share,
}: {
  of: FileCheck | undefined;
  isChecking: boolean;
  share: number;
}) {
  return (
    <div className="batch-verdict" role="status">
      {isChecking || !check ? (
        <Status tone="busy" word={`Checking… ${Math.round(share * 100)}%`} />
      ) : check.errors.length > 0 ? (
        <Errors of={check} />
      ) : (
        <Calls of={check} />
      )}
    </div>
  );
}

function Calls({ of: { lines, endpoint, models } }: { of: FileCheck }) {
  return (
    <Stack gap="xs">
      <Status tone="good" word={`${countOf(lines, 'call')}, no errors`} />
      <dl className="facts">
        <Fact name="Endpoint">
          <span className="id">{endpoint}</span>
        </Fact>
        {[...models].slice(0, SHOWN_MODELS).map(([model, calls]) => (
          <Fact key={model} name={model}>
            {countOf(calls, 'call')}
          </Fact>
        ))}
      </dl>
      <Text size="xs" c="dimmed">
        Calls that fail cost nothing. The most that the batch can cost is on its page.
      </Text>
    </Stack>
  );
}

const SHOWN_MODELS = 5;

const COLUMNS: Column<LineError>[] = [
  { title: 'Line', isNumber: true, cell: ({ line }) => (line === null ? 'File' : countText(line)) },
  { title: 'Error', cell: ({ message }) => message },
  { title: 'Parameter', visibleFrom: 'sm', cell: ({ param }) => <span className="id nowrap">{param ?? '—'}</span> },
];

const SHOWN_ERRORS = 10;

function Errors({ of: { errors } }: { of: FileCheck }) {
  return (
    <Stack gap="xs">
      <Status tone="bad" word={wordsOf(errors.length)} />
      <DataTable<LineError>
        label="Errors of the file"
        columns={COLUMNS}
        from={{ rows: errors.slice(0, SHOWN_ERRORS), error: null, isLoading: false }}
        rowKey={({ line, param, message }) => `${line} ${param} ${message}`}
        empty="No errors."
      />
    </Stack>
  );
}

function wordsOf(count: number): string {
  if (count === 1) return '1 error. Nothing was sent';
  const more = count > SHOWN_ERRORS ? `, the first ${SHOWN_ERRORS} are shown` : '';
  return `${count >= 100 ? 'At least 100' : count} errors${more}. Nothing was sent`;
}
