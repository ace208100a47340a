import { faultsOfData } from '../base/jsonSchema.ts';
import { MIB, sizeText } from '../base/limits.ts';
import type { AgentModels } from '../db/agents/agentModels.ts';
import { agentInputOf, type AgentConfiguration } from '../db/agents/configuration.ts';
import type { ResolvedAgent } from '../db/agents/publicAgents.ts';
import type { Model } from '../db/catalog/catalog.ts';
import type { Database } from '../db/database.ts';
import { scopeMissingFor } from '../db/keys/filePurposes.ts';
import { findInputFiles } from '../db/runs/createRun.ts';
import { filesIn } from '../db/runs/runInput.ts';
import type { Orderer } from './findAgent.ts';
import type { Order } from './order.ts';
import { OrderRefused, type Place } from './refused.ts';

interface InputServices {
  db: Pick<Database, 'read'>;
  agentModels: Pick<AgentModels, 'modelOf' | 'standard'>;
}

/** The input of a run. */
interface Given {
  by: Pick<Orderer, 'workspaceId' | 'scopes'>;
  order: Pick<Order, 'input' | 'session_id' | 'state'> & { response_format?: object | undefined };
  agent: Pick<ResolvedAgent, 'configuration'>;
}

// Each model call contains them again, a third larger as base64.
export const MEDIA_BYTES_MAX = 20 * MIB;

/**
 * Checks a run's input against its agent: data fits the input schema, files belong to the workspace, are for the key's scopes and have
 * accepted types, and the model's files fit together into one call. Refuses with `unsupported_input`, `unfit_data`, `file_not_found`,
 * `scope_not_allowed`.
 */
export async function checkInput(
  { db, agentModels }: InputServices,
  { by, order: { input, response_format: format, session_id: sessionId, state }, agent: { configuration } }: Given,
): Promise<void> {
  if (format && !configuration.accepts_response_format)
    throw unsupported(['response_format'], 'This agent takes no response_format: leave it out.');
  if (state && sessionId) throw unsupported(['state'], OLD_SESSION);
  checkData(input, configuration);
  const model = agentModels.modelOf(configuration) ?? agentModels.standard;
  await checkFiles(db, { by, input, configuration, model });
}

const OLD_SESSION =
  'Only a new session takes a state. Change the state of an existing one with PATCH /v1/sessions/{session_id}/state.';

function checkData(input: Order['input'], { input_schema: schema }: AgentConfiguration): void {
  const items = typeof input === 'string' ? [] : input;
  const at = items.findIndex(({ type }) => type === 'input_data');
  if (!schema) {
    if (at < 0) return;
    throw unsupported(['input', at], 'This agent has no input_schema: send text instead of data.');
  }
  if (typeof input === 'string' || at < 0) throw unsupported(['input'], NO_DATA);
  const other = items.findIndex(({ type }, index) => type !== 'input_file' && index !== at);
  if (other >= 0) throw unsupported(['input', other], 'This agent takes one item of data, and no text.');
  const { data } = items[at] as { data: object };
  const faults = faultsOfData(schema, data);
  if (faults.length > 0) throw new OrderRefused({ reason: 'unfit_data', place: ['input', at, 'data'], faults });
}

const NO_DATA =
  'This agent takes data: send one item {"type": "input_data", "data": …} that fits its input_schema, which GET /v1/agents shows.';

interface Files {
  by: Given['by'];
  input: Order['input'];
  configuration: AgentConfiguration;
  model: Model;
}

async function checkFiles(db: InputServices['db'], { by, input, configuration, model }: Files): Promise<void> {
  const given = filesIn(input);
  if (given.length === 0) return;
  const accepted = agentInputOf(configuration, model);
  if (!accepted.files) throw unsupported(['input', ...given[0]!.place], 'This agent takes no files.');
  const ids = given.map(({ fileId }) => fileId);
  const files = await findInputFiles(db.read(by.workspaceId), ids);
  let mediaBytes = 0;
  for (const { place: at, fileId } of given) {
    const place = ['input', ...at, 'file_id'];
    const file = files.get(fileId);
    if (!file) throw new OrderRefused({ reason: 'file_not_found', place, fileId });
    const scope = by.scopes && scopeMissingFor({ scopes: by.scopes }, file.purpose);
    if (scope) throw new OrderRefused({ reason: 'scope_not_allowed', scope });
    if (!accepted.accepted_media_types.includes(file.mediaType))
      throw unsupported(place, `This agent does not take files of the type ${file.mediaType}.`);
    if (model.inputMediaTypes?.includes(file.mediaType)) mediaBytes += file.sizeBytes;
    if (mediaBytes > MEDIA_BYTES_MAX) throw unsupported(place, TOO_MUCH_MEDIA);
  }
}

const TOO_MUCH_MEDIA = `The images and sounds of one run may have ${sizeText(MEDIA_BYTES_MAX)} together.`;

const unsupported = (place: Place, message: string) =>
  new OrderRefused({ reason: 'unsupported_input', place, message });
