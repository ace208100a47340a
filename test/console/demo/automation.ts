import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { registerPlugin } from '../../../db/plugins/plugins.ts';
import { chatLine } from '../../support/batchStage.ts';
import type { DemoStage } from './demoStage.ts';
import { send, upload, type Person } from './people.ts';

/** Endpoints of the workspace on this machine: one takes every event, one has a broken database, one is switched off. */
export async function addWebhooks(stage: DemoStage, member: Person): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    const isBroken = request.url!.startsWith('/erp');
    response.writeHead(isBroken ? 500 : 200).end(isBroken ? 'database "erp" is starting up' : 'ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stage.keep(server, async () => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const add = (body: object) => send(member, 'POST', 'webhook_endpoints', body);
  const runs = ['run.completed', 'run.failed', 'run.requires_action'];
  await add({ url: `${origin}/ledgerline/events`, description: 'Production: all events' });
  await add({ url: `${origin}/erp/runs`, description: 'ERP: results of inspections', event_types: runs });
  await add({ url: `${origin}/staging`, description: 'Staging', event_types: ['run.failed'], disabled: true });
}

/** Batches that complete, complete in part, are refused, and run. */
export async function orderBatches(member: Person): Promise<string[]> {
  const complaints = Array.from({ length: 60 }, (_, at) =>
    chatLine(`complaint-${at + 1}`, `Sort complaint ${at + 1}.`),
  );
  const manuals = Array.from({ length: 24 }, (_, at) =>
    chatLine(`page-${at + 1}`, at % 9 === 4 ? `Sum up page ${at + 1}, which is corrupted.` : `Sum up page ${at + 1}.`),
  );
  const doubled = [chatLine('part-1', 'Name the part.'), chatLine('part-1', 'Name the part again.')];
  const slow = Array.from({ length: 40 }, (_, at) =>
    chatLine(`log-${at + 1}`, at > 31 ? 'Read the slow log of the year.' : `Read log ${at + 1}.`),
  );
  const order = async (name: string, lines: object[], metadata: object) => {
    const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
    const input_file_id = await upload(member, 'batch', { name, type: 'application/jsonl', bytes });
    const body = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h', metadata };
    return (await send(member, 'POST', 'batches', body)).id;
  };
  return [
    await order('complaints-october.jsonl', complaints, { job: 'complaints', month: '2026-10' }),
    await order('manual-pages.jsonl', manuals, { job: 'manuals' }),
    await order('parts.jsonl', doubled, { job: 'parts' }),
    await order('machine-logs.jsonl', slow, { job: 'logs' }),
  ];
}

/** Schedules of agents' runs; one is paused, and one has fired. */
export async function addSchedules(member: Person): Promise<void> {
  const add = (name: string, cron: string, agent: string, input: string) =>
    send(member, 'POST', 'schedules', {
      name,
      cron,
      timezone: 'Europe/Stockholm',
      run: { agent, input, max_cost_usd: 0.5 },
    });
  const inspection = 'Check the measurements of the last shift against the drawings.';
  const report = await add(
    'Quality report of the night shift',
    '30 6 * * 1-5',
    'northwind/quality-inspector',
    inspection,
  );
  await add(
    'Weekly order forecast',
    '0 7 * * 1',
    'kestrel/sales-forecast',
    'Forecast the next twelve weeks of orders.',
  );
  await add('Release notes draft', '0 16 * * 4', 'paperwing/release-notes', 'Write release notes of this week.');
  const paused = await add(
    'Contract deadlines',
    '0 8 1 * *',
    'harbor/contract-reader',
    'Which deadlines end next month?',
  );
  await send(member, 'POST', `schedules/${report.id}/trigger`, {});
  await send(member, 'POST', `schedules/${paused.id}/pause`, { note: 'Until legal has moved the contracts.' });
}

/** Plugins that the installation offers: one wants a secret, the other one a sign-in. */
export async function addPlugins({ db, sealingKeys }: DemoStage): Promise<void> {
  const plugin = { version: '1', url: 'https://mcp.notes.example/', headers: {} };
  await registerPlugin(db.everywhere, sealingKeys, {
    ...plugin,
    id: 'notes',
    name: 'Workshop notes',
    signIn: { issuer: 'https://id.notes.example' },
  });
  const description = 'An API key of your tracker, with the right to write tickets.';
  await registerPlugin(db.everywhere, sealingKeys, {
    ...plugin,
    id: 'tracker',
    name: 'Ticket tracker',
    secrets: [{ name: 'api_key', description, header: 'x-tracker-key', template: '{}' }],
  });
}
