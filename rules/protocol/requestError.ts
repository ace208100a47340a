/** A refusal of a request: OpenAI's four-field error object with its status. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly retryAfterSeconds: number;

  constructor(status: number, code: string, message: string, param: string | null = null, retryAfterSeconds = 1) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.code = code;
    this.param = param;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  toBody(): { error: { message: string; type: string; param: string | null; code: string } } {
    const type = this.status < 500 ? 'invalid_request_error' : 'api_error';
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}

/** 400: the value of `param` is invalid. */
export function invalidValue(param: string, message: string): RequestError {
  return new RequestError(400, 'invalid_value', message, param);
}

/** 400: `param` requests something that this model does not support. */
export function unsupportedParameter(param: string, why = 'it is not supported by this model'): RequestError {
  return new RequestError(400, 'unsupported_parameter', `Unsupported parameter: '${param}' (${why}).`, param);
}

/** 400: the prompt is too long. `param` is its parameter; the number of its tokens may be a text, as "at least 5000". */
export function contextLengthExceeded(
  promptTokens: number | string,
  contextTokens: number,
  param: string,
): RequestError {
  const message =
    `This model's maximum context length is ${contextTokens} tokens, ` +
    `but the input has ${promptTokens} tokens. Please shorten the input.`;
  return new RequestError(400, 'context_length_exceeded', message, param);
}

/** 503: too many calls wait. `waitMs` is the expected wait of the last one. */
export function overloaded(waitMs: number): RequestError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `The model is busy and its queue is full. Please try again in ${retryAfterSeconds} seconds.`;
  return new RequestError(503, 'overloaded', message, null, retryAfterSeconds);
}

/** 503: the model is not loaded; `message` has the reason. */
export function modelUnavailable(message: string): RequestError {
  return new RequestError(503, 'model_unavailable', message);
}
