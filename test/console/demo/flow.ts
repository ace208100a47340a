import { send, type Person } from './people.ts';

/** Flow rules, and runs that wait: two behind a slow one of the same key, one for the end of a burst of changes. */
export async function addFlow(member: Person): Promise<void> {
  const rule = (agent: string, limits: object) => send(member, 'POST', 'flow-rules', { agent, ...limits });
  await rule('northwind/quality-inspector', { concurrency: { limit: 2, key: '/metadata/line' } });
  await rule('harbor/invoice-extractor', {
    concurrency: { limit: 4 },
    rate: { limit: 60, period_seconds: 60, key: '/metadata/customer_id' },
  });
  await rule('paperwing/technical-translator', {
    rate: { limit: 500, period_seconds: 3_600, when_exceeded: 'refuse' },
  });
  const order = (input: string, more: object) =>
    send(member, 'POST', 'runs', { agent: 'kestrel/sql-reviewer', input, max_cost_usd: 0.05, ...more });
  const concurrency = { key: 'warehouse', limit: 1 };
  await order('Review the whole archive of stored procedures.', { concurrency });
  await order('Review the indexes of the orders.', { concurrency });
  await order('Review the new view of returns.', { concurrency, priority: -60 });
  await order('Review the draft of the price list.', { debounce: { key: 'price-list', seconds: 86_000 } });
}
