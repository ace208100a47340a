import { Command } from 'commander';
import type { Schemas } from '../../src/index.ts';
import { clientOf } from '../credentials/connection.ts';
import { briefTime, time, usd } from '../format.ts';
import { collect, parseCount, parseFuture, parseUsd } from '../options.ts';
import { print, printResult, say, wantsJson, withExamples } from '../output.ts';
import { out } from '../terminal/colors.ts';
import { tableOf } from '../terminal/table.ts';

type ListedKey = Schemas['KeyList']['data'][number];

interface NewKey {
  scopes?: Schemas['DerivedKeyOrder']['scopes'];
  spendLimit?: number;
  per?: 'daily' | 'monthly';
  rpm?: number;
  concurrency?: number;
  expires?: string;
  agents?: string[];
}

const list = new Command('list')
  .description('the keys that the used key sees')
  .option('--all', 'also revoked keys')
  .action(async ({ all }: { all?: boolean }, self: Command) => {
    const { api } = await clientOf(self);
    const { data } = await api.GET('/platform/v1/keys');
    const keys = data.data.filter(({ revoked_at }) => all === true || revoked_at === null);
    printResult(self, keys, keysText);
  });

const create = new Command('create')
  .description('make a key that may do less than the used one; prints its secret, once')
  .argument('<name>')
  .option('--scopes <list>', 'some of the used key’s: llm, agents, voice, batch, publisher', collect)
  .option('--spend-limit <usd>', 'the most that it may spend', parseUsd)
  .option('--per <period>', 'when that limit resets: daily or monthly; never when left out')
  .option('--rpm <count>', 'requests a minute', parseCount)
  .option('--concurrency <count>', 'requests at once', parseCount)
  .option('--expires <time>', 'a date, or a span such as 30d', parseFuture)
  .option('--agents <list>', 'the agents that it may run: acme/poet', collect)
  .action(async (name: string, options: NewKey, self: Command) => {
    const { api } = await clientOf(self);
    const { data } = await api.POST('/platform/v1/keys/derive', { body: orderOf(name, options) });
    if (wantsJson(self)) return print(JSON.stringify(data, null, 2));
    say(`${data.id}, with ${data.scopes.join(', ')}. Keep the secret: it is shown this once.`);
    print(data.key ?? '');
  });

const revoke = new Command('revoke')
  .description('revoke a key that the used one has made, and all that it made')
  .argument('<id>', 'key_…')
  .action(async (id: string, _options, self: Command) => {
    const { api } = await clientOf(self);
    const { data } = await api.DELETE('/platform/v1/keys/{key_id}', { params: { path: { key_id: id } } });
    printResult(self, data, () => `Revoked ${id}.`);
  });

export const keys = new Command('keys')
  .description('list, make and revoke keys')
  .addCommand(list)
  .addCommand(
    withExamples(create, [
      ['ledgerline keys create "night job" --scopes agents --spend-limit 5 --expires 12h'],
      ['export LEDGERLINE_API_KEY=$(ledgerline keys create ci --scopes llm)', 'in a script'],
    ]),
  )
  .addCommand(revoke);

const orderOf = (name: string, options: NewKey): Schemas['DerivedKeyOrder'] => ({
  name,
  scopes: options.scopes,
  spend_limit: options.spendLimit,
  spend_limit_period: options.per,
  rpm_limit: options.rpm,
  concurrency_limit: options.concurrency,
  expires_at: options.expires,
  allowed_agents: options.agents,
});

function keysText(keys: ListedKey[]): string {
  return tableOf(
    [
      { title: 'id', text: ({ id }) => id },
      { title: 'name', shrinks: true, text: nameText },
      { title: 'key', text: ({ prefix }) => prefix },
      { title: 'scopes', optional: true, shrinks: true, text: ({ scopes }) => scopes.join(',') },
      { title: 'this month', align: 'right', text: ({ spend_monthly }) => usd(spend_monthly) },
      { title: 'limit', optional: true, align: 'right', text: limitText },
      {
        title: 'last used',
        optional: true,
        text: ({ last_used_at }) => time(last_used_at),
        brief: ({ last_used_at }) => briefTime(last_used_at),
      },
    ],
    keys,
  );
}

const nameText = ({ name, is_calling_key, revoked_at }: ListedKey): string =>
  name + (is_calling_key ? out.green(' (this one)') : '') + (revoked_at ? out.red(' (revoked)') : '');

const limitText = ({ spend_limit, spend_limit_period }: ListedKey): string =>
  spend_limit === null ? '-' : usd(spend_limit) + (spend_limit_period ? ` ${spend_limit_period}` : '');
