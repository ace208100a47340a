import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { nanosOfUsd } from '../../db/money.ts';
import { balanceOf } from '../support/account.ts';
import { describeInBrowser } from '../support/browser.ts';
import { setConsoleStage, violationsOf, type ConsoleStage } from './consoleStage.ts';

const LARGE = {
  id: 'large',
  kind: 'text',
  aliases: ['large-latest'],
  contextTokens: 200_000,
  outputTokensMax: 32_000,
  usdPerMillion: { input_tokens: 3, output_tokens: 15 },
  inputMediaTypes: ['image/png'],
};

/** A model that lists what it supports. */
const PLAIN = {
  id: 'plain',
  kind: 'text',
  aliases: [],
  usdPerMillion: { input_tokens: 1, output_tokens: 1 },
  supportedParameters: ['temperature', 'max_completion_tokens', 'stream'],
};

const MARKDOWN = `# Facts

| Drink | Cups |
|---|---:|
| Tea | 3 |

1. **Boil** water
2. Wait

\`\`\`python
print("tea")
\`\`\`

[safe](https://example.com/tea) and [unsafe](javascript:alert(1)) and ![picture](https://example.com/tea.png)

<img src=x onerror=alert(1)>`;

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeInBrowser('the playground', (browser) => {
  let stage: ConsoleStage;
  let page: Page;
  let workspaceId: string;
  beforeAll(async () => {
    stage = await setConsoleStage({}, { models: [LARGE, PLAIN] });
    const ada = await stage.person();
    workspaceId = ada.me.workspace.id;
    await stage.credit(workspaceId, '5');
    page = await stage.visit(browser, ada);
  });
  beforeEach(() => stage.upstream.reset());
  afterAll(() => stage?.close());

  const log = () => page.getByRole('log');
  const figures = () => page.getByRole('list', { name: 'Figures of this call' });
  const ask = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };
  const fold = (name: string) => page.locator('summary').filter({ hasText: name }).click();
  const sent = () => stage.upstream.calls().at(-1)!.body;

  test('two clicks from Home: the first answer', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByRole('button', { name: 'Compare TCP and UDP in a table.' }).click();
    await figures().waitFor();
    expect(stage.upstream.calls()).toHaveLength(1);
  });

  test('streams a chat, and shows its figures and its code', async () => {
    const before = await balanceOf(stage.db, workspaceId);
    stage.upstream.script({ text: 'Tea is a drink made from leaves.', delayMs: 30 });
    await page.goto('/playground');
    await ask('<img src=x onerror=alert(1)> What is tea?');
    const cost = page.getByText(/^Cost \$0\.\d+/);
    await cost.waitFor();
    const shownUsd = (await cost.innerText()).replace('Cost $', '');
    expect(before - (await balanceOf(stage.db, workspaceId))).toBe(nanosOfUsd(shownUsd));
    expect(await log().innerText()).toContain('<img src=x onerror=alert(1)> What is tea?');
    expect(await page.locator('img[src=x]').count()).toBe(0);
    const { promptTokens, outputTokens } = stage.upstream.calls()[0]!;
    const words = await figures().innerText();
    expect(words).toContain(`${promptTokens} in / ${outputTokens} out`);
    expect(words).toMatch(/[\d.,]+ tok\/s\s+First token [\d.]+ m?s\s+Latency [\d.]+ m?s/);

    await page.getByRole('button', { name: 'Code', exact: true }).click();
    await page.getByRole('tab', { name: 'curl' }).click();
    expect(await page.getByRole('dialog').getByRole('tabpanel').innerText()).toContain('/v1/chat/completions');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await figures().getByRole('link', { name: 'Explain' }).click();
    await page.getByRole('group', { name: 'Lines of the cost' }).getByText(`${outputTokens} output tokens`).waitFor();
  });

  test('a stopped answer stays, with what it cost', async () => {
    stage.upstream.script({ fault: 'endless', delayMs: 20 });
    await page.goto('/playground');
    await ask('Count.');
    await log().locator('.markdown').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^Cost \$0\.\d+/).waitFor();
    expect(await figures().innerText()).toMatch(/\d+ in \/ \d+ out/);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('answers are Markdown, from which nothing runs or loads', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    stage.upstream.script({ text: MARKDOWN });
    await page.goto('/playground');
    await ask('Facts about tea');
    await figures().waitFor();
    const answer = page.getByRole('article', { name: 'Answer' });
    expect(await answer.getByRole('cell').allInnerTexts()).toEqual(['Tea', '3']);
    expect(await answer.getByRole('listitem').first().innerText()).toBe('Boil water');
    expect(await answer.getByRole('group', { name: 'Code, python' }).innerText()).toBe('print("tea")');
    await answer.getByRole('button', { name: 'Copy the code' }).waitFor();
    const links = answer.locator('.markdown a');
    expect(
      await links.evaluateAll((all: { getAttribute(name: string): string | null }[]) =>
        all.map((one) => one.getAttribute('href')),
      ),
    ).toEqual(['https://example.com/tea', 'https://example.com/tea.png']);
    expect(await answer.innerText()).toContain('<img src=x onerror=alert(1)>');
    expect(await answer.locator('img').count()).toBe(0);
    expect(asked.filter((url) => !url.startsWith(stage.api.url))).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('sends every parameter, and an image to a model that takes images', async () => {
    await page.goto('/playground?model=large-latest');
    await page.getByLabel('Temperature', { exact: true }).fill('0.3');
    await page.getByLabel('Top P', { exact: true }).fill('0.9');
    await page.getByLabel('Max tokens', { exact: true }).fill('50');
    await page.getByRole('textbox', { name: 'System prompt' }).fill('Be brief.');
    await fold('Penalties');
    await page.getByLabel('Frequency penalty', { exact: true }).fill('0.5');
    await page.getByLabel('Presence penalty', { exact: true }).fill('-0.5');
    await page.getByLabel('Seed').fill('7');
    await page.getByRole('combobox', { name: 'Stop sequences' }).fill('END');
    await page.keyboard.press('Enter');
    await fold('Response format');
    await page.getByText('JSON schema', { exact: true }).click();
    await page.getByRole('textbox', { name: 'JSON schema' }).fill('{"type": "object"}');
    await fold('Tools');
    const tool = { type: 'function', function: { name: 'weather' } };
    await page.getByRole('textbox', { name: 'Functions' }).fill(JSON.stringify([tool]));
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') }]);
    await page.getByRole('img', { name: 'Image 1' }).waitFor();
    stage.upstream.script({ toolCalls: [{ name: 'weather', arguments: '{"town":"Turin"}' }] });
    await ask('What is this?');
    await figures().waitFor();
    expect(sent()).toMatchObject({
      temperature: 0.3,
      top_p: 0.9,
      frequency_penalty: 0.5,
      presence_penalty: -0.5,
      seed: 7,
      stop: ['END'],
      response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } },
      tools: [tool],
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${DOT}` } },
          ],
        },
      ],
    });
    stage.upstream.script({ text: '{"sky": "grey"}' });
    await page.getByRole('textbox', { name: 'Result of weather' }).fill('Rain.');
    await page.getByRole('button', { name: 'Send results' }).click();
    await page.getByText('{"sky": "grey"}').waitFor();
    expect((sent().messages as object[]).slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { name: 'weather' } }] },
      { role: 'tool', content: 'Rain.' },
    ]);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('parameters that a model does not support are disabled with the reason, and not sent to it', async () => {
    await page.goto('/playground?model=large');
    await page.getByLabel('Temperature', { exact: true }).fill('0.3');
    await page.getByLabel('Top P', { exact: true }).fill('0.9');
    for (const name of ['Penalties', 'Response format', 'Tools']) await fold(name);
    await page.getByLabel('Seed').fill('7');
    await page.getByText('JSON', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Functions' }).fill('[]');

    await page.getByRole('combobox', { name: 'Model' }).fill('plain');
    await page.getByRole('option', { name: /^plain/ }).click();
    const disabled = ['Top P', 'Frequency penalty', 'Presence penalty', 'Seed', 'Stop sequences', 'Functions'];
    for (const label of disabled) {
      // A list of choices has the same label.
      const input = page.getByLabel(label, { exact: true }).and(page.locator('input, textarea'));
      expect([label, await input.isDisabled(), await input.inputValue()]).toEqual([label, true, '']);
    }
    expect(await page.getByText('Not supported by plain').count()).toBe(disabled.length + 1);
    expect(await page.getByRole('radio', { name: 'JSON', exact: true }).isDisabled()).toBe(true);
    expect(await page.getByLabel('Temperature', { exact: true }).inputValue()).toBe('0.3');
    expect(await violationsOf(page)).toEqual([]);
    await ask('What is tea?');
    await figures().waitFor();
    expect(Object.keys(sent()).toSorted()).toEqual([
      'max_completion_tokens',
      'messages',
      'model',
      'stream',
      'stream_options',
      'temperature',
    ]);

    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    expect(await page.getByLabel('Top P', { exact: true }).inputValue()).toBe('0.9');
    expect(await page.getByText('Not supported by plain').count()).toBe(disabled.length + 1);
    // Beside two answers there is no room for parameters on a small laptop.
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.getByRole('button', { name: 'Parameters', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Parameters' });
    expect(await sheet.getByLabel('Top P', { exact: true }).inputValue()).toBe('0.9');
  });

  test('the conversation has the height of the window, with the message at its foot', async () => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto('/playground');
      const box = await page.locator('.composer').boundingBox();
      const below = viewport.height - (box!.y + box!.height);
      expect({ ...viewport, isAtFoot: below >= 0 && below < 60 }).toEqual({ ...viewport, isAtFoot: true });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('the address chooses the model, and the tool of its kind', async () => {
    await page.goto('/playground?model=large');
    await page.getByText('$3.00 in · $15.00 out per 1M tokens · 200K context').waitFor();
    await page.goto('/playground?model=tts-1');
    await page.getByRole('button', { name: 'Speak' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Speech' }).getAttribute('aria-selected')).toBe('true');
    await page.goto('/playground?prompt=Why%3F');
    const message = page.getByRole('textbox', { name: 'Message', exact: true });
    expect(await message.inputValue()).toBe('Why?');
    expect(stage.upstream.calls()).toEqual([]);
  });

  test('causes no error in the browser', () => {
    expect(browser.complaints).toEqual([]);
  });
});
