import { join } from 'node:path';
import { readVariables } from '../../base/environment.ts';
import type { PaymentsSetting } from './server.ts';

/** The settings of the test payments, read once from the environment. Throws an error that names each invalid variable. */
export function readPaymentsConfig(env: NodeJS.ProcessEnv = process.env): PaymentsSetting {
  const values = readVariables(
    env,
    ['HOST', 'TEST_PAYMENTS_PORT', 'DATA_DIR'],
    ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_WEBHOOK_URL'],
  );
  return {
    host: values.HOST,
    port: values.TEST_PAYMENTS_PORT,
    secretKey: values.STRIPE_SECRET_KEY,
    webhookSecret: values.STRIPE_WEBHOOK_SECRET.split(',')[0]!,
    webhookUrl: values.STRIPE_WEBHOOK_URL,
    file: join(values.DATA_DIR, 'testPayments.json'),
  };
}
