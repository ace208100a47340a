import type { DemoStage } from './demoStage.ts';
import { send, type Person } from './people.ts';

/** A payment through the page of test payments, a saved card, and an automatic top-up. */
export async function payByCard({ payments }: DemoStage, member: Person): Promise<void> {
  const act = async (path: string, body: object) => {
    const { url } = await send<{ url: string }>(member, 'POST', path, body);
    await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  };
  await act('checkout', { amount: 50 });
  await act('card', {});
  await payments.settled();
  const rule = { enabled: true, threshold_usd: 40, amount_usd: 100, monthly_cap_usd: 400 };
  await send(member, 'PATCH', 'auto_topup', rule);
}

/** Payouts of earnings: to the balance, and as transfers that wait for an operator or were sent. */
export async function payOut(publishers: { own: Person; others: Person[]; operator: Person }): Promise<void> {
  const { own, others, operator } = publishers;
  await send(own, 'POST', 'publisher/payouts', { to: 'balance' });
  const ids: string[] = [];
  for (const person of others) ids.push((await send(person, 'POST', 'publisher/payouts', { to: 'transfer' })).id);
  await send(operator, 'POST', `payouts/${ids[0]}/send`, { reference: 'SEPA 2026-11-26/4471' });
}

/** Adjustments of balances: one waits for a second operator, one was approved, one rejected. */
export async function adjustBalances(first: Person, second: Person, workspaceIds: string[]): Promise<void> {
  const ask = (at: number, amount_usd: number, reason: string) =>
    send(first, 'POST', 'adjustments', { workspace_id: workspaceIds[at % workspaceIds.length], amount_usd, reason });
  const approved = await ask(0, 25, 'Credit for the outage of 12 November.');
  await send(second, 'POST', `adjustments/${approved.id}/approve`, {});
  const rejected = await ask(1, 500, 'Credit for a trial.');
  await send(second, 'POST', `adjustments/${rejected.id}/reject`, {});
  await ask(2, 12.5, 'Two batches ran twice.');
}
