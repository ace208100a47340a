import type { Command } from 'commander';
import { PermissionDeniedError, type Ledgerline } from '../../src/index.ts';
import { connectionOf } from '../credentials/connection.ts';
import { ExitCode } from '../exitCodes.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../globalOptions.ts';

// The routes of operators, which the document of customers does not have: `/console/v1/catalog`.

export type Prices = Record<string, number>;

export interface AgentModel {
  model: string;
  /** Rules answer in place of a language model. */
  is_rehearsed: boolean;
  chosen_by: string | null;
  awaited: { model: string } | null;
}

export interface Vendor {
  id: string;
  name: string;
  keys_at: string;
  note: string | null;
  has_key: boolean;
  models: { model: string; usd_per_million: Prices; is_sold: boolean }[];
}

export interface Engine {
  name: string;
  model: string;
  title: string;
  state: 'absent' | 'fetching' | 'fetched' | 'loading' | 'ready' | 'failed' | 'unreachable';
  message: string | null;
  bytes: number;
  whole_bytes: number;
  disk_bytes: number;
  disk_bytes_while_fetched: number;
  memory_bytes: number;
  measured: { tokens_per_second: number; seconds_per_task: number; on: string };
  machine: { memory_available_bytes: number; disk_available_bytes: number } | null;
}

export interface Starters {
  agents: AgentModel;
  can_seal: boolean;
  priced_at: string;
  vendors: Vendor[];
  engines: Engine[];
}

/** A vendor's model as it is probed. */
export interface Place {
  vendor?: string;
  base_url?: string;
  api_key?: string;
  model: string;
}

export interface Probe {
  ok: boolean;
  error: string | null;
  answer: string | null;
  calls_tools: boolean | null;
  duration_ms: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  list_price: Prices | null;
  present_price: Prices | null;
}

export interface Added {
  upstream: string;
  model: { id: string; price: { usd_per_million: Prices } | null };
  agents: AgentModel;
  probe: Probe;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Untyped = Record<Method, (path: string, init?: { body?: unknown }) => Promise<{ data: unknown }>>;

/** The routes by which an operator gives agents a model. */
export function operatorOf({ api }: Ledgerline, command: Command) {
  const at = '/console/v1/catalog';
  async function send<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
    try {
      const { data } = await (api as unknown as Untyped)[method](`${at}${path}`, body === undefined ? {} : { body });
      return data as Answer;
    } catch (error) {
      throw error instanceof PermissionDeniedError ? notAnOperator(command) : error;
    }
  }
  const fetchOf = (engine: string): string => `/engines/${encodeURIComponent(engine)}/fetch`;
  return {
    starters: () => send<Starters>('GET', '/starters'),
    probe: (place: Place) => send<Probe>('POST', '/starters/probe', place),
    add: (order: Place & { usd_per_million?: Prices; use_for_agents: boolean }) =>
      send<Added>('POST', '/starters', order),
    agentModel: () => send<AgentModel>('GET', '/agent-model'),
    use: (model: string) => send<AgentModel>('PUT', '/agent-model', { model }),
    fetchOf: (engine: string) => send<Engine>('GET', fetchOf(engine)),
    fetch: (engine: string, use_for_agents: boolean) => send<Engine>('POST', fetchOf(engine), { use_for_agents }),
    cancel: (engine: string) => send<Engine>('DELETE', fetchOf(engine)),
  };
}

export type Operator = ReturnType<typeof operatorOf>;

/** What a key without the scope `operator` is told: who can do it. */
export class NotAnOperator extends Failure {}

function notAnOperator(command: Command): Failure {
  const { baseUrl } = connectionOf(command.optsWithGlobals<GlobalOptions>());
  return new NotAnOperator(
    'Only operators of the installation give agents a model, and this key is not one of theirs.',
    {
      hint:
        `An operator does it at ${baseUrl}/operate/agent-model, or here with a key of the platform's own workspace that has ` +
        'the scope operator (`npm run admin -- keys create --name operator --scopes operator`).',
      exitCode: ExitCode.notSignedIn,
    },
  );
}
