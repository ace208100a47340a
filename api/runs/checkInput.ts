import { MIB, sizeText } from '../../base/limits.ts';
import { faultsOfData } from '../../base/jsonSchema.ts';
import { agentInputOf, type AgentConfiguration } from '../../db/agents/configuration.ts';
import type { ResolvedAgent } from '../../db/agents/publicAgents.ts';
import { findInputFiles, type NewRun } from '../../db/runs/createRun.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { validationError } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import { fileNotFound, unsupportedInput } from './errors.ts';

/** What a run is given. */
interface Given {
  workspaceId: string;
  order: { input: NewRun['input']; response_format?: object | undefined };
  agent: Pick<ResolvedAgent, 'configuration'>;
}

// Each model call carries them again, a third larger as base64.
export const MEDIA_BYTES_MAX = 20 * MIB;

/**
 * Checks a run's input against its agent: data fits the input schema, files belong to the workspace and are of accepted types, and those sent
 * to the model fit together into one call. Throws 404 `file_not_found`, 422 `unsupported_input`, and 422 with the paths of data that does not fit.
 */
export async function checkInput(
  { db, agentModels }: Pick<Services, 'db' | 'agentModels'>,
  { workspaceId, order: { input, response_format: format }, agent: { configuration } }: Given,
): Promise<void> {
  if (format && !configuration.accepts_response_format)
    throw unsupportedInput(['response_format'], 'This agent takes no response_format: leave it out.');
  checkData(input, configuration);
  const model = agentModels.modelOf(configuration) ?? agentModels.standard;
  await checkFiles(db, { workspaceId, input, configuration, model });
}

function checkData(input: NewRun['input'], { input_schema: schema }: AgentConfiguration): void {
  const items = typeof input === 'string' ? [] : input;
  const at = items.findIndex(({ type }) => type === 'input_data');
  if (!schema) {
    if (at < 0) return;
    throw unsupportedInput(['input', at], 'This agent has no input_schema: send text instead of data.');
  }
  if (typeof input === 'string' || at < 0) throw unsupportedInput(['input'], NO_DATA);
  const other = items.findIndex(({ type }, index) => type !== 'input_file' && index !== at);
  if (other >= 0) throw unsupportedInput(['input', other], 'This agent takes one item of data, and no text.');
  const { data } = items[at] as { data: object };
  const place = ['body', 'input', `${at}`, 'data'];
  const faults = faultsOfData(schema, data);
  if (faults.length === 0) return;
  throw validationError(
    faults.map(({ path, message }) => ({ loc: [...place, ...path.map(String)], msg: message, type: 'value_error' })),
  );
}

const NO_DATA =
  'This agent takes data: send one item {"type": "input_data", "data": …} that fits its input_schema, which GET /v1/agents shows.';

async function checkFiles(
  db: Services['db'],
  {
    workspaceId,
    input,
    configuration,
    model,
  }: { workspaceId: string; input: NewRun['input']; configuration: AgentConfiguration; model: Model },
): Promise<void> {
  const items = typeof input === 'string' ? [] : input;
  const given = items.flatMap((item, at) => (item.type === 'input_file' ? [{ at, fileId: item.file_id }] : []));
  if (given.length === 0) return;
  const accepted = agentInputOf(configuration, model);
  if (!accepted.files) throw unsupportedInput(['input', given[0]!.at], 'This agent takes no files.');
  const ids = given.map(({ fileId }) => fileId);
  const files = await findInputFiles(db.read(workspaceId), ids);
  let mediaBytes = 0;
  for (const { at, fileId } of given) {
    const file = files.get(fileId);
    if (!file) throw fileNotFound(['input', at, 'file_id'], fileId);
    if (!accepted.accepted_media_types.includes(file.mediaType))
      throw unsupportedInput(['input', at, 'file_id'], `This agent does not take files of the type ${file.mediaType}.`);
    if (model.inputMediaTypes?.includes(file.mediaType)) mediaBytes += file.sizeBytes;
    if (mediaBytes > MEDIA_BYTES_MAX) throw unsupportedInput(['input', at, 'file_id'], TOO_MUCH_MEDIA);
  }
}

const TOO_MUCH_MEDIA = `The images and sounds of one run may have ${sizeText(MEDIA_BYTES_MAX)} together.`;
