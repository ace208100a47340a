import type { z } from 'zod';
import type { PublicAgent } from '../../../db/agents/publicAgents.ts';
import type { SentFile } from '../sentFiles.ts';
import { parseBody, parseWith } from '../../body/parseWith.ts';
import { RunOrder } from '../../../orders/order.ts';
import { CallArguments, CallFiles, takesFilesBeside } from './agentTools.ts';

const UNSTORED = 'file_0';

type Arguments = Record<string, unknown>;
type Files = NonNullable<z.output<typeof CallFiles>['files']>;

/** The order of an agent's call: a run without its files, and the files. */
export interface CallOrder {
  /** The run's order with the ids of the stored files; before they are stored, with one placeholder id for all. */
  withFiles: (sentIds: string[]) => z.output<typeof RunOrder>;
  sent: SentFile[];
}

/** Members of `_meta` that replace arguments, because a typed agent's schema has no place for them. */
const OPTIONS = {
  'ledgerline/session-id': 'session_id',
  'ledgerline/max-cost-usd': 'max_cost_usd',
  'ledgerline/user': 'user',
} as const;

// Models write null for members without a value.
const parseArguments = parseBody(CallArguments, 'arguments');
const parseFiles = parseBody(CallFiles, 'arguments');
const parseOrder = parseWith(RunOrder, 'arguments');

/** Reads the arguments and options of a call. Throws 422 that names the invalid member. */
export function readCall(agent: PublicAgent, args: Arguments, meta: Arguments = {}): CallOrder {
  const { items, files = [], ...own } = contentOf(agent, args);
  const options = Object.entries(OPTIONS).flatMap(([name, member]) => (name in meta ? [[member, meta[name]]] : []));
  const withFiles = (sentIds: string[]) => {
    const left = [...sentIds];
    const ids = files.map(({ file_id: id }) => id ?? left.shift() ?? UNSTORED);
    const input = [...items, ...ids.map((id) => ({ type: 'input_file', file_id: id }))];
    return parseOrder({ agent: agent.id, ...own, ...Object.fromEntries(options), input });
  };
  // Errors outside of the files are thrown before the files are stored.
  withFiles([]);
  return { withFiles, sent: sentOf(files) };
}

function contentOf({ configuration: { input_schema: schema } }: PublicAgent, args: Arguments) {
  if (!schema) {
    const { input, ...others } = parseArguments(args);
    return { ...others, items: [{ type: 'input_text', text: input }] };
  }
  if (!takesFilesBeside(schema)) return { items: [{ type: 'input_data', data: args }] };
  const { files: _files, ...data } = args;
  return { ...parseFiles({ files: args.files }), items: [{ type: 'input_data', data }] };
}

const sentOf = (files: Files): SentFile[] =>
  files.flatMap(({ data, name, media_type: mediaType }, at) =>
    data === undefined ? [] : [{ base64: data, filename: name, mediaType, place: ['files', at, 'data'] }],
  );
