// Waits until an installation answers, makes one paid call, and fails unless the balance falls by exactly what the answer says it cost:
//   LEDGERLINE_KEY=sk_live_... node ops/deploy/compose/proof/billedCall.mjs https://localhost gpt-own
import { setTimeout as sleep } from 'node:timers/promises';

const [address, model, waitSeconds = '300'] = process.argv.slice(2);
if (!address || !model) throw new Error('Usage: node billedCall.mjs <address> <model> [<seconds to wait>]');
const headers = { authorization: `Bearer ${process.env.LEDGERLINE_KEY}`, 'content-type': 'application/json' };
const NANOS_A_USD = 1e9;

await until(() => isReady(), Number(waitSeconds));
const before = await balanceNanos();
const { costNanos, text } = await call();
if (!(costNanos > 0)) throw new Error(`The call cost ${costNanos} nano-dollars.`);
// Bills are posted a moment after the answer.
await until(async () => before - (await balanceNanos()) === costNanos, 10);
process.stdout.write(`${model} answered ${JSON.stringify(text)}: billed ${costNanos} nano-dollars\n`);

async function isReady() {
  return fetch(new URL('/readyz', address)).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function balanceNanos() {
  const response = await fetch(new URL('/platform/v1/key', address), { headers });
  if (!response.ok) throw new Error(`The key is answered with ${response.status}: ${await response.text()}`);
  const { balance } = await response.json();
  return Math.round(balance * NANOS_A_USD);
}

async function call() {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Say that you are here.' }] });
  const response = await fetch(new URL('/v1/chat/completions', address), { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`The call is answered with ${response.status}: ${await response.text()}`);
  const { choices } = await response.json();
  return {
    costNanos: Math.round(Number(response.headers.get('x-cost-usd')) * NANOS_A_USD),
    text: choices[0].message.content,
  };
}

async function until(isDone, seconds) {
  const deadline = Date.now() + seconds * 1000;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`It did not happen within ${seconds} s: ${isDone}`);
    await sleep(200);
  }
}
