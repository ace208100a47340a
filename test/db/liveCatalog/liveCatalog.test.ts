import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { createAgentModels } from '../../../db/agents/agentModels.ts';
import { atBatchPrices } from '../../../db/catalog/catalog.ts';
import { readPresentPrices } from '../../../db/liveCatalog/presentPrices.ts';
import { recordFilePrices } from '../../../db/liveCatalog/priceHistory.ts';
import { openCatalog, type LiveCatalog } from '../../../db/liveCatalog/liveCatalog.ts';
import { updateEntry } from '../../../db/liveCatalog/changeCatalog.ts';
import { decideProposal, insertProposal } from '../../../db/liveCatalog/proposals.ts';
import { newId } from '../../../db/ids.ts';
import { createSealingKey, parseCatalogKeys } from '../../../db/sealing/sealingKeys.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

const db = await setTestDatabase();
const folder = await makeFolder();
afterAll(async () => {
  for (const catalog of opened) catalog.close();
  await folder.remove();
  await db.close();
});
beforeEach(async () => {
  await db.pool.query('delete from catalog_changes');
});

const person = (personId: string) => ({ personId, isKnown: true, name: personId, keyId: null, requestId: 'req_test' });
const [ada, ben] = [person('Ada'), person('Ben')];
const model = (id: string, usd: number, more: object = {}) => ({
  id,
  kind: 'text',
  aliases: [],
  created: 1,
  upstreams: [{ upstream: 'main', model: id }],
  usdPerMillion: { input_tokens: usd, output_tokens: usd },
  ...more,
});

const problems: string[] = [];
const opened: LiveCatalog[] = [];

/** A process that starts with these models in its file. */
async function start(models: object[], keys = parseCatalogKeys(createSealingKey())): Promise<LiveCatalog> {
  const file = join(folder.path, `${newId('file')}.json`);
  const upstreams = { main: { baseUrl: 'http://${HOST}/v1', apiKey: '${SECRET}' } };
  await writeFile(file, JSON.stringify({ upstreams, models }));
  const variable = (name: string) => ({ HOST: 'main', SECRET: 'of-the-file' })[name] ?? '';
  const catalog = await openCatalog({
    db,
    file,
    variable,
    agentUpstream: null,
    keys,
    onError: (error) => {
      throw error as Error;
    },
    onProblem: (...told) => problems.push(told.join(': ')),
  });
  opened.push(catalog);
  return catalog;
}

const change = (catalog: LiveCatalog, kind: 'model' | 'upstream', name: string, members: object, key?: string) =>
  updateEntry(db.everywhere, catalog.base, { kind, name, members: { ...members }, key, isNew: false }, ada);

async function priceFrom(model: string, picos: bigint, holdsFrom: Date | null): Promise<number> {
  const rates = { input_tokens: picos, output_tokens: picos };
  const id = newId('price');
  const asked = { id, model, rates, batchPercentage: null, filePriceId: null, holdsFrom, reason: null };
  await insertProposal(db.everywhere, asked, ada);
  const decided = await decideProposal(db.everywhere, id, { status: 'approved', by: ben });
  return typeof decided === 'string' ? NaN : decided.validFrom!.getTime();
}

test('other processes have a change by its notice, and one handle stays the same', async () => {
  const [one, other] = [await start([model('m', 1)]), await start([model('m', 1)])];
  const { find } = other;
  expect(await change(one, 'model', 'm', { aliases: ['n'] })).toBeUndefined();
  await until(() => find('n')?.id === 'm');
  expect(other.models.map(({ aliases }) => aliases)).toEqual([['n']]);
});

test('a changed file applies at a restart for what no row overrides', async () => {
  const first = await start([model('m', 1, { description: 'Old' })]);
  await change(first, 'model', 'm', { aliases: ['n'] });
  const second = await start([model('m', 1, { description: 'New', aliases: ['of-file'] })]);
  expect(second.find('n')).toMatchObject({ description: 'New', aliases: ['n'] });
});

test('a change that a new file contradicts does not apply, says why, and leaves the others', async () => {
  const first = await start([model('m', 1)]);
  await change(first, 'model', 'm', { aliases: ['taken'], description: 'Changed' });
  const second = await start([model('m', 1), model('taken', 1)]);
  const { state } = second.composed().models[0]!;
  expect(state.problem).toBe('aliases: is called like another model: taken');
  expect(problems).toEqual([`m: ${state.problem}`]);
  expect(second.find('m')).toMatchObject({ aliases: [] });
  expect(second.find('taken')!.id).toBe('taken');
});

test('the file’s key goes to the file’s address alone, and a sealed key needs its sealing key', async () => {
  const first = await start([model('m', 1)]);
  expect(first.upstreams.get('main')).toMatchObject({ baseUrl: 'http://main/v1', apiKey: 'of-the-file' });
  expect(await change(first, 'upstream', 'main', { baseUrl: 'http://${SECRET}/v1' })).toEqual({ reason: 'key_needed' });
  await change(first, 'upstream', 'main', { baseUrl: 'http://${SECRET}/v1' }, 'own-key');
  await first.refresh();
  // A stated address has no variables: they would tell secrets to whom it names.
  expect(first.upstreams.get('main')).toMatchObject({ baseUrl: 'http://${SECRET}/v1', apiKey: 'own-key' });
  const { rows } = await db.pool.query(`select sealed_key as sealed from catalog_changes where name = 'main'`);
  expect(JSON.stringify(rows)).not.toContain('own-key');
  const without = await start([model('m', 1)]);
  expect(without.upstreams.get('main')!.apiKey).toBeUndefined();
  expect(without.composed().upstreams.get('main')!.state.problem).toContain('CATALOG_SECRETS_KEY does not hold');
});

