import type { InferEntity } from '@mikro-orm/core';
import type { OfferedTool } from '../entities/plugin.ts';
import type { AnyRows } from '../postgres/rows.ts';

type Offered = InferEntity<typeof OfferedTool>;

/** Replaces the offered tools with those of a starting worker. */
export function publishTools(rows: AnyRows, tools: Omit<Offered, 'position'>[]): Promise<void> {
  return rows.transaction(async ({ em, OfferedTool }) => {
    await em.nativeDelete(OfferedTool, { name: { $nin: tools.map(({ name }) => name) } });
    await em.upsertMany(
      OfferedTool,
      tools.map((tool, position) => ({ ...tool, position })),
    );
  });
}

/** The tools of the last started worker; none before the first start. */
export const listOfferedTools = (rows: AnyRows): Promise<Offered[]> =>
  rows.statement(({ em, OfferedTool }) => em.find(OfferedTool, {}, { orderBy: { position: 'asc' } }));
