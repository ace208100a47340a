/** The rows of a CSV file without quoted cells, by the names of its columns. */
export function csvRowsOf(text: string): Record<string, string>[] {
  const [names, ...rows] = text
    .split(/\r?\n/)
    .filter(Boolean)
    .map((line) => line.split(','));
  return rows.map((cells) => Object.fromEntries(names!.map((name, at) => [name, cells[at]!])));
}
