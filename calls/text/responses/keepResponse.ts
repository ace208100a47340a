import type { CallServices } from '../../services.ts';
import type { PresentedResponse } from './presentResponse.ts';
import type { ParsedResponses } from './responsesRequest.ts';
import type { ResponsesRequest } from './responsesInput.ts';

/** What is kept of a response beside its output items, under its own id. */
export interface KeptResponse {
  id: string;
  response: PresentedResponse;
  input: ResponsesRequest['input'];
}

/** Keeps a response that has ended for a day, with its output items, unless its `store` is false. The input is kept as it was sent. */
export function keeperOf({ db }: Pick<CallServices, 'db'>, workspaceId: string, { request, echo }: ParsedResponses) {
  return (response: PresentedResponse): void => {
    if (!echo.store) return;
    const kept: KeptResponse = { id: response.id, response, input: request.input };
    db.responseItems.keep(workspaceId, [...response.output, kept]);
  };
}
