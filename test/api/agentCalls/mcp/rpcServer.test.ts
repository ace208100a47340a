import { expect, test } from '@jest/globals';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { RpcServer } from '../../../../api/agentCalls/mcp/rpcServer.ts';

const mcp = createMcpHandler(() => {
  const server = new RpcServer({ name: 'test', version: '1' }, { capabilities: { tools: {}, resources: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [] }));
  server.setRequestHandler('tools/call', () => Promise.reject(new Error('[no issue]')));
  server.setRequestHandler('resources/read', () => ({ contents: [] }));
  return server;
});

async function errorOf(method: string, params: object | undefined) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const request = new Request('http://127.0.0.1/v1/mcp', { method: 'POST', headers });
  const answer = await mcp.fetch(request, { parsedBody: { jsonrpc: '2.0', id: 7, method, params } });
  const { error } = JSON.parse(/^data: (.*)$/m.exec(await answer.text())![1]!) as {
    error: { code: number; message: string };
  };
  return error;
}

test.each([
  ['initialize', undefined, 'params', 'expected object, received undefined'],
  ['initialize', { protocolVersion: '2025-06-18' }, 'params.capabilities', 'expected object, received undefined'],
  ['tools/list', { cursor: 1 }, 'params.cursor', 'expected string, received number'],
  ['tools/call', { name: 1 }, 'params.name', 'expected string, received number'],
  ['resources/read', {}, 'params.uri', 'expected string, received undefined'],
])('%s names a parameter of a wrong form: %j', async (method, params, place, fault) => {
  const message = `Invalid ${place}: Invalid input: ${fault}.`;
  expect(await errorOf(method, params)).toEqual({ code: -32_602, message });
});

test('another error stays as it is', async () => {
  expect(await errorOf('tools/call', { name: 'a' })).toEqual({ code: -32_603, message: '[no issue]' });
});
