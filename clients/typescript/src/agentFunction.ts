import type { AgentInput, RunOptions, RunResult } from './agents.ts';
import { Ledgerline } from './client.ts';

export interface AgentCallOptions extends RunOptions {
  /** The client that calls; one of the environment's key and address when left out. */
  client?: Ledgerline;
}

/** An agent as a function: `const { data } = await poet({ topic: 'rain' })`. */
export interface AgentFunction<Input extends string | object, Data> {
  (input: Input, options?: AgentCallOptions): Promise<RunResult<Data>>;
  /** What it calls: `acme/poet`, or with a channel or version, `acme/poet@beta`. */
  readonly agent: string;
}

let environments: Ledgerline | undefined;

/** Checks data, and throws when they do not fit: a schema of zod, for example. */
interface Check<T> {
  parse(data: unknown): T;
}

/** The function of an agent. `ledgerline add acme/poet` writes it with the types of the agent's schemas. */
export function defineAgent<Input extends string | object = string, Data = undefined>(
  agent: string,
  how: { visibility?: 'private'; input?: Check<Input>; output?: Check<Data> } = {},
): AgentFunction<Input, Data> {
  const ordered = how.visibility && { visibility: how.visibility };
  async function call(
    input: Input,
    { client = (environments ??= new Ledgerline()), ...options }: AgentCallOptions = {},
  ) {
    const checked = how.input?.parse(input) ?? input;
    const order = { ...ordered, ...options.order };
    const result = await client.agents.run<Data>(agent, checked as AgentInput, { ...options, order });
    return how.output ? { ...result, data: how.output.parse(result.data) } : result;
  }
  return Object.assign(call, { agent });
}
