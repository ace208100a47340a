import type { Model } from '../catalog.ts';
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
  'text/css',
  'text/javascript',
  'application/json',
  'application/jsonl',
  'application/xml',
  'application/yaml',
  'application/pdf',
  'image/svg+xml',
];

/**
 * What can be given to an agent: files when it has a tool to read them with, and the images and sounds (`inputMediaTypes`) that the model
 * which thinks for agents takes itself.
 */
export function agentInputOf(
  { tools }: Pick<AgentConfiguration, 'tools'>,
  { inputMediaTypes = [] }: Pick<Model, 'inputMediaTypes'>,
): AgentInput {
  const readable = tools.some((name) => FILE_TOOLS.includes(name)) ? READABLE_TYPES : [];
  const accepted = [...readable, ...inputMediaTypes];
  return { text: true, files: accepted.length > 0, accepted_media_types: accepted };
}
