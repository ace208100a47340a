/**
 * A request the text family refuses, answered with status 400 and type `invalid_request_error`.
 * `param` is the path of the member at fault as OpenAI writes it (`messages[0].content`), null for the body as a whole.
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

/** The refusal of a parameter, or of one of its values, that would change the answer and that this service cannot honour. */
export function unsupportedParameter(param: string, what: string = `'${param}'`): InvalidRequest {
  return new InvalidRequest(
    'unsupported_parameter',
    param,
    `Unsupported parameter: ${what} is not supported with this service.`,
  );
}

/** The refusal of a value of the right type that the parameter does not take. */
export function invalidValue(param: string, message: string): InvalidRequest {
  return new InvalidRequest('invalid_value', param, message);
}
