/** The tools that an agent may name, besides those of its plugins. */
export const builtInToolNames = [
  'run_code',
  'read_file',
  'write_file',
  'list_files',
  'search_files',
  'fetch_url',
] as const;

export type BuiltInToolName = (typeof builtInToolNames)[number];
