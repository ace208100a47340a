import { refuseLine } from '../../base/commandLine.ts';
import { stopRemainingChildren } from '../stack/process/child.ts';
import { areasOf, type PlacedArea } from './areas.ts';
import { readBenchConfig, USAGE } from './config.ts';
import { createInstallation } from './installation.ts';
import { BusyError, isDisturbed, watchIdle } from './machine/busy.ts';
import { measureAreas, type Measured } from './measure.ts';
import { reportOf } from './report.ts';
import { canPin, coreCount, OTHER_CORE, SERVER_CORE } from './servers.ts';

/** `npm run bench`: progress on standard error, the report on standard output. A busy machine: no report, and status 3. */
const { plan, only, json, refusesBusy, searchPath } = readBenchConfig();
const BUSY_STATUS = 3;
const areas = chosenAreas();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void abortBench());

const startedAtMs = performance.now();
const onProgress = (text: string): void => {
  process.stderr.write(`${((performance.now() - startedAtMs) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
};

try {
  const measured = await measureWhenQuiet();
  if (json) console.log(JSON.stringify({ place: placeText(), plan, measured }));
  else console.log([reportOf(measured), '', placeText()].join('\n'));
} catch (error) {
  if (!(error instanceof BusyError)) throw error;
  console.error(error.message);
  process.exitCode = BUSY_STATUS;
}

async function measureWhenQuiet(): Promise<Measured[]> {
  const idle = await watchIdle();
  if (refusesBusy && isDisturbed(idle)) throw new BusyError('before the first measurement', idle);
  onProgress('PostgreSQL');
  const installation = await createInstallation();
  try {
    return await measureAreas(areas, { bench: { installation, plan, searchPath, onProgress }, refusesBusy });
  } finally {
    await installation.close();
  }
}

function chosenAreas(): PlacedArea[] {
  try {
    return areasOf(only);
  } catch (error) {
    return refuseLine((error as Error).message, USAGE);
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
  return `${rounds} ${cores}; ledger, runs and batches on all ${coreCount} cores. Answers of about 530 bytes.`;
}
