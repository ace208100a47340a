import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { auditExport, exportWorkspace } from '../../db/exports/exportWorkspace.ts';
import { type AdminCommand, byCommand, textOption } from './command.ts';
import { chosenWorkspaceId } from './workspaces.ts';

export const exportWorkspaceCommand: AdminCommand<{ to: string }> = {
  words: 'workspaces export',
  summary: 'Writes all rows and files of a workspace into an archive (tar, gzip), without its secrets.',
  arguments: '<id>',
  options: [textOption('--to <file>', 'the archive, which must not exist yet').makeOptionMandatory()],
  async run(input, { to: path }, [id]) {
    const workspaceId = await chosenWorkspaceId(input, id);
    const handle = await open(path, 'wx', 0o600);
    const file = handle.createWriteStream();
    const gzip = createGzip();
    await auditExport(input.db.everywhere, workspaceId, byCommand());
    const written = finished(gzip.pipe(file));
    // Reported below; an earlier error must not end the process.
    written.catch(() => undefined);
    const exported = await exportWorkspace(input.db.read(workspaceId), async (bytes) => {
      if (file.errored) throw file.errored;
      if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), written]);
    });
    gzip.end();
    await written;
    const count = Object.values(exported.rows).reduce((sum, rows) => sum + rows, 0);
    return {
      text: `${path}: ${count} rows of ${Object.keys(exported.rows).length} tables, ${exported.files} files (${exported.fileBytes} bytes).`,
      json: { path, workspace_id: workspaceId, ...exported },
    };
  },
};
