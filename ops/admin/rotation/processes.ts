import type { KeyIds, RingName } from '../../../base/keyRings.ts';
import type { ProcessKeys } from '../../../db/rotation/rotation.ts';

/**
 * Why rows must not move yet, as sentences: a live process could not read what another key seals, or would go on to seal with an old one.
 * `ours`: the keys of this command.
 */
export function findObstacles(ours: KeyIds, processes: ProcessKeys[]): string[] {
  return processes.flatMap(({ id, role, keyIds }) => {
    const name = `the ${role ?? 'process'} ${id}`;
    if (keyIds === null) return [`${name} is of an earlier release, which does not say its keys: replace it first`];
    return Object.entries(keyIds).flatMap(([variable, theirs]) =>
      obstacleOf(variable as RingName, ours, { name, theirs }),
    );
  });
}

function obstacleOf(variable: RingName, ours: KeyIds, { name, theirs }: { name: string; theirs: string[] }): string[] {
  const own = ours[variable];
  if (!own) return [`${variable}: ${name} has it and this command has not: run it with the same variables`];
  const [current, ...older] = own;
  if (!theirs.includes(current!))
    return [`${variable}: ${name} lacks the key ${current}: add it behind a comma there, and restart it`];
  if (theirs[0] !== current)
    return [`${variable}: ${name} still encrypts with ${theirs[0]}: put ${current} first there, and restart it`];
  const missing = older.filter((one) => !theirs.includes(one));
  return missing.map(
    (one) => `${variable}: ${name} lacks the older key ${one}: add it behind a comma until this is finished`,
  );
}