const timed = model('timed', 1, { batchFactor: 0.5 });

test('prices begin by the clock, for all processes at one instant, and a call has that of its start', async () => {
  const [one, other] = [await start([timed]), await start([timed])];
  await recordFilePrices(db.pool, one.models);
  const firstMs = await priceFrom('timed', 2_000_000n, null);
  const secondMs = await priceFrom('timed', 3_000_000n, new Date(firstMs + 3_600_000));
  for (const catalog of [one, other]) {
    await until(() => catalog.at(secondMs).find('timed')!.rates.input_tokens === 3_000_000n);
    const picosAt = (atMs: number) => catalog.at(atMs).find('timed')!.rates.input_tokens;
    expect([firstMs - 1, firstMs, secondMs - 1, secondMs, firstMs - 1].map(picosAt)).toEqual([
      1_000_000n,
      2_000_000n,
      2_000_000n,
      3_000_000n,
      1_000_000n,
    ]);
    expect(catalog.at(firstMs)).toBe(catalog.at(secondMs - 1));
    const lines = atBatchPrices(catalog);
    expect(lines.at(firstMs - 1).find('timed')).toMatchObject({ rates: { input_tokens: 500_000n } });
    expect(lines.at(firstMs).find('timed')).toMatchObject({ rates: { input_tokens: 2_000_000n } });
  }
});

test('a change whose notice was missed applies once the connection for notices is open again', async () => {
  const catalog = await start([model('m', 1)]);
  await db.pool.query(
    `insert into catalog_changes (kind, name, change, changed_by, changer) values ('model', 'm', '{"aliases":["quiet"]}', 'x', 'X')`,
  );
  expect(catalog.find('quiet')).toBeUndefined();
  const owner = new Client({ connectionString: ownerUrlOf(db.url) });
  await owner.connect();
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
  );
  await owner.end();
  await until(() => catalog.find('quiet')?.id === 'm');
});

test('a run that has begun keeps a model that was disabled since, and new ones are refused', async () => {
  const catalog = await start([model('standard', 1), model('m', 1)]);
  const models = createAgentModels(catalog);
  const disabled = { kind: 'model' as const, name: 'm', members: {}, disabled: true, isNew: false };
  expect(await updateEntry(db.everywhere, catalog.base, disabled, ada)).toBeUndefined();
  await catalog.refresh();
  expect(models.choices.map(({ id }) => id)).toEqual(['standard']);
  expect(models.modelOf({ model: 'm' })).toBeUndefined();
  expect(models.runningModelOf({ model: 'm' })!.id).toBe('m');
  expect(models.runningModelOf({ model: 'none' })).toBeUndefined();
});

test('a thousand models and as many changes of prices are read and composed at once', async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => model(`many-${at}`, 1));
  const catalog = await start(many);
  await recordFilePrices(db.pool, catalog.models);
  expect(await change(catalog, 'model', 'many-999', { aliases: ['last'] })).toBeUndefined();
  await catalog.refresh();
  expect(catalog.find('last')!.id).toBe('many-999');
  expect((await readPresentPrices(db.everywhere)).size).toBeGreaterThanOrEqual(1_000);
});

test('the prices of the file are recorded as they come to hold, once', async () => {
  const pricesOf = async (name: string) => {
    const sql = `select rates ->> 'input_tokens' as picos, source from catalog_prices where model = $1 order by valid_from, id`;
    return (await db.pool.query<{ picos: string; source: string }>(sql, [name])).rows.map(({ picos }) => picos);
  };
  for (const usd of [1, 1, 2, 1]) {
    const { models } = await start([model('filed', usd)]);
    await Promise.all([recordFilePrices(db.pool, models), recordFilePrices(db.pool, models)]);
  }
  expect(await pricesOf('filed')).toEqual(['1000000', '2000000', '1000000']);
});

test('a price of operators stays where the file changes at a restart', async () => {
  const first = await start([model('kept', 1)]);
  await recordFilePrices(db.pool, first.models);
  const validMs = await priceFrom('kept', 5_000_000n, null);
  const second = await start([model('kept', 9)]);
  await until(async () => {
    // By the database's microseconds: a Date has only the millisecond before.
    const sql = `select bool_and(valid_from <= now()) as held from catalog_prices where model = 'kept'`;
    return (await db.pool.query(sql)).rows[0].held as boolean;
  });
  await recordFilePrices(
    db.pool,
    second.composed().models.map((one) => one.model),
  );
  expect(second.at(validMs).find('kept')!.rates.input_tokens).toBe(5_000_000n);
  const { rows } = await db.pool.query(`select count(*)::int as prices from catalog_prices where model = 'kept'`);
  expect(rows).toEqual([{ prices: 2 }]);
});
