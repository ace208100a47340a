import { readVariables } from '../../base/environment.ts';
import type { StripeConfig } from './stripe.ts';

/** The payment settings from the environment; null: payments are refused. Throws an error that names each invalid variable. */
export function readStripeConfig(env: NodeJS.ProcessEnv): StripeConfig | null {
  const values = readVariables(env, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_API_URL', 'STRIPE_TAX']);
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: secrets, STRIPE_API_URL: apiUrl } = values;
  if (secretKey === undefined && secrets === undefined) return null;
  if (secretKey === undefined || secrets === undefined)
    throw new Error('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are set both or neither');
  return {
    secretKey,
    webhookSecrets: secrets.split(',').map((secret) => secret.trim()),
    apiUrl,
    addsTax: values.STRIPE_TAX === 'on',
  };
}
