import { readPaymentsConfig } from './config.ts';
import { startTestPayments } from './server.ts';

/** Runs the test payments as a process of its own, beside an installation without a key of Stripe. Each line on stdout is a JSON object. */
const payments = await startTestPayments(readPaymentsConfig());
process.stdout.write(`${JSON.stringify({ event: 'listening', url: payments.url })}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void payments.close().then(() => process.exit(0)));
