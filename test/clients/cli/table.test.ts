import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { turnColorsOff } from '../../../clients/typescript/cli/terminal/colors.ts';
import { tableOf, type Column } from '../../../clients/typescript/cli/terminal/table.ts';

interface Row {
  id: string;
  when: string;
  name: string;
  key: string;
}

const columns: Column<Row>[] = [
  { title: 'id', text: ({ id }) => id },
  { title: 'when', text: ({ when }) => when, brief: ({ when }) => when.slice(5, -3) },
  { title: 'name', text: ({ name }) => name, shrinks: true },
  { title: 'key', text: ({ key }) => key, optional: true },
];
const rows = [
  { id: 'run_mwy4wdiumAygEdueI2dR08', when: '2026-11-26 22:38:43', name: 'ledgerline/analyst-of-sales', key: 'laptop' },
];

const before = { isTTY: process.stdout.isTTY, columns: process.stdout.columns };
const setTerminal = (isTTY: boolean, width: number) => Object.assign(process.stdout, { isTTY, columns: width });
beforeAll(turnColorsOff);
afterEach(() => {
  setTerminal(before.isTTY, before.columns);
});

/** The lines of the table, and the longest. */
function drawn() {
  const lines = tableOf(columns, rows).split('\n');
  return { lines, width: Math.max(...lines.map(({ length }) => length)) };
}

test('a file gets every column whole', () => {
  setTerminal(false, 40);
  expect(drawn().lines[1]).toBe('run_mwy4wdiumAygEdueI2dR08  2026-11-26 22:38:43  ledgerline/analyst-of-sales  laptop');
});

test('a narrower terminal gets a short time first, then a cut name', () => {
  setTerminal(true, 80);
  expect(drawn().lines[1]).toBe('run_mwy4wdiumAygEdueI2dR08  11-26 22:38  ledgerline/analyst-of-sales  laptop');
  setTerminal(true, 66);
  const { lines, width } = drawn();
  expect(lines[1]).toContain('ledgerline/analy…  laptop');
  expect(width).toBe(66);
});

test('what has no room even so is left out, and named', () => {
  setTerminal(true, 56);
  const { lines } = drawn();
  expect(lines[0]).toBe('ID                          WHEN         NAME');
  expect(lines[1]!.length).toBeLessThanOrEqual(56);
  expect(lines.at(-1)).toBe('No room for key: use a wider terminal, or --json.');
});
