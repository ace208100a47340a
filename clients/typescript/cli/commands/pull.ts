import { resolve } from 'node:path';
import { Command } from 'commander';
import { filesOfDraft } from '../agentFolder/filesOfDraft.ts';
import { writeFolder } from '../agentFolder/writeFolder.ts';
import { clientOf, connectionOf } from '../credentials/connection.ts';
import type { GlobalOptions } from '../globalOptions.ts';
import { printResult, withExamples } from '../output.ts';
import { readFileOf } from '../publishing/files.ts';
import { ownAgent } from '../publishing/ownAgents.ts';
import { out } from '../terminal/colors.ts';

export const pull = withExamples(
  new Command('pull')
    .description('write the draft of an agent of the workspace into a folder')
    .argument('<agent>', 'acme/poet')
    .argument('[folder]', 'where its files go; one with its slug when left out')
    .option('--force', 'replace files')
    .action(async (name: string, folder: string | undefined, options: { force?: boolean }, self: Command) => {
      const client = await clientOf(self);
      const { api } = client;
      const agent = await ownAgent(client, name);
      const params = { path: { agent_id: agent.id } };
      const { data: draft } = await api.GET('/v1/publisher/agents/{agent_id}/draft', { params });
      const { data: set } = await api.GET('/v1/publisher/agents/{agent_id}/evaluation-set', { params });
      const icon = draft.icon_file_id ? await readFileOf(client, draft.icon_file_id) : undefined;
      const schema = `${connectionOf(self.optsWithGlobals<GlobalOptions>()).baseUrl}/schemas/agent.json`;
      const { namespace, slug } = agent;
      const files = filesOfDraft({ schema, namespace, slug, draft, cases: set.cases, icon });
      const path = folder ?? slug;
      await writeFolder(path, files, { force: options.force ?? false, hint: 'Name another folder, or add --force.' });
      const written = { object: 'agent_folder', folder: resolve(path), namespace, slug, files: Object.keys(files) };
      printResult(self, written, () => `${out.green('✓')} Wrote ${written.files.join(', ')} to ${path}.`);
    }),
  [['ledgerline pull acme/poet'], ['ledgerline pull acme/poet . --force', 'into this folder, as the service has it']],
);
