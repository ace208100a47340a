import { Button } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { answerOf, type Result } from '../api/client.ts';
import { useChange, type Page } from '../api/hooks.ts';

/** The columns of a file: a name, and the value of a row. */
export type CsvColumns<Row> = Record<string, (row: Row) => string | number | null | undefined>;

const ROWS_MAX = 20_000;

/** Writes all rows of a list to a file, page by page. */
export function ExportCsv<Row>({
  name,
  columns,
  read,
}: {
  name: string;
  columns: CsvColumns<Row>;
  read: (cursor: string | undefined) => Promise<Result<Page<Row>>>;
}) {
  const write = useChange(async () => save(`${name}.csv`, csvOf(columns, await readAll(read))));
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<DownloadIcon />}
      loading={write.isPending}
      onClick={() => write.mutate(undefined)}
    >
      Export CSV
    </Button>
  );
}

async function readAll<Row>(read: (cursor: string | undefined) => Promise<Result<Page<Row>>>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page: Page<Row> = await answerOf(read(cursor));
    rows.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < ROWS_MAX);
  return rows;
}

function csvOf<Row>(columns: CsvColumns<Row>, rows: Row[]): string {
  const cells = Object.values(columns);
  const lines = rows.map((row) => cells.map((cell) => fieldOf(cell(row))).join(','));
  return [Object.keys(columns).join(','), ...lines, ''].join('\r\n');
}

/** A spreadsheet must not run a name as a formula. */
function fieldOf(value: string | number | null | undefined): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : numberText(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Without an exponent: `0.000000042`. */
const numberText = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(9).replace(/0+$/, '');

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
