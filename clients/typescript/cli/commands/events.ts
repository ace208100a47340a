import { Command } from 'commander';
import type { operations, Schemas } from '../../src/index.ts';
import { clientOf } from '../credentials/connection.ts';
import { briefTime, time } from '../format.ts';
import { parseCount } from '../options.ts';
import { printResult, withExamples } from '../output.ts';
import { tableOf } from '../terminal/table.ts';

type Event = Schemas['Event'];
type Query = NonNullable<operations['get_platform_v1_events']['parameters']['query']>;

const list = new Command('list')
  .description('the last events')
  .option('--type <type>', 'only these, such as run.completed')
  .option('--limit <count>', 'at most so many', parseCount, 20)
  .action(async ({ type, limit }: { type?: Query['type']; limit: number }, self: Command) => {
    const client = await clientOf(self);
    const events: Event[] = [];
    const query = { ...(type && { type }), limit: Math.min(limit, 100) };
    for await (const event of client.pages('/platform/v1/events', { query })) if (events.push(event) === limit) break;
    printResult(self, events, eventsText);
  });

const resend = new Command('resend')
  .description('deliver an event again to the webhook endpoints of its type')
  .argument('<event>', 'its id: evt_…')
  .option('--endpoint <id>', 'to this endpoint alone, whatever its types')
  .action(async (id: string, { endpoint }: { endpoint?: string }, self: Command) => {
    const client = await clientOf(self);
    const { data } = await client.api.POST('/platform/v1/events/{event_id}/redeliver', {
      params: { path: { event_id: id } },
      body: endpoint === undefined ? {} : { endpoint_id: endpoint },
    });
    printResult(self, data.data, (deliveries) =>
      deliveries.length === 0
        ? 'No enabled endpoint gets events of this type.'
        : deliveries.map(({ endpoint_id, status }) => `${endpoint_id}  ${status}`).join('\n'),
    );
  });

export const events = new Command('events')
  .description('the last events of the workspace, and webhooks of them again')
  .addCommand(
    withExamples(list, [['ledgerline events list --type run.failed --limit 5'], ['ledgerline events list --json']]),
  )
  .addCommand(
    withExamples(resend, [
      ['ledgerline events resend evt_7sK2'],
      ['ledgerline events resend evt_7sK2 --endpoint we_3f'],
    ]),
  );

function eventsText(found: Event[]): string {
  if (found.length === 0) return 'No events in the last 30 days.';
  return tableOf(
    [
      { title: 'Time', text: ({ created_at }) => time(created_at), brief: ({ created_at }) => briefTime(created_at) },
      { title: 'Type', text: ({ type }) => type },
      { title: 'Id', text: ({ id }) => id },
      { title: 'Of', optional: true, text: ({ resource }) => resource.id, shrinks: true },
    ],
    found,
  );
}
