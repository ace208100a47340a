/** Rows as text, their columns aligned. The first row is the heading. */
export function tableOf(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}
