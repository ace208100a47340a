import type { PageQuery } from '../postgres/page.ts';
import type { Rows } from '../postgres/rows.ts';
import type { ThousandthsByMeter } from '../runs/cost/runCost.ts';
import type { StepKind } from '../runs/stepFacts.ts';
import type { PublishedRun } from './publishedRuns.ts';

/** A step as the publisher of the agent sees it: nothing that its caller, its model or a tool has written. */
export interface PublishedStep {
  id: string;
  step: number;
  kind: StepKind;
  /** The model, a tool that the agent has, or a plugin; null for another name, which the model has made up. */
  name: string | null;
  state: 'started' | 'completed' | 'failed';
  attempt: number;
  startedAt: Date;
  endedAt: Date | null;
  errorCode: string | null;
  isReused: boolean;
  meters: ThousandthsByMeter;
}

/** A run that was found among those of the publisher's agent. */
type FoundRun = Pick<PublishedRun, 'id' | 'versionId'>;

/** The steps of a run in order. */
export async function listPublishedSteps(
  everywhere: Rows<undefined>,
  run: FoundRun,
  { after, limit }: PageQuery,
): Promise<{ rows: PublishedStep[]; hasMore: boolean }> {
  const rows = await read(everywhere, run, { after, stepId: null, limit: limit + 1 });
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** One step of a run, or undefined. */
export const findPublishedStep = async (
  everywhere: Rows<undefined>,
  run: FoundRun,
  stepId: string,
): Promise<PublishedStep | undefined> => (await read(everywhere, run, { after: null, stepId, limit: 1 }))[0];

async function read(
  everywhere: Rows<undefined>,
  { id, versionId }: FoundRun,
  { after, stepId, limit }: { after: string | null; stepId: string | null; limit: number },
): Promise<PublishedStep[]> {
  const values = [id, versionId, after, stepId, limit];
  return (await everywhere.statement(({ client }) => client.query<PublishedStep>(LIST, values))).rows;
}

// Raw: the list of columns is the boundary between callers and publishers. The name of a call is what the model wrote: it is shown once a
// tool has answered to it, or when the agent has a tool of that name; of a plugin's failed call, the plugin.
const LIST = `
select s.id, s.step, s.kind, s.state, s.attempt, s.started_at as "startedAt", s.ended_at as "endedAt", s.error_code as "errorCode",
  case when s.kind <> 'tool' or s.state = 'completed' and s.error_code is null or s.name in ('ask_user', 'call_agent', 'return_data')
      or exists (select from offered_tools o where o.name = s.name)
      or jsonb_path_exists(v.configuration, '$.http_tools[*] ? (@.name == $name)', jsonb_build_object('name', s.name)) then s.name
    else (select p ->> 'plugin_id' from jsonb_array_elements(v.configuration -> 'plugins') p
      where starts_with(s.name, (p ->> 'plugin_id') || '__') limit 1) end as name,
  s.reused_from is not null as "isReused",
  (select coalesce(json_object_agg(meter, quantity_thousandths), '{}') from run_meters u where u.run_id = s.run_id and u.step = s.step) as meters
from run_steps s left join agent_versions v on v.id = $2
where s.run_id = $1 and s.step > coalesce((select step from run_steps where run_id = $1 and id = $3), 0)
  and ($4::text is null or s.id = $4)
order by s.step limit $5`;
