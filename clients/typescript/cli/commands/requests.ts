import { Command } from 'commander';
import type { Schemas } from '../../src/index.ts';
import { clientOf } from '../credentials/connection.ts';
import { usageError } from '../failure.ts';
import { parseCount, parsePast } from '../options.ts';
import { print, printResult, wantsJson, withExamples } from '../output.ts';
import { followRequests, type RequestFilters } from '../requests/followRequests.ts';
import { requestLine, requestsText } from '../requests/requestText.ts';

type EndedRequest = Schemas['EndedRequest'];

interface Options extends RequestFilters {
  follow?: boolean;
  limit: number;
}

const command = new Command('requests')
  .description('the last calls with their cost')
  .option('-f, --follow', 'go on with new ones as they end')
  .option('--limit <count>', 'at most so many', parseCount, 20)
  .option('--model <name>', 'only this model or agent')
  .option('--key <key>', 'only this key, by its id or its first characters')
  .option('--status <status>', '200, 4xx, 5xx or cancelled')
  .option('--route <path>', 'such as /v1/chat/completions')
  .option('--product <name>', 'text, embeddings, speech, transcription, voice_conversion, realtime, batch or agents')
  .option('--code <code>', 'only refusals with this code')
  .option('--from <time>', 'since a date, or a span such as 24h', parsePast)
  .option('--to <time>', 'until a date', parsePast)
  .action(async ({ follow, limit, ...filters }: Options, self: Command) => {
    const client = await clientOf(self);
    if (follow) {
      if (filters.to) throw usageError('--follow goes on without an end: leave --to out.');
      const lineOf = wantsJson(self) ? (request: EndedRequest) => JSON.stringify(request) : requestLine;
      for await (const request of followRequests(client, filters, limit)) print(lineOf(request));
      return;
    }
    const requests: EndedRequest[] = [];
    for await (const request of client.pages('/platform/v1/requests', {
      query: { ...filters, limit: Math.min(limit, 100) },
    }))
      if (requests.push(request) === limit) break;
    printResult(self, requests, requestsText);
  });

export const requests = withExamples(command, [
  ['ledgerline requests --status 4xx --from 24h'],
  ['ledgerline requests --follow --key sk_live_ab', 'as they come'],
  ['ledgerline requests --follow --json | jq -c "[.id, .cost_usd]"', 'for a program'],
]);
