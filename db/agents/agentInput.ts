import type { AgentConfiguration } from './configuration.ts';

/** What an agent can be given. */
export interface AgentInput {
  text: boolean;
  files: boolean;
  accepted_media_types: string[];
}

const FILE_TOOLS = ['read_file', 'list_files', 'search_files', 'run_code'];
const READABLE_TYPES = [
  'text/plain',
  'text/markdown',
  'text/csv',
  'text/tab-separated-values',
  'text/html',
  'application/json',
  'application/x-ndjson',
  'application/xml',
  'application/yaml',
  'application/pdf',
];

/** Follows from the tools: an agent takes files when it has something to read them with. */
export function agentInputOf({ tools }: Pick<AgentConfiguration, 'tools'>): AgentInput {
  const files = tools.some((name) => FILE_TOOLS.includes(name));
  return { text: true, files, accepted_media_types: files ? READABLE_TYPES : [] };
}
