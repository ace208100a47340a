import { agentInputOf } from '../../db/agents/configuration.ts';
import type { ResolvedAgent } from '../../db/agents/publicAgents.ts';
import { findInputFiles } from '../../db/runs/createRun.ts';
import type { InputItem } from '../../db/runs/runRow.ts';
import { MIB, sizeText } from '../../base/limits.ts';
import type { Services } from '../services.ts';
import { fileNotFound, unsupportedInput } from './errors.ts';

// Each call of the model carries them again, a third larger as base64.
export const MEDIA_BYTES_MAX = 20 * MIB;

/**
 * Checks the files of a run's input: that the workspace has them, that the agent takes their types, and that those which go to the model
 * itself are together no larger than a call can carry. Throws 404 `file_not_found` or 422 `unsupported_input`.
 */
export async function checkInput(
  { db, agentModel }: Pick<Services, 'db' | 'agentModel'>,
  { workspaceId, input, agent }: { workspaceId: string; input: string | InputItem[]; agent: ResolvedAgent },
): Promise<void> {
  const items = typeof input === 'string' ? [] : input;
  const given = items.flatMap((item, at) => (item.type === 'input_file' ? [{ at, fileId: item.file_id }] : []));
  if (given.length === 0) return;
  const accepted = agentInputOf(agent.configuration, agentModel);
  if (!accepted.files) throw unsupportedInput(['input', given[0]!.at], 'This agent takes no files.');
  const ids = given.map(({ fileId }) => fileId);
  const files = await findInputFiles(db.orm, workspaceId, ids);
  let mediaBytes = 0;
  for (const { at, fileId } of given) {
    const file = files.get(fileId);
    if (!file) throw fileNotFound(['input', at, 'file_id'], fileId);
    if (!accepted.accepted_media_types.includes(file.mediaType))
      throw unsupportedInput(['input', at, 'file_id'], `This agent does not take files of the type ${file.mediaType}.`);
    if (agentModel.inputMediaTypes?.includes(file.mediaType)) mediaBytes += file.sizeBytes;
    if (mediaBytes > MEDIA_BYTES_MAX) throw unsupportedInput(['input', at, 'file_id'], TOO_MUCH_MEDIA);
  }
}

const TOO_MUCH_MEDIA = `The images and sounds of one run may have ${sizeText(MEDIA_BYTES_MAX)} together.`;
