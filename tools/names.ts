/** The built-in tools. */
export const BUILT_IN_TOOL_NAMES = [
  'run_code',
  'read_file',
  'write_file',
  'list_files',
  'search_files',
  'fetch_url',
  'return_data',
] as const;

export type BuiltInToolName = (typeof BUILT_IN_TOOL_NAMES)[number];

/** The tool by which a model asks the caller. The run waits for its caller instead of executing it. */
export const ASK_USER_NAME = 'ask_user';

/** All tools that an agent may name, besides those of its plugins. */
export const AGENT_TOOL_NAMES: ReadonlySet<string> = new Set([...BUILT_IN_TOOL_NAMES, ASK_USER_NAME]);
