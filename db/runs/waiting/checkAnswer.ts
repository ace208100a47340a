import { isObject, LOST_NUMBER, lostNumberIn } from '../../../base/json.ts';
import { faultOfSchema, faultsOfData, type JsonSchema, type SchemaFault } from '../../../base/jsonSchema.ts';
import type { RequiredAction } from '../../entities/runStates.ts';
import { faultsOfAnswer } from './answerSchema.ts';
import type { GivenAnswer } from './actions.ts';

/** Why an answer does not fit its action: a form by its schema, changed arguments by the tool's. `path` leads from the answer. */
export function faultsOfActionAnswer(action: RequiredAction, answer: GivenAnswer): SchemaFault[] {
  if (answer.type === 'form') return within('data', faultsOfAnswer(action.schema as JsonSchema, answer.data));
  if (answer.type !== 'tool_approval' || answer.arguments === undefined) return [];
  const lost = lostNumberIn(answer.arguments);
  if (lost) return within('arguments', [{ path: lost, message: LOST_NUMBER }]);
  const { input_schema: schema } = action;
  // A plugin's schema may use more than can be checked here: then the tool itself checks.
  if (!isObject(schema) || faultOfSchema(schema)) return [];
  return within('arguments', faultsOfData(schema, answer.arguments));
}

const within = (member: string, faults: SchemaFault[]): SchemaFault[] =>
  faults.map(({ path, message }) => ({ path: [member, ...path], message }));
