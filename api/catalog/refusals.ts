import type { ChangeRefusal } from '../../db/liveCatalog/changeCatalog.ts';
import type { ProposalRefusal } from '../../db/liveCatalog/proposals.ts';
import type { ApiError } from '../../base/errors/apiError.ts';
import { conflict, notFound, validationError } from '../../base/errors/requestErrors.ts';
import { personRequired, secondPersonRequired } from '../guard/person.ts';

/** The members of entries as the routes name them. */
const NAMES: Record<string, string> = {
  baseUrl: 'base_url',
  timeoutsMs: 'timeouts_ms',
  outputLimit: 'output_limit',
  contextTokens: 'context_tokens',
  outputTokensMax: 'output_tokens_max',
  inputMediaTypes: 'input_media_types',
  supportedParameters: 'supported_parameters',
};

export const memberName = (member: string): string => NAMES[member] ?? member;

const issue = (member: string, msg: string) => [{ loc: ['body', member], msg, type: 'value_error' }];

export const entryNotFound = (kind: 'model' | 'upstream', name: string): ApiError =>
  notFound(`The catalogue has no ${kind} '${name}'.`, `${kind}_not_found`);

/** The error for an entry that was not changed. */
export function changeRefused(refusal: ChangeRefusal, kind: 'model' | 'upstream', name: string): ApiError {
  switch (refusal.reason) {
    case 'not_found':
      return entryNotFound(kind, name);
    case 'exists':
      return conflict(`${kind}_exists`, `The catalogue has this ${kind} already. Change it instead.`);
    case 'no_sealing_key':
      return conflict('no_sealing_key', 'Keys cannot be stored: CATALOG_SECRETS_KEY is not set.');
    case 'key_needed':
      return validationError(issue('api_key', 'State the key for the new address: a key is sent to no other address.'));
    case 'invalid': {
      const { member, message } = refusal;
      return validationError(issue(memberName(member ?? 'id'), message));
    }
    case 'in_use': {
      const models = refusal.models.map((id) => `'${id}'`).join(', ');
      return conflict(`${kind}_in_use`, `These models need it: ${models}. Change or disable them first.`);
    }
    case 'agents_use':
      return conflict('model_in_use', `Agents use the model '${refusal.model}'. Choose another one for agents first.`);
    default:
      return refusal satisfies never;
  }
}

/** The error for a proposal that was not decided. */
export function proposalRefused(refusal: ProposalRefusal, id: string): ApiError {
  switch (refusal) {
    case 'not_found':
      return notFound(`No price with the id '${id}'.`, 'price_not_found');
    case 'decided':
      return conflict('price_decided', 'This price was approved, rejected or withdrawn before.');
    case 'same_person':
      return secondPersonRequired('this price');
    case 'unknown_person':
      return personRequired('Prices are approved');
    case 'not_own':
      return conflict('not_proposer', 'Another operator proposed this price. Reject it instead.');
    default:
      return refusal satisfies never;
  }
}
