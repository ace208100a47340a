import { until } from '../../support/until.ts';
import { partPicture } from './pictures.ts';
import { send, upload, type Person } from './people.ts';
import { contractPdf, MEASUREMENTS, TRANSCRIPT } from './sessionFiles.ts';

export interface Run {
  id: string;
  status: string;
}

const said = (role: string, content: string) => ({ type: 'message', role, content });

/** A chat about the labels, with a look-up by the caller's own program. */
const LABELS = [
  said('system', 'Write for technicians. Keep the words of the glossary.'),
  said('user', 'Translate the warning labels to German: "Pinch point", "Lock out before service".'),
  {
    type: 'function_call',
    call_id: 'call_1',
    name: 'find_in_glossary',
    arguments: '{"terms":["pinch point","lock out"]}',
  },
  {
    type: 'function_call_output',
    call_id: 'call_1',
    output: '{"pinch point":"Quetschstelle","lock out":"gegen Wiedereinschalten sichern"}',
  },
  said('assistant', '1. **Quetschstelle**\n2. **Vor der Wartung gegen Wiedereinschalten sichern**'),
  said('user', 'And "Hot surface"?'),
  said('assistant', '**Heiße Oberfläche**'),
  said('user', 'Shorter, please: the second label has room for 24 letters.'),
  said('assistant', '**Vor Wartung sichern**'),
  said('user', 'Good. Now all three in French.'),
];

const ENDED = ['completed', 'failed', 'cancelled', 'limit_reached', 'requires_action'];
const POLL_MS = 100;

/** What the inspection of a batch keeps, change by change. */
const STATES = [
  { batch: 2231, drawing: { number: 'NR-118', revision: 'B' }, step: 'measure', out_of_tolerance: [] },
  { step: 'report', out_of_tolerance: [{ part: 5, feature: 'Bore D12 H7', deviation_mm: 0.0216 }] },
  { drawing: { revision: 'C' }, remeasure: { part: 17, due: 'Monday' } },
];

/** Runs of several agents with all endings, in sessions with files. `guest` is a customer of the agent that Northwind sells. */
export async function runAgents(member: Person, guest: Person) {
  const inspection = await openSession(member, 'Batch 2231', [
    { name: 'measurements.csv', type: 'text/csv', bytes: Buffer.from(MEASUREMENTS) },
    { name: 'part-17.png', type: 'image/png', bytes: partPicture() },
    {
      name: 'notes.md',
      type: 'text/markdown',
      bytes: Buffer.from('# Batch 2231\n\nRemeasure part **17** on Monday.\n'),
    },
  ]);
  await changeState(member, inspection, STATES.slice(0, 2));
  const contract = await openSession(member, 'Supply contract Hallmark', [
    { name: 'supply-contract.pdf', type: 'application/pdf', bytes: await contractPdf() },
  ]);
  const meeting = await openSession(member, 'Weekly engineering meeting', [
    { name: 'transcript.txt', type: 'text/plain', bytes: Buffer.from(TRANSCRIPT) },
  ]);
  const inspector = 'northwind/quality-inspector';
  const first = await run(member, inspector, 'Check the measurements of batch 2231.', { session_id: inspection });
  const ended = Promise.all([
    run(guest, inspector, 'Check our trial parts against NR-118 rev C.'),
    run(member, 'harbor/contract-reader', 'List all notice periods in the contract.', { session_id: contract }),
    run(member, 'harbor/meeting-minutes', 'Write the minutes of this transcript.', { session_id: meeting }),
    run(member, 'kestrel/sales-forecast', 'Forecast the next twelve weeks of orders.', { max_cost_usd: 0.5 }),
    run(member, 'paperwing/release-notes', 'Write release notes of firmware 4.2.1.'),
    run(member, 'paperwing/technical-translator', LABELS),
    run(member, 'kestrel/survey-coder', 'Group the answers of the service survey into themes.'),
    run(member, 'harbor/invoice-extractor', 'Extract the two invoices of last week.'),
    run(guest, inspector, 'Check the second lot of our trial parts, all forty features.'),
    run(member, inspector, 'Check the corrupted export of station 3.'),
    run(guest, inspector, 'Check the corrupted export of station 3.'),
    run(guest, inspector, 'Check all lots of the trial.', { max_cost_usd: 0.02 }),
    run(member, 'kestrel/survey-coder', 'Sum up the log of every station of the plant.', { max_cost_usd: 0.02 }),
  ]);
  const repeated = repeatFrom(member, first);
  const support = triage(member);
  await send(member, 'POST', 'runs', {
    agent: 'kestrel/sql-reviewer',
    input: 'Review the whole archive of migrations.',
  });
  const runs = [first, ...(await ended), await repeated, ...(await support)];
  await send(member, 'PUT', `runs/${first.id}/feedback`, { outcome: 'complete', reason: 'Found both parts.' });
  await send(guest, 'PUT', `runs/${runs[1]!.id}/feedback`, { outcome: 'partial', reason: 'The chart lacks units.' });
  return { settled: runs };
}

async function changeState(member: Person, sessionId: string, changes: object[]): Promise<void> {
  for (const state of changes) await send(member, 'PATCH', `sessions/${sessionId}/state`, { state });
}

async function repeatFrom(member: Person, { id }: Run): Promise<Run> {
  const rerun = await send<Run & { session_id: string }>(member, 'POST', `runs/${id}/rerun`, { from_step: 3 });
  const run = await settled(member, rerun.id);
  await changeState(member, rerun.session_id, STATES.slice(2));
  return run;
}

/** Runs that ask their caller: one still waits, one was answered, one was cancelled. */
async function triage(member: Person): Promise<Run[]> {
  const agent = 'paperwing/support-triage';
  const asked = await Promise.all(
    ['Axis 2 rattles when it slows down.', 'The display stays dark after the update.', 'The arm shows E-417.'].map(
      (input) => run(member, agent, input),
    ),
  );
  const plate = { type: 'form', data: { serial: '22310407', severity: 'low', stopped: false } };
  const answers = [plate, { type: 'tool_approval', decision: 'approve' }];
  await send(member, 'POST', `runs/${asked[0]!.id}/input`, { answers });
  await send(member, 'POST', `runs/${asked[1]!.id}/cancel`, { reason: 'Answered by phone.' });
  return [await settled(member, asked[0]!.id, ['completed']), await settled(member, asked[1]!.id, ['cancelled'])];
}

/** Orders a run and waits until it has ended, or waits for its caller. */
async function run(person: Person, agent: string, input: string | object[], order: object = {}): Promise<Run> {
  const { id } = await send<Run>(person, 'POST', 'runs', { agent, input, ...order });
  return settled(person, id);
}

async function settled(person: Person, id: string, statuses = ENDED): Promise<Run> {
  let found: Run = { id, status: '' };
  await until(
    async () => {
      found = await send<Run>(person, 'GET', `runs/${id}`);
      return statuses.includes(found.status);
    },
    { pollMs: POLL_MS },
  );
  return found;
}

async function openSession(
  member: Person,
  title: string,
  files: { name: string; type: string; bytes: Buffer<ArrayBuffer> }[],
): Promise<string> {
  const { id } = await send(member, 'POST', 'sessions', { title, metadata: { team: 'production' } });
  for (const file of files) {
    const fileId = await upload(member, 'agent_input', file);
    await send(member, 'POST', `sessions/${id}/files`, { kind: 'file', name: file.name, file_id: fileId });
  }
  return id;
}
