/**
 * A request that the text family refuses: status 400 and type `invalid_request_error`. `param` is the path of the faulty member in
 * OpenAI's form (`messages[0].content`), null for the body as a whole.
 */
export class InvalidRequest extends Error {
  readonly param: string | null;
  readonly code: string;

  constructor(code: string, param: string | null, message: string) {
    super(message);
    this.name = 'InvalidRequest';
    this.code = code;
    this.param = param;
  }
}

/** The error for a parameter, or one of its values, that would change the answer and is not supported here. `instead`: a sentence. */
export function unsupportedParameter(param: string, what: string = `'${param}'`, instead?: string): InvalidRequest {
  return new InvalidRequest(
    'unsupported_parameter',
    param,
    `Unsupported parameter: ${what} is not supported with this service.${instead ? ` ${instead}` : ''}`,
  );
}

/** The error for a value of the right type that the parameter does not allow. */
export function invalidValue(param: string, message: string): InvalidRequest {
  return new InvalidRequest('invalid_value', param, message);
}
