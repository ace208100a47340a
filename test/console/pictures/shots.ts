import type { Page } from 'playwright-core';
import { earnByMonth, failRequests } from './answers.ts';
import { endLogin, enterCode } from './logins.ts';
import type { Subjects } from './subjects.ts';

export type Viewer = 'owner' | 'newcomer' | 'stranger' | 'tester';

/** One picture: a page as a viewer sees it, optionally with something opened on it. */
export interface Shot {
  name: string;
  path: string;
  viewer: Viewer;
  /** Prepares its tab before the page is opened. */
  before?: (page: Page) => Promise<unknown>;
  /** Opens what the page shows after a click. */
  open?: (page: Page) => Promise<void>;
}

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

async function signInWrongly(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('maya@northwind.example');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByLabel('Password', { exact: true }).fill('a wrong password');
  await click('Sign in')(page);
  await page.getByRole('alert').getByText(/./).first().waitFor();
}

/** On a phone it is in the menu. */
async function openWorkspaceMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Open the menu' });
  if (await menu.isVisible()) await menu.click();
  await page
    .getByRole('button', { name: /^Workspace: / })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'New workspace' }).waitFor();
}

async function searchDocs(page: Page): Promise<void> {
  await page.locator('#query').fill('verify webhook');
  await page.locator('#results a').first().waitFor();
}

/** Sends the first example of the playground, and waits until each of its answers has its figures. */
async function ask(page: Page, answers = 1): Promise<void> {
  await page.getByRole('button', { name: 'Compare TCP and UDP in a table.', exact: true }).click();
  await page
    .getByText(/^Cost \$/)
    .nth(answers - 1)
    .waitFor();
}

async function askTwo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await ask(page, 2);
}

async function showCode(page: Page): Promise<void> {
  await ask(page);
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('dialog').waitFor();
}

/** Opens the parameters where they are a sheet, and what is folded in them. */
async function unfold(page: Page): Promise<void> {
  const sheet = page.getByRole('button', { name: 'Parameters', exact: true });
  if (await sheet.isVisible()) await sheet.click();
  for (const name of ['Penalties, seed, stop', 'Response format', 'Tools'])
    await page.locator('summary').filter({ hasText: name }).click();
}

/** Fills the form of a publisher's own tool. */
async function fillHttpTool(page: Page, name = 'find_order'): Promise<void> {
  await click('Add HTTP tool')(page);
  const dialog = page.getByRole('dialog', { name: 'Add HTTP tool' });
  await dialog.getByLabel(/^Name/).fill(name);
  await dialog.getByLabel(/^Description/).fill('Finds an order by its number, and says where it is.');
  await dialog.getByLabel(/^URL/).fill(`https://tools.northwind.example/${name}`);
}

async function addHttpTools(page: Page): Promise<void> {
  for (const name of ['find_order', 'refund_order']) {
    await fillHttpTool(page, name);
    await click('Add tool')(page);
  }
  await page.getByRole('list', { name: 'HTTP tools' }).scrollIntoViewIfNeeded();
}

async function testHttpTool(page: Page): Promise<void> {
  await addHttpTools(page);
  await click('Test find_order')(page);
  await page.getByRole('dialog').waitFor();
}

/** Chooses a file of calls in the dialog of a new batch, and waits for what its check says. */
async function choose(page: Page, lines: object[], word: RegExp): Promise<void> {
  const buffer = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  const file = { name: 'november-summaries.jsonl', mimeType: 'application/jsonl', buffer };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText(word).waitFor();
}

