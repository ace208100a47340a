import { readVariables } from '../base/environment.ts';
import type { StripeConfig } from './stripe.ts';

/** How payments are taken, from the environment; null: they are refused. Throws a sentence that names each variable with a bad value. */
export function readStripeConfig(env: NodeJS.ProcessEnv): StripeConfig | null {
  const values = readVariables(env, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_API_URL']);
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: secrets, STRIPE_API_URL: apiUrl } = values;
  if (secretKey === undefined && secrets === undefined) return null;
  if (secretKey === undefined || secrets === undefined)
    throw new Error('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are set both or neither');
  return { secretKey, webhookSecrets: secrets.split(',').map((secret) => secret.trim()), apiUrl };
}
