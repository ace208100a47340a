import { isIP } from 'node:net';
import { z } from 'zod';
import { HTTP_TOOLS } from '../../base/limits.ts';
import { isPrivateName } from '../../base/web.ts';
import type { AgentConfiguration, HttpToolSettings } from '../entities/agentJson.ts';
import { usableSchema } from './usableSchema.ts';

const URL_CHARACTERS_MAX = 2_048;
const DESCRIPTION_CHARACTERS_MAX = 2_000;

const httpTool = z.strictObject({
  name: z
    .string()
    .max(64)
    .describe('What the model calls it: letters, digits, hyphens and single underscores, beginning with a letter.'),
  description: z.string().max(DESCRIPTION_CHARACTERS_MAX).describe('For the model: what it does, and when to use it.'),
  input_schema: usableSchema.describe('JSON Schema of an object: the arguments that the model sends.'),
  url: z.string().max(URL_CHARACTERS_MAX).describe('An https address on the public internet, with a name as its host.'),
  timeout_seconds: z
    .int()
    .min(1)
    .max(HTTP_TOOLS.timeoutSecondsMax)
    .nullish()
    .describe(`Of one call with its retries; ${HTTP_TOOLS.timeoutSeconds} when null.`),
}) satisfies z.ZodType<HttpToolSettings>;

/** The tools as drafts hold them: what only a frozen version needs is in `httpToolFaults`. */
export const httpTools = z
  .array(httpTool)
  .max(HTTP_TOOLS.perAgentMax)
  .nullish()
  .describe(
    'The publisher’s own code as tools: each call is a signed POST to its address. The host is shown to callers, and receives the arguments ' +
      'that the model sends.',
  );

/** What decides whether an agent's HTTP tools can be called. */
export interface HttpToolsKnown {
  /** The agent has a secret that signs their calls. */
  isSigned: boolean;
  /** Addresses of this machine are allowed, also over http: for development. */
  loopback: boolean;
}

type Fault = [code: string, path: PropertyKey[], message: string];

const NAME = /^[a-zA-Z](?:_?[a-zA-Z0-9-])*$/;
const RESERVED = ['call_agent', 'unknown'];

/** The errors of an agent's HTTP tools. `taken` are the names of the other tools. */
export function httpToolFaults(
  tools: HttpToolSettings[],
  { isSigned, loopback }: HttpToolsKnown,
  taken: ReadonlySet<string>,
): Fault[] {
  const isTaken = (name: string, at: number) =>
    taken.has(name) || RESERVED.includes(name) || tools.findIndex((tool) => tool.name === name) < at;
  const faults = tools.flatMap(({ name, description, url }, at): Fault[] => {
    const urlFault = faultOfUrl(url, loopback);
    return [
      ...(NAME.test(name) ? [] : [fault(at, 'name', 'must be letters, digits, hyphens and single underscores')]),
      ...(isTaken(name, at) ? [fault(at, 'name', `is the name of another tool: '${name}'`, 'duplicate')] : []),
      ...(description.trim() === '' ? [fault(at, 'description', 'must not be empty')] : []),
      ...(urlFault ? [fault(at, 'url', urlFault)] : []),
    ];
  });
  if (tools.length === 0 || isSigned) return faults;
  const unsigned = 'need a signing secret: make one with POST /v1/publisher/agents/{agent_id}/http_tools/secret';
  return [...faults, ['no_signing_secret', ['http_tools'], unsigned]];
}

const fault = (at: number, member: string, message: string, code = 'invalid'): Fault => [
  code,
  ['http_tools', at, member],
  message,
];

/** Why an address cannot be called. Numbers are refused, because callers read the host; each call checks where the name resolves. */
function faultOfUrl(text: string, loopback: boolean): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'must be an absolute address, such as https://example.com/tools/orders';
  if (url.username || url.password) return 'must have no user name and password: calls are signed';
  if (url.hash) return 'must have no fragment';
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isLoopback = ['localhost', '127.0.0.1', '::1'].includes(hostname);
  if (isLoopback && loopback && ['http:', 'https:'].includes(url.protocol)) return undefined;
  if (url.protocol !== 'https:') return 'must be an https address';
  if (isIP(hostname)) return 'must have a name as its host, not a number';
  return isPrivateName(hostname) ? 'must be on the public internet' : undefined;
}

/** The host that a tool's calls reach, as callers read it. */
export const hostOf = ({ url }: Pick<HttpToolSettings, 'url'>): string => URL.parse(url)?.host ?? url;

/** The hosts that receive what an agent's model sends to its HTTP tools. */
export const hostsOf = ({ http_tools: tools }: Pick<AgentConfiguration, 'http_tools'>): string[] => [
  ...new Set((tools ?? []).map(hostOf)),
];

/** All names by which an agent's model may call a tool, except those of plugins, which begin with `<plugin>__`. */
export const toolNamesOf = ({
  tools,
  http_tools: own,
  agents,
}: Pick<AgentConfiguration, 'tools' | 'http_tools' | 'agents'>): string[] => [
  ...tools,
  ...(own ?? []).map(({ name }) => name),
  ...(agents?.length ? ['call_agent'] : []),
];
