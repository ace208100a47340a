import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readOptions } from '../../../base/commandLine.ts';
import { chromium, type Browser } from 'playwright-core';
import { openDemo } from '../demo/openDemo.ts';
import { demoEmails, demoPassword } from '../demo/people.ts';
import { openContexts, signIn, takePicture, VARIANTS, type Finding, type Variant } from './camera.ts';
import { findChromium } from '../../support/chromium.ts';
import { measurePages } from './measure.ts';
import { reportOf, writeSheets } from './sheet.ts';
import { shotsOf, type Shot } from './shots.ts';
import { findSubjects } from './subjects.ts';

/**
 * `npm run pictures -- --folder DIR [--url URL] [--only home,usage] [--variant light-wide,dark-narrow]`: pictures of every page of the
 * console as PNG files, contact sheets, and a report of errors, violations of WCAG 2.2 AA and what is wider than the screen. Without
 * `--url` it starts a demonstration of its own (`npm run demo`). `--only` takes beginnings of names. `--measure` prints times instead;
 * there `--only` takes beginnings of its lines: `/requests,api,3g`.
 */
const USAGE = `Usage: npm run pictures -- --folder DIR [--url URL] [--pages DIR] [--only home,usage] [--variant light-wide] [--measure] [--calls NUMBER]`;
const values = readOptions(USAGE, {
  folder: { type: 'string' },
  url: { type: 'string' },
  pages: { type: 'string' },
  only: { type: 'string' },
  variant: { type: 'string' },
  measure: { type: 'boolean', default: false },
  calls: { type: 'string', default: '20000' },
});
const print = (text: string): void => void process.stderr.write(`${text}\n`);
const folder = resolve(values.folder ?? 'pictures');
const variants = (values.variant?.split(',') ?? Object.keys(VARIANTS)) as Variant[];
const only = values.only?.split(',');
const isWanted = ({ name }: Shot) => !only || only.some((start) => name.startsWith(start));

const demo = values.url ? undefined : await openDemo({ calls: Number(values.calls), pagesDir: values.pages, print });
const url = values.url ?? demo!.url;
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
try {
  if (values.measure) await measure(browser);
  else await takePictures(browser);
} finally {
  await browser.close();
  await demo?.close();
}
process.exit();

async function takePictures(opened: Browser): Promise<void> {
  const findings = await takeAll(opened);
  await writeFile(join(folder, 'report.txt'), `${reportOf(findings)}\n`);
  process.stdout.write(`${reportOf(findings)}\n`);
}

async function measure(opened: Browser): Promise<void> {
  const owner = { url, email: demoEmails.owner, password: demoPassword, isTest: false };
  const storageState = await signIn(opened, owner);
  for await (const line of measurePages(opened, { url, storageState, only })) process.stdout.write(`${line}\n`);
}

async function takeAll(opened: Browser): Promise<Finding[]> {
  await mkdir(folder, { recursive: true });
  const sessionOf = (email: string, isTest = false) => signIn(opened, { url, email, password: demoPassword, isTest });
  const sessions = {
    owner: await sessionOf(demoEmails.owner),
    newcomer: await sessionOf(demoEmails.newcomer),
    tester: await sessionOf(demoEmails.owner, true),
    stranger: undefined,
  };
  const findings: Finding[] = [];
  for (const variant of variants) {
    const contexts = await openContexts(opened, variant, sessions);
    const shots = shotsOf(await findSubjects(contexts.owner.request, url)).filter(isWanted);
    await mkdir(join(folder, variant), { recursive: true });
    for (const shot of shots) {
      const file = join(folder, variant, `${shot.name}.png`);
      const finding = await takePicture(contexts[shot.viewer], { shot, variant, file, baseUrl: url });
      findings.push(finding);
      print(`${variant} ${shot.name}${finding.failure ? `: ${finding.failure}` : ''}`);
    }
    const names = shots.map(({ name }) => name);
    for (const sheet of await writeSheets(opened, folder, variant, names)) print(sheet);
    await Promise.all(Object.values(contexts).map((context) => context.close()));
  }
  return findings;
}
