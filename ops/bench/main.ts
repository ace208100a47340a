import { parseArgs } from 'node:util';
import { stopRemainingChildren } from '../stack/process/child.ts';
import { areasOf } from './areas.ts';
import { createInstallation } from './installation.ts';
import { BusyError, isDisturbed, watchIdle } from './machine/busy.ts';
import { measureAreas, type Measured } from './measure.ts';
import { FULL_PLAN, QUICK_PLAN } from './plan.ts';
import { reportOf } from './report.ts';
import { canPin, coreCount, OTHER_CORE, SERVER_CORE } from './servers.ts';

/**
 * `npm run bench -- [--quick] [--only chat,streams] [--json] [--busy-anyway]`: all measurements in one run, or those of some areas; progress
 * on standard error, the report on standard output. Ends with status 3 and without a report when others use the machine.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    'busy-anyway': { type: 'boolean', default: false },
  },
});
const BUSY_STATUS = 3;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void abortBench());

const plan = values.quick ? QUICK_PLAN : FULL_PLAN;
const refusesBusy = !values['busy-anyway'];
const startedAtMs = performance.now();
const onProgress = (text: string): void => {
  process.stderr.write(`${((performance.now() - startedAtMs) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
};

try {
  const measured = await measureWhenQuiet();
  if (values.json) console.log(JSON.stringify({ place: placeText(), plan, measured }));
  else console.log([reportOf(measured), '', placeText()].join('\n'));
} catch (error) {
  if (!(error instanceof BusyError)) throw error;
  console.error(error.message);
  process.exitCode = BUSY_STATUS;
}

async function measureWhenQuiet(): Promise<Measured[]> {
  const areas = areasOf(values.only);
  const idle = await watchIdle();
  if (refusesBusy && isDisturbed(idle)) throw new BusyError('before the first measurement', idle);
  onProgress('PostgreSQL');
  const installation = await createInstallation();
  try {
    return await measureAreas(areas, { bench: { installation, plan, onProgress }, refusesBusy });
  } finally {
    await installation.close();
  }
}

async function abortBench(): Promise<void> {
  await stopRemainingChildren();
  process.exit(130);
}

function placeText(): string {
  const rounds =
    `${plan.rounds} interleaved rounds of ${plan.roundMs} ms a server (chat and settlement rates: more and shorter ones; paced loads: ` +
    `${plan.pacedMs} ms), medians; ratios are medians of a round's ratios.`;
  if (!canPin) return `${rounds} Nothing was pinned: one core, or no taskset. Cores: ${coreCount}.`;
  const cores = `The measured server alone on core ${SERVER_CORE}; load, upstream and PostgreSQL (fsync on) on core ${OTHER_CORE}`;
  return `${rounds} ${cores}; ledger and runs on all ${coreCount} cores. Answers of about 530 bytes.`;
}
