import { readPaymentsConfig } from './config.ts';
import { startTestPayments } from './server.ts';

/** Runs the test payments as a separate process, for an installation without a Stripe key. Each line on stdout is a JSON object. */
const payments = await startTestPayments(readPaymentsConfig());
process.stdout.write(`${JSON.stringify({ event: 'listening', url: payments.url })}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void payments.close().then(() => process.exit(0)));
