import { z } from 'zod';

const Variables = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});

export type WorkerConfig = {
  databaseUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
};

/**
 * The worker's settings from its environment, parsed once.
 * @throws a sentence that names each variable with a bad value.
 */
export function workerConfigOf({ env }: { env: NodeJS.ProcessEnv }): WorkerConfig {
  const parsed = Variables.safeParse(env);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  }
  return {
    databaseUrl: parsed.data.DATABASE_URL,
    temporalAddress: parsed.data.TEMPORAL_ADDRESS,
    temporalNamespace: parsed.data.TEMPORAL_NAMESPACE,
    logLevel: parsed.data.LOG_LEVEL,
  };
}
