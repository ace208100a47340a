import { send, type Person } from './people.ts';

const contains = (reference: string) => ({
  type: 'string_check',
  operation: 'contains',
  reference,
  ignore_case: true,
});
const judge = (rubric: string) => ({ type: 'score_model', rubric, pass_threshold: 0.7 });

const CASES = [
  {
    name: 'Flatness out of tolerance',
    input: 'Flatness A of part 31 is 0.064, drawing NR-118 rev C allows 0.05.',
    checks: [contains('0.014'), contains('NR-118'), { type: 'latency', max_seconds: 20 }],
  },
  {
    name: 'Bore within tolerance',
    input: 'Bore Ø12 H7 of part 18 is 12.004, drawing NR-118 rev C.',
    checks: [contains('within'), judge('States the limits of H7 for Ø12, and does not ask for more.')],
  },
  {
    name: 'No drawing named',
    input: 'Is part 17 fine?',
    checks: [
      contains('drawing'),
      judge('Asks for the drawing, and does not guess.'),
      { type: 'cost', max_cost_usd: 0.02 },
    ],
  },
  {
    name: 'Several parts',
    input: 'Parts 17, 18 and 31 of batch 2231 against NR-118 rev C: which are set aside?',
    checks: [{ type: 'string_check', operation: 'regex', reference: '17.+31' }],
  },
];

interface Agent {
  id: string;
  slug: string;
  draft_revision: number;
}

/** The cases of the agent that waits for its review. */
const WAITING = [
  {
    name: 'Names the worst joint first',
    input: 'Joint 4 of station 7 ended at 9.8 Nm, joint 2 at 7.1 Nm; the window is 8 to 9 Nm.',
    checks: [contains('joint 2')],
  },
  {
    name: 'Nothing left its window',
    input: 'Joint 1 of station 7 ended at 8.4 Nm; the window is 8 to 9 Nm.',
    checks: [contains('no joint')],
  },
];

/** Gives Northwind's public agent an evaluation set, and runs it with the public version and with a worse draft; and one that waits. */
export async function evaluateAgents(publisher: Person): Promise<void> {
  const { data } = await send<{ data: Agent[] }>(publisher, 'GET', 'publisher/agents?limit=50');
  const find = (slug: string) => data.find((agent) => agent.slug === slug)!;
  const store = ({ id }: Agent, cases: object[]) =>
    send(publisher, 'PUT', `publisher/agents/${id}/evaluation-set`, { cases });
  const run = ({ id }: Agent, version: string) =>
    send(publisher, 'POST', `publisher/agents/${id}/evaluation-runs`, { version }, { prefer: 'wait=60' });
  const [inspector, waiting] = [find('quality-inspector'), find('torque-report')];
  await store(waiting, WAITING);
  await run(waiting, 'draft');
  await store(inspector, CASES);
  await run(inspector, 'live');
  const instructions = 'You inspect measurements. Compute with run_code. Answer in one short sentence.';
  const headers = { 'if-match': `"draft-${inspector.draft_revision}"` };
  await send(publisher, 'PATCH', `publisher/agents/${inspector.id}/draft`, { instructions }, headers);
  await run(inspector, 'draft');
}
