import { newId } from '../../../db/ids.ts';
import { ApiError, type ErrorBody } from '../../../base/errors/apiError.ts';

/** An error as an event: `eventId` names the client's event that it is about. */
export const errorEvent = ({ type, code, message, param }: ErrorBody, eventId: string | null = null) => ({
  type: 'error',
  event_id: newId('event'),
  error: { type, code, message, param, event_id: eventId },
});

export const sessionExpired = (seconds: number) =>
  new ApiError({
    status: 400,
    code: 'session_expired',
    message: `The session has reached its longest duration of ${seconds} seconds. Open another one.`,
  });

/** An error body as an error again: of a call that ended by itself. */
export const asError = ({ code, message, param, type }: ErrorBody): ApiError =>
  new ApiError({ status: STATUSES[code] ?? (type === 'api_error' ? 500 : 400), code, message, param });

const STATUSES: Record<string, number> = {
  invalid_api_key: 401,
  insufficient_balance: 402,
  key_spend_limit_reached: 402,
  project_spend_limit_reached: 402,
};
