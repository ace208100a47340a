import type { AnyRows } from '../postgres/rows.ts';

const CHARACTERS_MAX = 2_000;

/** The beginnings of the outputs of an evaluation's runs, by run; those whose content was deleted are left out. */
export async function readOutputTexts(
  rows: AnyRows,
  workspaceId: string,
  evaluationRunId: string,
): Promise<Map<string, string>> {
  type Found = { id: string; text: string | null };
  const values = [evaluationRunId, workspaceId, CHARACTERS_MAX];
  const found = await rows.statement(({ client }) => client.query<Found>(TEXTS, values));
  return new Map(found.rows.flatMap(({ id, text }) => (text === null ? [] : [[id, text]])));
}

// Raw: the items of a list in another table's rows.
const TEXTS = `
select r.id, left((
  select string_agg(coalesce(o.item ->> 'text', o.item ->> 'data', '[' || (o.item ->> 'filename') || ']'), e'\\n' order by o.place)
  from jsonb_array_elements(r.output) with ordinality o(item, place)), $3) as text
from evaluation_results e join runs r on r.id = e.run_id
where e.evaluation_run_id = $1 and e.workspace_id = $2 and r.workspace_id = $2 and r.content_deleted_at is null`;
