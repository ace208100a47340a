/**
 * Node's HTTP as it is required, not imported: an import reads every member of it, and some of them load all of Node's own fetch and
 * WebSocket, which nothing here uses. That is a twentieth of the API's start.
 */
export const { createServer, ServerResponse, STATUS_CODES, validateHeaderValue } =
  process.getBuiltinModule('node:http');
