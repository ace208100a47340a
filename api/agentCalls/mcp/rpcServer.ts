import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Answering = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/** The library's server, which answers parameters of a wrong form as JSON-RPC does: -32602, with a sentence. */
export class RpcServer extends Server {
  protected override _wrapHandler(method: string, handler: Answering): Answering {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      try {
        return await wrapped(request, ctx);
      } catch (error) {
        throw invalidParams(error) ?? error;
      }
    };
  }
}

interface Issue {
  path: (string | number)[];
  message: string;
}

/** The library throws what its schema says as JSON, for some methods behind words. Undefined for every other error. */
function invalidParams(error: unknown): ProtocolError | undefined {
  const [first] = issuesIn((error as Error).message.replace(/^Invalid [\w/]+ request: /, ''));
  if (!first) return undefined;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid ${first.path.join('.')}: ${first.message}.`);
}

function issuesIn(text: string): Issue[] {
  if (!text.startsWith('[')) return [];
  try {
    return (JSON.parse(text) as Issue[]).filter(
      ({ path, message }) => Array.isArray(path) && typeof message === 'string',
    );
  } catch {
    return [];
  }
}
