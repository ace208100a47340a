import { Command, InvalidArgumentError } from 'commander';
import { Ledgerline } from '../../src/index.ts';
import { connectionOf, keyOf } from '../credentials/connection.ts';
import { eventLine, forwardedLine } from '../events/eventText.ts';
import { followEvents, type ReceivedEvent } from '../events/followEvents.ts';
import { forwardEvent, receiverUrlOf, type Receiver } from '../events/forwardEvent.ts';
import { keptSecret } from '../events/keptSecret.ts';
import { checkSecret } from '../events/signing.ts';
import { usageError } from '../failure.ts';
import type { GlobalOptions } from '../globalOptions.ts';
import { collect } from '../options.ts';
import { print, say, wantsJson, withExamples } from '../output.ts';
import { err } from '../terminal/colors.ts';
import { onInterrupt } from '../terminal/interrupts.ts';

interface Options {
  forward?: string;
  events?: string[];
  headers?: Record<string, string>;
  printJson?: boolean;
  secret?: string;
}

const command = new Command('listen')
  .description('show the events of the workspace as they happen, and forward them to this machine as webhooks')
  .option('--forward <url>', 'post them to this address: http://localhost:3000/hook, or 3000/hook')
  .option('--events <types>', 'only these, such as run.completed,run.failed; can be repeated', collect)
  .option('--headers <name:value>', 'a header of the posts; can be repeated', addHeader)
  .option('--secret <whsec>', 'sign the posts with this secret (else one of this login, which stays the same)')
  .option('--print-json', 'print each event as a line of JSON')
  .action(async (options: Options, self: Command) => {
    const connection = connectionOf(self.optsWithGlobals<GlobalOptions>());
    const client = new Ledgerline({ baseUrl: connection.baseUrl, apiKey: keyOf(connection) });
    const leaving = new AbortController();
    const interrupts = onInterrupt(
      () => leaving.abort(),
      () => 'Left.',
    );
    const isJson = options.printJson === true || wantsJson(self);
    const receiver = receiverOf(options, () => keptSecret(connection), leaving.signal);
    const { signal } = leaving;
    const scopes = await scopesOf(client);
    const events = followEvents(client, {
      types: options.events ?? [],
      signal,
      onOpen: (isFirst) =>
        isFirst ? sayReady(connection.baseUrl, receiver, scopes) : say(err.dim('Connected again.')),
      onLost: (reason) => say(err.dim(`${reason} Connecting again.`)),
    });
    try {
      for await (const event of events) await handle(event, receiver, isJson);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      interrupts.release();
    }
  });

export const listen = withExamples(command, [
  ['ledgerline listen', 'every event of the workspace'],
  ['ledgerline listen --forward localhost:3000/hook', 'as webhooks, signed by the secret that it prints'],
  ['ledgerline listen --events run.completed,run.failed --forward 3000/hook --headers "x-team: support"'],
  ['ledgerline listen --print-json | jq -c "[.type, .resource.id]"', 'for a program'],
]);

async function handle(event: ReceivedEvent, receiver: Receiver | undefined, isJson: boolean): Promise<void> {
  print(isJson ? event.body : eventLine(event));
  if (!receiver) return;
  const result = forwardedLine(await forwardEvent(event, receiver), event, receiver.url);
  if (isJson) say(result);
  else print(result);
}

function receiverOf({ forward, secret, headers = {} }: Options, kept: () => string, signal: AbortSignal) {
  if (forward === undefined) {
    if (secret !== undefined || Object.keys(headers).length > 0)
      throw usageError('--secret and --headers are of the posts: name their address with --forward.');
    return undefined;
  }
  const url = receiverUrlOf(forward);
  const onRetry = () => say(err.yellow(`Nobody listens at ${url} yet. Trying again for some seconds.`));
  return { url, headers, signal, onRetry, secret: secret === undefined ? kept() : checkSecret(secret) };
}

async function scopesOf({ api }: Ledgerline): Promise<string[]> {
  const { data } = await api.GET('/platform/v1/keys');
  return data.data.find(({ is_calling_key }) => is_calling_key)?.scopes ?? [];
}

function sayReady(baseUrl: string, receiver: Receiver | undefined, scopes: string[]): void {
  if (receiver) {
    say(`Events are posted to ${receiver.url}, signed by the secret`);
    say(`  ${err.bold(receiver.secret)}`);
  }
  if (!scopes.includes('manage'))
    say(
      err.yellow(
        'This key gets events of agents and payouts only. All others, as run.completed, need the scope manage.',
      ),
    );
  say(`${err.green('Ready.')} Events of ${baseUrl} from now on. Ctrl-C ends it.`);
}

function addHeader(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It is a name and a value such as "x-team: support".');
  return { ...earlier, [name]: value };
}
