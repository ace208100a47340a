/** The name of a row in its group: null for calls outside the grouping, such as calls without an agent. */
export const valueOf = (row: { [name: string]: unknown }, by: string): string | null =>
  (row[by] as string | null | undefined) ?? null;

export const nameOf = (row: { label?: string; [name: string]: unknown }, by: string): string =>
  row.label ?? (row[by] as string | null | undefined) ?? NAMELESS[by] ?? 'None';

// The name of rows outside a grouping.
const NAMELESS: Record<string, string> = {
  model: 'Agent runs',
  route: 'Agent runs',
  agent: 'Model calls',
  key: 'No key',
  member: 'No member',
};
