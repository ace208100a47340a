import { createSealingKey } from '../../db/sealing/sealingKeys.ts';
import type { StackConfig } from './config.ts';

/**
 * Checks the settings of the API and of the worker before anything is started, also rules over several variables: a part would find them
 * when the others are up. What this start sets itself has a stand-in.
 * @throws an error that names each variable with an invalid value.
 */
export async function checkPartSettings(config: StackConfig): Promise<void> {
  const [{ readApiConfig }, { workerConfigOf }] = await Promise.all([
    import('../../api/config.ts'),
    import('../../worker/config.ts'),
  ]);
  const env = { ...config.environment, ...standInsOf(config) };
  readApiConfig(env);
  workerConfigOf({ env });
}

const standInsOf = ({ databaseUrl, publicUrl, pluginSecretsKey, apiProcesses, limitsUrl, hasStripe }: StackConfig) => ({
  DATABASE_URL: databaseUrl ?? 'postgres://ledgerline@127.0.0.1/ledgerline',
  PUBLIC_URL: publicUrl ?? 'http://localhost',
  PLUGIN_SECRETS_KEY: pluginSecretsKey ?? createSealingKey(),
  ...(apiProcesses > 1 && { LIMITS_REDIS_URL: limitsUrl ?? 'redis://127.0.0.1' }),
  ...(!hasStripe && { STRIPE_SECRET_KEY: 'sk_test_stand_in', STRIPE_WEBHOOK_SECRET: 'whsec_stand_in' }),
});
