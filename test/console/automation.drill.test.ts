import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { nanosOfUsd } from '../../db/money.ts';
import { startReceiver, type Receiver } from '../flow/stages/webhookStage.ts';
import { balanceOf } from '../support/account.ts';
import { chatLine } from '../support/batchStage.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

describeInBrowser('batches and webhooks', (browser) => {
  let stage: ConsoleStage;
  let receiver: Receiver;
  let page: Page;
  let workspaceId: string;
  beforeAll(async () => {
    stage = await setConsoleStage({ WEBHOOK_LOOPBACK: 'on' });
    receiver = await startReceiver();
    const ada = await stage.person();
    workspaceId = ada.me.workspace.id;
    await stage.credit(workspaceId, '5');
    page = await stage.visit(browser, ada);
  });
  afterAll(async () => {
    await receiver?.stop();
    await stage?.close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const act = async (name: string) => {
    await button('More actions').click();
    await page.getByRole('menuitem', { name }).click();
  };
  const textOf = (lines: object[]) => lines.map((line) => JSON.stringify(line)).join('\n');
  const dialogButton = (name: string) => page.getByRole('dialog').getByRole('button', { name });
  /** Drops a file on the page, as a person does. */
  const drop = async (text: string) => {
    await page.goto('/batches');
    await button('Create batch').first().waitFor();
    const transfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(text)}], 'calls.jsonl', { type: 'application/jsonl' }));
      return transfer;
    })()`);
    await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
    await page.getByText('Drop a JSONL file to create a batch').waitFor();
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    await page.getByRole('dialog').getByText('calls.jsonl').waitFor();
  };
  const createBatch = async (lines: object[]) => {
    await page.goto('/batches');
    await button('Create batch').first().click();
    const file = { name: 'calls.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(textOf(lines)) };
    await page.locator('input[type=file]').setInputFiles(file);
    await dialogButton('Create batch').click();
    await page.getByRole('heading', { name: 'Batch', level: 1, exact: true }).waitFor();
  };
  const download = async (name: string): Promise<string> => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
    return readFile(await file.path(), 'utf8');
  };

  test('an endpoint is added, tested, rotated, switched off and deleted; a failed delivery is sent again', async () => {
    await page.goto('/webhooks');
    await button('Add endpoint').first().click();
    await page.getByRole('dialog').getByLabel('URL').fill(receiver.url);
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    const secret = await page.getByTestId('secret').innerText();
    await button('I have copied it').click();
    await page.getByRole('link', { name: receiver.url }).click();
    receiver.answer = (response) => response.writeHead(500).end('Out of paper');
    await button('Send test event').click();
    await page.getByRole('link', { name: 'webhook_endpoint.test' }).click();
    await page.getByText('Out of paper').waitFor();
    receiver.answer = (response) => response.writeHead(200).end('Thanks');
    await button('Resend').click();
    await page.getByText('Thanks').waitFor();
    const { headers, body } = receiver.received.at(-1)!;
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'webhook_endpoint.test',
    });
    expect(await violationsOf(page)).toEqual([]);

    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await act('Rotate secret');
    await button('Rotate secret').click();
    expect(await page.getByTestId('secret').innerText()).not.toBe(secret);
    await button('I have copied it').click();
    await page.getByText('The old secret also signs until').waitFor();
    await act('Disable');
    await dialogButton('Disable endpoint').click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await act('Enable');
    await page.getByText('Active', { exact: true }).waitFor();
    await act('Delete');
    await button('Delete endpoint').click();
    await page.getByText('No endpoints yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a batch of a file runs: its counts, its cost, which is the bill, and its files', async () => {
    const beforeNanos = await balanceOf(stage.db, workspaceId);
    await createBatch([chatLine('a', 'Hello'), chatLine('b', 'Good evening')]);
    await page.getByText('Completed', { exact: true }).waitFor();
    await page.getByText('of 2 calls', { exact: true }).waitFor();
    const cost = page.getByRole('group', { name: 'Progress' }).locator('.figure-value').last();
    const shown = await cost.innerText();
    const billed = async () => beforeNanos - (await balanceOf(stage.db, workspaceId));
    await until(async () => (await billed()) === nanosOfUsd(shown.replace('$', '')));
    const lines = (await download('Download answers')).trim().split('\n');
    const ids = lines.map((line) => (JSON.parse(line) as { custom_id: string }).custom_id);
    expect(ids.toSorted()).toEqual(['a', 'b']);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a dropped file with errors is not sent, and each error has its line; the mended file is', async () => {
    await drop(textOf([chatLine('a', 'Hello'), chatLine('a', 'The same id'), { custom_id: 'c', method: 'GET' }]));
    await page.getByText('2 errors. Nothing was sent').waitFor();
    const dialog = page.getByRole('dialog');
    const lineOf = (param: string) => dialog.getByRole('row').filter({ hasText: param }).getByRole('cell').first();
    expect(await lineOf('custom_id').innerText()).toBe('2');
    expect(await lineOf('url').innerText()).toBe('3');
    expect(await dialogButton('Create batch').isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);

    await drop(textOf([chatLine('a', 'Hello', { model: 'no-such-model' })]));
    await page.getByText('1 error. Nothing was sent').waitFor();
    await dialog.getByText(/no-such-model/).waitFor();
    await dialog.getByRole('button', { name: 'Remove the file' }).click();
    await dialog.getByText('Drop a file here, or').waitFor();

    await drop(textOf([chatLine('a', 'Hello'), chatLine('b', 'Another id')]));
    await page.getByText('2 calls, no errors').waitFor();
    await dialogButton('Create batch').click();
    await page.getByText('of 2 calls', { exact: true }).waitFor();
  });

  test('a file with errors that is sent by a client runs no line, and each error has its line', async () => {
    const { id } = await page.evaluate<{ id: string }>(`(async () => {
        const headers = { 'x-ledgerline-csrf': '1' };
        const form = new FormData();
        form.set('purpose', 'batch');
        form.set('file', new File([${JSON.stringify(textOf([chatLine('a', 'Hello'), chatLine('a', 'The same id')]))}], 'calls.jsonl'));
        const file = await (await fetch('/console/v1/files', { method: 'POST', headers, body: form })).json();
        const batch = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' };
        const options = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
        return (await fetch('/console/v1/batches', { ...options, body: JSON.stringify(batch) })).json();
      })()`);
    await page.goto(`/batches/${id}`);
    await page.getByText('File has errors', { exact: true }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'custom_id' });
    expect(await row.first().getByRole('cell').first().innerText()).toBe('2');
    await page.goto('/batches');
    await page.getByRole('cell', { name: 'File has errors' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a running batch is cancelled', async () => {
    stage.upstream.script({ headDelayMs: 3_000 });
    await createBatch(Array.from({ length: 500 }, (_, at) => chatLine(`line-${at}`, 'Hello')));
    await page.getByText('Running', { exact: true }).waitFor();
    await button('Cancel batch').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel batch' }).click();
    stage.upstream.script({});
    await page.getByText('Cancelled', { exact: true }).waitFor();
    expect(await download('Download errors')).toContain('batch_cancelled');
  });

  test('causes no error in the browser but that of the model that does not exist', () => {
    expect(browser.complaints).toEqual([expect.stringContaining('404 (Not Found)')]);
  });
});
