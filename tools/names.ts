/** The tools that are programs of ours. */
export const builtInToolNames = [
  'run_code',
  'read_file',
  'write_file',
  'list_files',
  'search_files',
  'fetch_url',
  'return_data',
] as const;

export type BuiltInToolName = (typeof builtInToolNames)[number];

/** The tool by which a model asks the caller. No program answers it: the run waits for its caller. */
export const askUserName = 'ask_user';

/** All tools that an agent may name, besides those of its plugins. */
export const agentToolNames: ReadonlySet<string> = new Set([...builtInToolNames, askUserName]);
