import { parseArgs } from 'node:util';
import { stopRemainingChildren } from '../stack/process/child.ts';
import { createInstallation } from './installation.ts';
import { FULL_PLAN, measureAll, QUICK_PLAN } from './measure.ts';
import { canPin, coreCount, OTHER_CORE, SERVER_CORE } from './servers.ts';
import { rowsOf, tableOf } from './report.ts';

/** `npm run bench -- [--quick] [--json]`: all measurements in one run; progress on standard error, the report on standard output. */
const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void abortBench());

const plan = values.quick ? QUICK_PLAN : FULL_PLAN;
const startedAtMs = performance.now();
const printLine = (text: string): void => {
  process.stderr.write(`${((performance.now() - startedAtMs) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
};

printLine('PostgreSQL');
const installation = await createInstallation();
try {
  const measured = await measureAll(installation, plan, printLine);
  const rows = rowsOf(measured);
  if (values.json) console.log(JSON.stringify({ place: placeText(), plan, rows, measured }));
  else console.log([tableOf(rows), '', placeText()].join('\n'));
} finally {
  await installation.close();
}

async function abortBench(): Promise<void> {
  await stopRemainingChildren();
  process.exit(130);
}

function placeText(): string {
  const rounds =
    `${plan.rounds} interleaved rounds of ${plan.roundMs} ms a server (chat and settlement rates: more and ` +
    `shorter ones), medians; ratios are medians of a round's ratios.`;
  if (!canPin) return `${rounds} Nothing was pinned: one core, or no taskset. Cores: ${coreCount}.`;
  const cores = `The measured server alone on core ${SERVER_CORE}; load, upstream and PostgreSQL (fsync on) on core ${OTHER_CORE}`;
  return `${rounds} ${cores}; settlement rates and runs on all ${coreCount} cores. Answers of about 530 bytes.`;
}
