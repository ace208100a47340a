import { readVariables } from './environment.ts';
import { parseSecretKeys } from './secretKeys.ts';

/** The variables that hold keys, the first of which encrypts, and what the ids of their keys are made with. */
export const KEY_RINGS = {
  PLUGIN_SECRETS_KEY: 'plugin secrets key id',
  CATALOG_SECRETS_KEY: 'catalog secrets key id',
  CONTENTS_KEY: 'contents key id',
  TEMPORAL_PAYLOAD_KEY: 'temporal payload key id',
} as const;

export type RingName = keyof typeof KEY_RINGS;

/** The ids of keys by their variable, in the order of the keys: they may be public. */
export type KeyIds = Partial<Record<RingName, string[]>>;

/** The ids of the keys that these variables hold. A variable that is not set is left out. */
export function readKeyIds(env: NodeJS.ProcessEnv, names: readonly RingName[]): KeyIds {
  const values = readVariables(env, names);
  const found = names.flatMap((variable) => {
    const text = values[variable];
    if (text === undefined) return [];
    const keys = parseSecretKeys(text, { variable, idPurpose: KEY_RINGS[variable] });
    return [[variable, keys.map(({ id }) => id)]];
  });
  return Object.fromEntries(found) as KeyIds;
}
