import { afterAll, beforeAll } from '@jest/globals';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildPages } from '../../ops/stack/builds/pages.ts';
import { findChromium } from './chromium.ts';
import { describeWhen } from './needs.ts';

// A busy machine takes many times as long as usual, and only what never comes must fail.
const WAIT_MS = 120_000;
const root = join(import.meta.dirname, '..', '..');

/** A browser for one test file, and its pages' complaints. */
export interface Stage {
  /** A separate browsing session with its own cookies. */
  open(options?: Parameters<Browser['newContext']>[0]): Promise<BrowserContext>;
  /** A page in a separate session. Its errors and refused loads are collected in `complaints`. */
  newPage(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  /** The pages' console errors and uncaught errors. */
  complaints: string[];
}

/**
 * Tests in the system's Chromium against the built pages. Without a Chromium they are skipped, and say so. `microphone` is the sound file
 * (WAV) that its microphone hears; it may be written later.
 */
export function describeInBrowser(
  name: string,
  body: (stage: Stage) => void,
  { microphone }: { microphone?: string } = {},
): void {
  const program = findChromium();
  describeWhen(program, 'Chromium: the package chromium')(name, () => {
    let browser: Browser;
    const complaints: string[] = [];
    beforeAll(async () => {
      await buildPages({ projectDir: root, env: process.env, onProgress: () => {} });
      // Chromium's own sandbox needs a user namespace, which containers and root do not have.
      const args = ['--no-sandbox', '--disable-gpu', ...(microphone === undefined ? [] : microphoneOf(microphone))];
      browser = await chromium.launch({ executablePath: program, args });
    });
    afterAll(() => browser?.close());

    const open: Stage['open'] = async (options) => {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(WAIT_MS);
      return context;
    };
    const newPage: Stage['newPage'] = async (options) => {
      const page = await (await open(options)).newPage();
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      return page;
    };
    body({ open, newPage, complaints });
  });
}

const microphoneOf = (path: string): string[] => [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${path}`,
];