const summaries = (models: string[]): object[] =>
  Array.from({ length: 240 }, (_, at) => ({
    custom_id: `ticket-${at}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: models[at % models.length], messages: [{ role: 'user', content: `Summarise ticket ${at}.` }] },
  }));

const chooseCalls = (page: Page) => choose(page, summaries(['qwen3-32b', 'mistral-small-3.2']), /240 calls, no errors/);

async function chooseFaulty(page: Page): Promise<void> {
  const [first, second, ...others] = summaries(['qwen3-32b']);
  await choose(
    page,
    [first!, first!, { ...second, url: '/v1/embeddings' }, { ...second, body: {} }, ...others],
    /3 errors/,
  );
}

/** Opens the palette and types. */
async function find(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(words);
  await page.getByRole('option').first().waitFor();
}

async function disconnect(page: Page): Promise<void> {
  await page.evaluate("window.dispatchEvent(new Event('offline'))");
}

/** All pictures, in the order of the menu. */
export function shotsOf(ids: Subjects): Shot[] {
  const own = (name: string, path: string | undefined, open?: Shot['open']): Shot[] =>
    path === undefined ? [] : [{ name, path, viewer: 'owner', ...(open && { open }) }];
  const at = (base: string, id: string | undefined) => id && `${base}/${id}`;
  const empty = (name: string, path: string): Shot => ({ name: `empty-${name}`, path, viewer: 'newcomer' });
  const live = ids.publications.find(({ status }) => status === 'active');
  const strange = (name: string, path: string): Shot => ({ name, path, viewer: 'stranger' });
  return [
    ...own('home', '/'),
    ...own('requests', '/requests'),
    ...own('requests-failed', '/requests?status=5xx'),
    ...own('request', at('/requests', ids.request)),
    ...own('request-content', at('/requests', ids.keptRequest)),
    ...own('request-failed', at('/requests', ids.failedRequest)),
    ...own('usage', '/usage'),
    ...own('usage-by-key', '/usage?by=key'),
    ...own('keys', '/keys'),
    ...own('keys-create', '/keys', click('Create key')),
    ...own('keys-edit', ids.keepingKey && `/keys?edit=${ids.keepingKey}`),
    ...own('device', '/device'),
    ...own('device-login', '/device', enterCode),
    ...own('device-approved', '/device', endLogin('Approve')),
    ...own('projects', '/projects'),
    ...own('projects-create', '/projects', click('Create project')),
    ...own('project', at('/projects', ids.project)),
    ...own('project-default', '/projects/default'),
    ...own('project-archived', at('/projects', ids.archivedProject)),
    ...own('usage-by-project', '/usage?by=project'),
    ...own('models', '/models'),
    ...own('models-text', '/models?kind=text&order=price'),
    ...own('model', at('/models', ids.model)),
    ...own('voices', '/voices'),
    ...own('voices-history', '/voices?view=history'),
    ...own('model-history', '/models/qwen3-32b'),
    ...own('playground', '/playground'),
    ...own('playground-answer', '/playground', ask),
    ...own('playground-compare', '/playground', askTwo),
    ...own('playground-code', '/playground', showCode),
    ...own('playground-parameters', '/playground?model=mistral-small-3.2', unfold),
    ...own('playground-speech', '/playground?tool=speech'),
    ...own('playground-transcription', '/playground?tool=transcription'),
    ...own('playground-agent', '/playground?tool=agent'),
    ...own('playground-voice', '/playground?tool=voice'),
    ...own('agents', '/agents'),
    ...own('agent', at('/agents', ids.agent)),
    ...own('runs', '/runs'),
    ...ids.runs.flatMap(({ status, id }) => own(`run-${status}`, `/runs/${id}`)),
    ...own('run-rerun', at('/runs', ids.runs.find(({ status }) => status === 'completed')?.id), click('Rerun')),
    ...own('run-conversation', at('/runs', ids.conversation)),
    ...own('run-compare', ids.rerun && `/runs/${ids.rerun.id}/compare/${ids.rerun.of}`),
    ...own('flow', '/runs/flow'),
    ...own('flow-create', '/runs/flow', click('Create rule')),
    ...own('run-waiting', at('/runs', ids.waitingRun)),
    ...own('schedules', '/schedules'),
    ...own('schedules-create', '/schedules?create=1'),
    ...own('schedule', at('/schedules', ids.schedule)),
    ...own('files', '/files'),
    ...own('files-list', '/files?view=files'),
    ...own('session', at('/sessions', ids.session)),
    ...own('session-state-edit', at('/sessions', ids.session), click('Edit state')),
    ...own('session-state-versions', at('/sessions', ids.session), click('Versions')),
    ...own('memories', '/memories'),
    ...own('memories-user', '/memories?user=karin.lind'),
    ...own('batches', '/batches'),
    ...own('batches-create', '/batches?create=1'),
    ...own('batches-check', '/batches?create=1', chooseCalls),
    ...own('batches-errors', '/batches?create=1', chooseFaulty),
    ...own('batch', at('/batches', ids.batch)),
    ...own('plugins', '/plugins'),
    ...own('webhooks', '/webhooks'),
    ...own('webhooks-create', '/webhooks', click('Add endpoint')),
    ...own('webhook', at('/webhooks', ids.endpoint)),
    ...own('explain', '/explain'),
    ...own('explain-request', ids.request && `/explain?id=${ids.request}`),
    ...own('billing', '/billing'),
    ...own('billing-alerts', '/billing?view=alerts'),
    ...own('palette', '/', (page) => find(page, 'qwen')),
    ...own('billing-invoices', '/billing?view=invoices'),
    ...own('billing-details', '/billing?view=invoices', click('Edit details')),
    ...own('invoice', ids.invoice && `/billing?view=invoices&invoice=${ids.invoice}`),
    ...own('billing-payments', '/billing?view=payments'),
    ...own('publish', '/publish'),
    ...ids.publications.flatMap(({ status, id }) => own(`publish-${status}`, `/publish/${id}`)),
    ...ids.publications.flatMap(({ status, id }) => own(`publish-review-${status}`, `/publish/${id}?tab=review`)),
    ...own('publish-new', '/publish', click('New agent')),
    { name: 'publish-earnings', path: '/publish', viewer: 'owner', before: earnByMonth },
    { name: 'publish-pay-out', path: '/publish', viewer: 'owner', before: earnByMonth, open: click('Pay out') },
    ...['tools', 'price', 'try'].flatMap((step) =>
      own(`publish-step-${step}`, live && `/publish/${live.id}?step=${step}`),
    ),
    ...own('publish-http-tool', live && `/publish/${live.id}?step=tools`, fillHttpTool),
    ...own('publish-http-tools', live && `/publish/${live.id}?step=tools`, addHttpTools),
    ...own('publish-http-tool-test', live && `/publish/${live.id}?step=tools`, testHttpTool),
    ...own('publish-channel-new', live && `/publish/${live.id}?tab=versions`, click('Create channel')),
    ...own('publish-channel-move', live && `/publish/${live.id}?tab=versions`, click('Move beta')),
    ...own('publish-deprecate', live && `/publish/${live.id}?tab=settings`, click('Deprecate agent')),
    ...own('publish-take-down', live && `/publish/${live.id}?tab=settings`, click('Take agent down')),
    ...own('agent-deprecated', '/agents/harbor/meeting-minutes'),
    ...['evaluations', 'review', 'runs', 'quality', 'versions', 'settings'].flatMap((tab) =>
      own(`publish-tab-${tab}`, live && `/publish/${live.id}?tab=${tab}`),
    ),
    ...own('publish-case', live && `/publish/${live.id}?tab=evaluations`, click('No drawing named')),
    ...own('publish-case-add', live && `/publish/${live.id}?tab=evaluations`, click('Add case')),
    ...own('operate', '/operate'),
    ...own('operate-find', '/operate?find=northwind'),
    ...['reviews', 'workspaces', 'adjustments', 'payouts', 'models', 'prices', 'upstreams', 'audit'].flatMap((tab) =>
      own(`operate-${tab}`, `/operate?tab=${tab}`),
    ),
    ...own('operate-model', '/operate/models/qwen3-32b'),
    ...own('operate-agent-model', '/operate/agent-model'),
    ...own('operate-price', '/operate/models/qwen3-32b', click('Propose a price')),
    ...own('operate-upstream', '/operate?tab=upstreams', click('Add upstream')),
    ...own('operate-adjust', '/operate?tab=workspaces', click(/^Adjust/)),
    ...own('operate-confirm', '/operate?tab=payouts', click(/^Confirm/)),
    ...own('operate-reject', '/operate?tab=payouts', click(/^Reject/)),
    ...own('review', at('/operate/reviews', ids.review)),
    ...own('settings', '/settings'),
    ...['security', 'members', 'sign-in', 'audit', 'workspace'].flatMap((tab) =>
      own(`settings-${tab}`, `/settings?tab=${tab}`),
    ),
    ...own('settings-two-factor', '/settings?tab=security', click('Turn on')),
    ...own('settings-sign-in-provider', '/settings?tab=sign-in', click('Set up provider')),
    ...own('settings-audit-export', '/settings?tab=audit', click('Set up export')),
    ...own('settings-remove', '/settings?tab=members', click('Remove Dana Okafor')),
    ...own('workspace-menu', '/settings?tab=workspace', openWorkspaceMenu),
    ...own('workspace-new', '/settings?tab=workspace', async (page) => {
      await openWorkspaceMenu(page);
      await page.getByRole('menuitem', { name: 'New workspace' }).click();
    }),
    ...own('settings-erase', '/settings?tab=workspace', click('Erase workspace')),
    ...own('requests-filter', '/requests?status=5xx&model=qwen3-32b'),
    ...own('not-found', '/no/such/page'),
    { name: 'error', path: '/requests', viewer: 'owner', before: failRequests },
    { name: 'offline', path: '/keys', viewer: 'owner', open: disconnect },
    ...(['/', '/requests', '/usage', '/keys', '/playground', '/runs', '/schedules', '/files'] as const).map((path) =>
      empty(path.slice(1) || 'home', path),
    ),
    ...(['/batches', '/plugins', '/webhooks', '/billing', '/publish', '/agents'] as const).map((path) =>
      empty(path.slice(1), path),
    ),
    { name: 'test-home', path: '/', viewer: 'tester' },
    { name: 'test-keys', path: '/keys', viewer: 'tester' },
    strange('sign-in', '/sign-in'),
    strange('sign-up', '/sign-up'),
    strange('forgot-password', '/forgot-password'),
    strange('reset-password', '/reset-password?token=0000'),
    strange('confirm-link', '/confirm-link?token=0000'),
    ...(ids.invitation ? [strange('invitation', `/invitations/${ids.invitation}`)] : []),
    { ...strange('sign-in-refused', '/sign-in'), open: signInWrongly },
    strange('docs', '/docs'),
    { ...strange('docs-search', '/docs/guides/runs'), open: searchDocs },
    ...['webhooks', 'models', 'costs', 'quick-start', 'errors'].map((guide) =>
      strange(`docs-${guide}`, `/docs/guides/${guide}`),
    ),
    strange('docs-reference', '/docs/reference/keys'),
    strange('docs-missing', '/docs/no-such-page'),
    strange('payment-done', '/billing/done'),
    strange('test-mail', '/console/test-mail'),
    ...(ids.paymentUrl ? [strange('test-payment', ids.paymentUrl)] : []),
  ];
}
