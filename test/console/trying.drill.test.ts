import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import Document from 'pdfkit';
import type { Script } from '../../rules/scripted/script.ts';
import { publishAgent } from '../support/agent.ts';
import { describeInBrowser } from '../support/browser.ts';
import { makeRecogniser } from '../support/sound.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const microphone = join(tmpdir(), `ledgerline-microphone-${process.pid}.wav`);
// An event reaches the page within this time.
const SEEN_MS = 2_000;
const SPOKEN = 'Good morning.';
// Of the browser: keeps the sound of its microphone, so that it can be unplugged.
const KEEP_STREAM = `(() => {
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wanted) => (globalThis.heard = await ask(wanted));
})()`;

describeInBrowser(
  'a caller who tries everything',
  (browser) => {
    let stage: ConsoleStage;
    let page: Page;
    let agent: string;
    beforeAll(async () => {
      await makeRecogniser();
      stage = await setConsoleStage();
      const ada = await stage.person();
      const workspaceId = ada.me.workspace.id;
      await stage.credit(workspaceId, '5');
      const rates = [{ meter: 'model_output_tokens' as const, price_usd: 0.0001 }];
      const pricing = { minimum_cost_usd: 0, maximum_cost_usd: 1, rates };
      agent = await publishAgent(stage.db, { name: 'Guide', tools: ['ask_user'], pricing }, { workspaceId });
      const namespace = `insert into namespaces (name, workspace_id, provider_name) values ('test', $1, 'Ada')`;
      await stage.asOwner(namespace, [workspaceId]);
      page = await stage.visit(browser, ada);
      await writeFile(microphone, await spoken());
    });
    afterAll(() => stage?.close());

    const spoken = async (): Promise<Buffer> => {
      const { secret } = await stage.account();
      const body = JSON.stringify({ model: 'tts-1', voice: 'alloy', input: SPOKEN, response_format: 'wav' });
      const response = await stage.ask('/v1/audio/speech', { headers: { authorization: `Bearer ${secret}` }, body });
      return Buffer.from(await response.arrayBuffer());
    };

    const cost = () => page.getByText(/^Cost \$0\.\d+/);
    /** The newest one stands first. */
    const transcript = () => page.getByRole('tabpanel', { name: 'Transcription' }).locator('.result-text').first();

    test('a file is transcribed, and what the microphone hears; each shows its cost', async () => {
      await page.goto('/playground?tool=transcription');
      await page.locator('input[type=file]').setInputFiles(microphone);
      await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
      await cost().waitFor();
      expect(await transcript().innerText()).toMatch(/good morning/i);

      await page.goto('/playground?tool=transcription');
      await page.getByRole('button', { name: 'Record', exact: true }).click();
      await page.getByRole('button', { name: 'Stop recording (3 s)' }).click();
      await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
      await cost().nth(1).waitFor();
      expect(await transcript().innerText()).toMatch(/morning/i);
      expect(await violationsOf(page)).toEqual([]);
    });

    test('a recording ends with its microphone; one that is refused says what to do, and nothing of a bill', async () => {
      await page.goto('/playground?tool=transcription');
      await page.evaluate(KEEP_STREAM);
      const record = page.getByRole('button', { name: 'Record', exact: true });
      await record.click();
      await page.getByRole('button', { name: 'Stop recording (1 s)' }).waitFor();
      await page.evaluate('globalThis.heard.getTracks()[0].stop()');
      await record.waitFor();
      await page.getByRole('button', { name: 'Audio' }).getByText('recording.webm').waitFor();
      await page.evaluate(
        "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))",
      );
      await record.click();
      const alert = page.getByRole('alert').filter({ hasText: 'The microphone could not be used' });
      await alert.waitFor();
      expect(await alert.innerText()).not.toContain('You pay');
    });

    test('speech is a sound that plays', async () => {
      await page.goto('/playground?tool=speech');
      await page.getByRole('textbox', { name: 'Text' }).fill(SPOKEN);
      await page.getByRole('button', { name: 'Speak' }).click();
      await cost().waitFor();
      await until(() => page.evaluate("document.querySelector('audio')?.duration > 0.3"));
    });

    /** Orders a run of the agent on the playground. */
    async function order(script: Script, { maxUsd = '0.5', isPaused = false } = {}): Promise<void> {
      await page.goto('/playground?tool=agent');
      await page.getByRole('combobox', { name: 'Agent' }).click();
      await page.getByRole('option', { name: agent }).click();
      await page.getByLabel('What should it do?').fill(JSON.stringify({ scripted: script }));
      await page.getByLabel('Spend limit').fill(maxUsd);
      if (isPaused) await page.getByLabel('Ask before stopping').check();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
    }

    const ended = (state: string) =>
      page.getByRole('region', { name: 'Run', exact: true }).getByText(state, { exact: true }).first().waitFor();
    const question = { name: 'ask_user', arguments: JSON.stringify({ question: 'Which colour?' }) };

    test('a run with its live events: its question is answered, and its text appears', async () => {
      await order({ turns: [{ toolCalls: [question] }, { text: 'Blue it is.' }] });
      await page.getByText('Which colour?').first().waitFor();
      await page.getByRole('textbox', { name: 'Your answer' }).fill('Blue.');
      await page.getByRole('button', { name: 'Answer', exact: true }).click();
      await page.getByText('Blue it is.').first().waitFor();
      await ended('Completed');
      await page.getByRole('link', { name: /Open the run/ }).click();
      await page.getByRole('button', { name: /Show \d+ events/ }).click();
      await page.getByText('run.requires_action').first().waitFor();

      await page.getByRole('radio', { name: 'Partly' }).check();
      await page.getByRole('textbox', { name: 'What was missing or wrong' }).fill('The shade.');
      await page.getByRole('button', { name: 'Send feedback' }).click();
      await page.getByText('Feedback sent').waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Show my feedback' }).click();
      await page.getByRole('button', { name: 'Change feedback' }).waitFor();
      const text = page.getByRole('textbox', { name: 'What was missing or wrong' });
      expect([await page.getByRole('radio', { name: 'Partly' }).isChecked(), await text.inputValue()]).toEqual([
        true,
        'The shade.',
      ]);
    });

    test('a run that waits for a higher limit goes on when it is raised', async () => {
      await order({ text: 'word '.repeat(300) }, { maxUsd: '0.003', isPaused: true });
      await page.getByLabel('New spend limit').fill('0.9');
      await page.getByRole('button', { name: 'Raise limit' }).click();
      await ended('Completed');
    });

    test('what a run waits for is shown, although the first answer about it was read earlier and arrived later', async () => {
      const holdBack = async (route: Route) => {
        const first = await route.fetch();
        const isWaiting = async () => (await (await route.fetch()).json()).status === 'requires_action';
        await until(isWaiting, { pollMs: 100 });
        await sleep(SEEN_MS);
        const json = { ...(await first.json()), status: 'in_progress', required_action: null };
        await route.fulfill({ response: first, json }).catch(() => {}); // The page may have given it up.
      };
      await page.route(/\/v1\/runs\/run_\w+$/, holdBack, { times: 1 });
      await order({ toolCalls: [question] });
      await page.getByRole('textbox', { name: 'Your answer' }).waitFor({ timeout: 15_000 });
    });

    test('a run that waits is cancelled', async () => {
      await order({ toolCalls: [question] });
      await page.getByText('Which colour?').first().waitFor();
      await page.getByRole('button', { name: 'Cancel run' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
      await ended('Cancelled');
    });

    test('files are looked at in the page: a PDF by the browser’s viewer, JSON in lines, a picture, a sound', async () => {
      await page.goto('/files?view=files');
      await page.locator('input[type=file]').setInputFiles([
        { name: 'report.pdf', mimeType: 'application/pdf', buffer: await pdf() },
        { name: 'facts.json', mimeType: 'application/json', buffer: Buffer.from('{"a":[1]}') },
        { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') },
      ]);
      // A row opens its file at the side; a drawer that still moves has no contrast of its own.
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const open = (name: string) => page.getByRole('link', { name, exact: true }).click();
      await open('report.pdf');
      await page.locator('iframe[src^="blob:"]').waitFor();
      // The browser's viewer embeds its own frame; a refused file leaves an error page.
      await until(() => page.frames().some((frame) => frame.url().startsWith('chrome-extension://')));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'File' }).waitFor({ state: 'detached' });
      await open('facts.json');
      await page.getByRole('region', { name: 'facts.json' }).waitFor();
      expect(await page.getByRole('region', { name: 'facts.json' }).innerText()).toBe('{\n  "a": [\n    1\n  ]\n}');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'File' }).waitFor({ state: 'detached' });
      await open('dot.png');
      // Not waitForFunction: when it has to wait, it evaluates in the page, which the page's policy forbids.
      await until(() => page.evaluate("document.querySelector('img.file-image')?.naturalWidth === 1"));
      expect(await violationsOf(page)).toEqual([]);
    });

    test('leaves no error in the browser', () => {
      expect(browser.complaints).toEqual([]);
    });
  },
  { microphone },
);

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function pdf(): Promise<Buffer> {
  const document = new Document();
  document.text('A report');
  document.end();
  const parts: Buffer[] = [];
  for await (const part of document) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
