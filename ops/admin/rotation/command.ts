import { Option } from 'commander';
import type { Database } from '../../../db/database.ts';
import { findRotation, finishRotation, listProcessKeys } from '../../../db/rotation/rotation.ts';
import { dropEarlier, SECRET_NAMES } from '../../../db/rotation/secretVersions.ts';
import { type AdminCommand, type Outcome, tableOf, UsageError } from '../command.ts';
import type { AdminConfig } from '../config.ts';
import { findObstacles } from './processes.ts';
import { COMPLETE, rotateAll } from './rotate.ts';
import { readStatus, type SecretStatus } from './status.ts';

const LEFT_MAX = 20;

export const rotateKeysCommand: AdminCommand<{ status?: true; finish?: true }> = {
  words: 'keys rotate',
  summary:
    "Moves all of the installation's secrets to their newest keys, in order. May be repeated, also after a kill.",
  options: [
    new Option('--status', 'only show how far it is: which key encrypts, what older ones are still needed for'),
    new Option('--finish', 'forget the older ones; refused while anything needs them'),
  ],
  async run({ db, config }, { status: isStatus, finish: isFinish }) {
    if (isStatus && isFinish) throw new UsageError('--status and --finish are two commands');
    if (isStatus) return outcomeOf(await readStatus(db, config), '');
    return isFinish ? finish(db, config) : rotate(db, config);
  },
};

async function rotate(db: Database, config: AdminConfig): Promise<Outcome> {
  const obstacles = findObstacles(config.rings().keyIds, await listProcessKeys(db.everywhere));
  if (obstacles.length > 0) return refusal('Nothing was moved:', obstacles);
  const left: string[] = [];
  await rotateAll(db, config, (one) => left.push(one));
  const found = await readStatus(db, config);
  const isDone = found.every(({ needs }) => needs.length === 0);
  const next = isDone ? 'Everything has moved: keys rotate --finish.' : 'Later: keys rotate again, then --finish.';
  return outcomeOf(found, [...leftLines(left), next].join('\n'));
}

/** What stays, because no key opens it. */
const leftLines = (left: string[]): string[] => [
  ...left.slice(0, LEFT_MAX).map((one) => `Not moved: ${one}`),
  ...(left.length > LEFT_MAX ? [`Not moved: ${left.length - LEFT_MAX} more.`] : []),
];

async function finish(db: Database, config: AdminConfig): Promise<Outcome> {
  const rotation = await findRotation(db.everywhere);
  if (!rotation) throw new Error('No rotation goes on: begin one with keys rotate.');
  const found = await readStatus(db, config);
  const obstacles = findObstacles(config.rings().keyIds, await listProcessKeys(db.everywhere));
  const needs = [...obstacles, ...found.flatMap((one) => one.needs)];
  if (rotation.switched[COMPLETE] === undefined) needs.push('keys rotate: it was not run to its end; run it again');
  if (needs.length > 0) return refusal('Not finished: older keys are still needed.', needs);
  for (const name of SECRET_NAMES) await dropEarlier(db.pool, name);
  await finishRotation(db.everywhere, rotation);
  const removable = found
    .filter(({ secret, older }) => secret.endsWith('_KEY') && older.length > 0)
    .map(({ secret, older }) => ({ variable: secret, keys: older }));
  const lines = removable.map(
    ({ variable, keys }) => `Remove from ${variable} what follows its first key (${keys.join(', ')}).`,
  );
  return { text: ['Finished: nothing needs an older key.', ...lines].join('\n'), json: { finished: true, removable } };
}

const refusal = (heading: string, reasons: string[]): Outcome => ({
  text: [heading, ...reasons.map((reason) => `- ${reason}`)].join('\n'),
  json: { refused: reasons },
  hasFailed: true,
});

function outcomeOf(found: SecretStatus[], next: string): Outcome {
  const rows = found.map(({ secret, current, older, counts, needs }) => [
    secret,
    current,
    String(counts[current] ?? 0),
    older.join(', ') || '-',
    String(older.reduce((sum, id) => sum + (counts[id] ?? 0), 0)),
    older.length === 0 ? 'current' : needs.length === 0 ? 'may be finished' : 'older still needed',
  ]);
  const heading = ['SECRET', 'CURRENT', 'UNDER IT', 'OLDER', 'UNDER THEM', 'STATE'];
  const needs = found.flatMap((one) => one.needs).map((need) => `- ${need}`);
  const parts = [tableOf([heading, ...rows]), needs.join('\n'), next].filter((part) => part !== '');
  return { text: parts.join('\n\n'), json: found };
}
