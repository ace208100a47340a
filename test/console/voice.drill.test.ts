import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ASK_AFTER_MS, LOST_AFTER_MS } from '../../console/src/voice/pulse.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { describeInBrowser } from '../support/browser.ts';
import { makeRecogniser } from '../support/sound.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

type Frame = Record<string, unknown> & { type: string };
type Done = { status: string; usage: { cost: number } };

const microphone = join(tmpdir(), `ledgerline-voice-${process.pid}.wav`);
const QUESTION = 'Hello, how are you today?';
const SILENCE_SECONDS = 20;

describeInBrowser(
  'a conversation in the playground',
  (browser) => {
    let stage: ConsoleStage;
    let page: Page;
    let workspaceId: string;
    const sent: Frame[] = [];
    const received: Frame[] = [];
    beforeAll(async () => {
      await makeRecogniser();
      stage = await setConsoleStage();
      const ada = await stage.person();
      workspaceId = ada.me.workspace.id;
      await stage.credit(workspaceId, '5');
      await writeFile(microphone, await spokenThenSilence());
      page = await stage.visit(browser, ada);
      page.on('websocket', (socket) => {
        socket.on('framesent', ({ payload }) => sent.push(JSON.parse(String(payload)) as Frame));
        socket.on('framereceived', ({ payload }) => received.push(JSON.parse(String(payload)) as Frame));
      });
    });
    afterAll(() => stage?.close());
    beforeEach(async () => {
      sent.length = 0;
      received.length = 0;
      await page.goto('/playground?tool=voice');
    });

    /** A question, followed by silence. The browser plays it to its microphone in a loop. */
    const spokenThenSilence = async (): Promise<Buffer> => {
      const { secret } = await stage.account();
      const body = JSON.stringify({ model: 'tts-1', voice: 'alloy', input: QUESTION, response_format: 'pcm' });
      const response = await stage.ask('/v1/audio/speech', { headers: { authorization: `Bearer ${secret}` }, body });
      const sound = Buffer.from(await response.arrayBuffer());
      return wavOf(Buffer.concat([Buffer.alloc(24_000), sound, Buffer.alloc(48_000 * SILENCE_SECONDS)]));
    };

    /** The bills of calls begun after a time: an earlier, abandoned session may still be billed for its input. */
    const billedNanosSince = async (startedAt: Date): Promise<bigint> => {
      await stage.db.ledger.posted();
      const sql = 'select sum(cost_nanos) as nanos from requests where workspace_id = $1 and started_at >= $2';
      const { rows } = await stage.db.pool.query(sql, [workspaceId, startedAt]);
      return BigInt(rows[0].nanos as string);
    };

    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const state = (words: string) => page.getByRole('status').filter({ hasText: words }).first().waitFor();
    const write = async (text: string) => {
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
      await button('Send').click();
    };
    const answerLevel = () =>
      page.getByRole('meter', { name: 'Answer' }).evaluate<number, { value: number }>(({ value }) => value);
    const ofType = (frames: Frame[], type: string) => frames.filter((frame) => frame.type === type);

    test('hears a spoken question, answers aloud, and stops at once when it is interrupted', async () => {
      // The answer is still being written when the question repeats.
      stage.upstream.script({ text: 'One two three. '.repeat(400), delayMs: 50 });
      await button('Start talking').click();
      await state('Listening');
      await state('Hearing you');
      await page
        .getByRole('log')
        .getByText(/you today/i)
        .first()
        .waitFor();
      await state('Speaking');
      await until(async () => (await answerLevel()) > 0.05);
      // The question is played to the microphone again.
      await until(() => ofType(received, 'conversation.item.truncated').length > 0, { timeoutMs: 90_000 });
      await page
        .getByText(/^Stopped after \d+\.\d s/)
        .first()
        .waitFor();
      const [truncate] = ofType(sent, 'conversation.item.truncate');
      const heardMs = truncate!.audio_end_ms as number;
      expect(heardMs).toBeGreaterThan(300);
      expect(heardMs).toBeLessThan(soundMsOf(received, truncate!.item_id as string));
      await until(() => ofType(received, 'response.done').length > 0);
      const [done] = ofType(received, 'response.done').map(({ response }) => response as Done);
      expect(done).toMatchObject({ status: 'cancelled', usage: { cost: expect.any(Number) } });
      expect(ofType(received, 'error')).toEqual([]);
      await button('End').click();
      await state('Ended');
      expect(await answerLevel()).toBe(0);
    });

    test('a muted microphone sends a second of silence, then nothing', async () => {
      stage.upstream.script({ text: 'Yes.' });
      await button('Start talking').click();
      await state('Listening');
      await button('Mute').click();
      await state('Muted');
      await until(async () => {
        const before = ofType(sent, 'input_audio_buffer.append').length;
        await page.waitForTimeout(500);
        return ofType(sent, 'input_audio_buffer.append').length === before;
      });
      const last = ofType(sent, 'input_audio_buffer.append').at(-1)!.audio as string;
      expect(Buffer.from(last, 'base64').every((byte) => byte === 0)).toBe(true);
      await button('Unmute').click();
      await state('Hearing you');
    });

    test('by keyboard and in writing: a tool call is answered by the page, and the shown cost is the bill', async () => {
      const startedAt = new Date();
      // A key press while the page still loads is lost.
      await button('Start without a microphone').click({ trial: true });
      await button('Start without a microphone').press('Enter');
      await state('Waiting for your message');
      const call = { name: 'get_time', arguments: '{"time_zone": "Asia/Tokyo"}' };
      stage.upstream.script({ turns: [{ toolCalls: [call] }, { text: 'It is late there.' }] });
      await write('What time is it in Tokyo?');
      await page.getByRole('group', { name: 'Call of get_time and its answer' }).getByText('Asia/Tokyo').waitFor();
      const output = ofType(sent, 'conversation.item.create').at(-1)!.item as { output: string };
      expect(JSON.parse(output.output)).toMatchObject({ time_zone: 'Asia/Tokyo' });
      await page.getByText('It is late there.').waitFor();
      await state('Waiting for your message');
      const costs = ofType(received, 'response.done').map(({ response }) => (response as Done).usage.cost);
      expect(costs).toHaveLength(2);
      const shownUsd = (await page.locator('dt:text-is("Answers") + dd').innerText()).replace('$', '');
      expect(nanosOfUsd(shownUsd)).toBe(await billedNanosSince(startedAt));
      expect(await violationsOf(page)).toEqual([]);
      await button('End').press('Enter');
      await state('Ended');
    });

    test('only transcribes where nothing else is wanted', async () => {
      await page.getByText('Transcribe only').click();
      await button('Start talking').click();
      await page
        .getByRole('log')
        .getByText(/you today/i)
        .first()
        .waitFor();
      expect(ofType(received, 'response.created')).toEqual([]);
      await button('End').click();
    });

    test('a refused microphone, an empty balance and a closed socket each say what to do next', async () => {
      const grace = await stage.person({ name: 'Grace Hopper' });
      const poor = await stage.visit(browser, grace);
      await poor.goto('/playground?tool=voice');
      await poor.evaluate(
        "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))",
      );
      await poor.getByRole('button', { name: 'Start talking' }).click();
      await poor.getByRole('alert').filter({ hasText: 'The microphone is blocked' }).waitFor();
      expect(await violationsOf(poor)).toEqual([]);
      await poor.getByRole('button', { name: 'Type instead' }).click();
      await poor.getByRole('alert').filter({ hasText: 'The balance is empty' }).waitFor();
      expect(await poor.getByRole('link', { name: 'Add credit' }).getAttribute('href')).toBe('/billing');
      await stage.credit(grace.me.workspace.id, '1');
      await poor.routeWebSocket(/realtime/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => {
          socket.send(message);
          if (String(message).includes('session.updated')) void socket.close({ code: 1011 });
        });
      });
      await poor.goto('/playground?tool=voice');
      await poor.getByRole('button', { name: 'Start without a microphone' }).click();
      await poor.getByRole('alert').filter({ hasText: 'The service failed. Start again' }).waitFor();
      await poor.getByRole('button', { name: 'Start again' }).waitFor();
    });

    test('a socket that falls silent without being closed is asked once, and then said to be lost', async () => {
      const asked: string[] = [];
      let isSilent = false;
      await page.routeWebSocket(/realtime/, (socket) => {
        const server = socket.connectToServer();
        socket.onMessage((message) => (isSilent ? asked.push(String(message)) : server.send(message)));
        server.onMessage((message) => !isSilent && socket.send(message));
      });
      await page.clock.install();
      await page.goto('/playground?tool=voice');
      await button('Start without a microphone').click();
      await state('Waiting for your message');
      await until(() => ofType(received, 'session.updated').length > 0);
      // Quiet, and there: it answers the question.
      await page.clock.fastForward(ASK_AFTER_MS);
      await until(() => ofType(received, 'session.updated').length > 1);
      isSilent = true;
      await page.clock.fastForward(ASK_AFTER_MS);
      await until(() => asked.length > 0);
      await page.clock.fastForward(LOST_AFTER_MS);
      await page.getByRole('alert').filter({ hasText: 'Check your network, then start again' }).waitFor();
      await state('Ended');
      expect(asked.map((text) => JSON.parse(text) as Frame)).toEqual([
        { type: 'session.update', session: { type: 'realtime' } },
      ]);
    });

    test('causes no error in the browser', () => {
      expect(browser.complaints).toEqual([]);
    });
  },
  { microphone },
);

/** The duration of an item's received sound, in milliseconds. */
function soundMsOf(frames: Frame[], itemId: string): number {
  const pieces = frames.filter(({ type, item_id: id }) => type === 'response.output_audio.delta' && id === itemId);
  return pieces.reduce((sum, { delta }) => sum + Buffer.byteLength(String(delta), 'base64') / 48, 0);
}

/** Samples of 16 bits at 24 kHz as a WAV file. */
function wavOf(samples: Buffer): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(24_000, 24);
  head.writeUInt32LE(48_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
