import { afterAll, describe, expect, test } from '@jest/globals';
import { seedAgents } from '../../db/publishing/houseAgents.ts';
import { setGuardStage } from '../support/guardStage.ts';
import { canary, makeOneOfEach } from './tenancyStage.ts';

interface Route {
  method: string;
  path: string;
  /** The documented body: of a form, its fields. */
  body?: { isForm: boolean; members: Record<string, unknown> };
}

const stage = await setGuardStage();
await seedAgents(stage.db.everywhere);
const scopes = ['llm', 'voice', 'batch', 'publisher', 'contents', 'manage'];
const [owner, stranger] = [await stage.account({ scopes }), await stage.account({ scopes })];
const owned = await makeOneOfEach(stage, owner);
const routes = routesOf((await (await stage.ask('/openapi.json')).json()) as OpenApi);
afterAll(() => stage.close());

interface OpenApi {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: object }> } }>>;
}

// The console is for operators, who see all workspaces.
function routesOf({ paths }: OpenApi): Route[] {
  return Object.entries(paths)
    .filter(([path]) => !path.startsWith('/console/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]) => ({ method, path, ...bodyOf(requestBody?.content) })),
    );
}

function bodyOf(content: Record<string, { example?: object }> | undefined): Pick<Route, 'body'> {
  if (!content) return {};
  const isForm = !content['application/json'];
  const { example = {} } = content['application/json'] ?? content['multipart/form-data']!;
  return { body: { isForm, members: example as Record<string, unknown> } };
}

async function send({ method, path, body }: Route, ids: Record<string, string>, { secret } = stranger) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? `{${name}}`);
  const ifMatch = path.startsWith('/v1/publisher/') ? { 'if-match': '"draft-1"' } : {};
  const json = body && !body.isForm ? { 'content-type': 'application/json' } : {};
  const response = await fetch(stage.api.url + filled, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${secret}`, ...ifMatch, ...json },
    body:
      body && (body.isForm ? formOf(body.members) : JSON.stringify({ ...body.members, ...idsIn(body.members, ids) })),
  });
  return { status: response.status, text: await response.text() };
}

// Bodies contain the owner's ids too.
const idsIn = (members: Record<string, unknown>, ids: Record<string, string>) =>
  Object.fromEntries(Object.entries(ids).filter(([name]) => name.endsWith('_id') && name in members));

function formOf(members: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) {
    if (String(value).startsWith('@')) form.append(name, new Blob([wav()]), 'sound.wav');
    else form.append(name, String(value));
  }
  return form;
}

/** A tenth of a second of silence. */
function wav(): Buffer<ArrayBuffer> {
  const header =
    '52494646' +
    'a40c0000' +
    '57415645666d7420' +
    '10000000' +
    '01000100' +
    '803e0000' +
    '007d0000' +
    '02001000' +
    '64617461' +
    '800c0000';
  return Buffer.concat([Buffer.from(header, 'hex'), Buffer.alloc(3_200)]);
}

// Well-formed ids that do not exist.
const unknownIds = (ids: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, id === 'own' ? id : id.replace(/^(\w*_)?..../, '$1zzzz')]),
  );

describe('a resource of another workspace', () => {
  test('has an example in this test for every id in a path', () => {
    const names = routes.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
    expect(names.filter((name) => !(name in owned) && name !== 'id')).toEqual([]);
  });

  test('is 404 on every route, as if it did not exist', async () => {
    const unknown = unknownIds(owned);
    const answers: object[] = [];
    for (const route of routes.filter(({ path }) => /\{(?!id\})/.test(path))) {
      const [theirs, none] = [await send(route, owned), await send(route, unknown)];
      const shown = (text: string, ids: Record<string, string>) =>
        Object.entries(ids).reduce((rest, [name, id]) => (id.length > 3 ? rest.replaceAll(id, name) : rest), text);
      const isSame = theirs.status === none.status && shown(theirs.text, owned) === shown(none.text, unknown);
      const tellsSomething = theirs.text.includes(canary);
      if (theirs.status !== 404 || !isSame || tellsSomething) answers.push({ route, theirs, none });
    }
    expect(answers).toEqual([]);
  });

  test('is in no list', async () => {
    const told: string[] = [];
    // Without an end: test/api/webhooks/eventStream.test.ts reads it.
    const endless = '/platform/v1/events/stream';
    const lists = routes.filter(({ method, path }) => method === 'get' && !path.includes('{') && path !== endless);
    for (const route of lists) {
      const { status, text } = await send(route, {});
      if (text.includes(canary)) told.push(`${status} ${route.path}`);
    }
    expect(told).toEqual([]);
  });

  test('is unchanged afterwards', async () => {
    const paths = [
      '/v1/files/{file_id}',
      '/v1/sessions/{session_id}',
      '/v1/runs/{run_id}',
      '/v1/publisher/agents/{agent_id}',
    ];
    for (const path of [
      ...paths,
      '/platform/v1/webhook_endpoints/{endpoint_id}',
      '/voiceapi/v1/voices/{voice_id}',
      '/voiceapi/v1/history/{item_id}',
    ])
      expect({ path, ...(await send({ method: 'get', path }, owned, owner)) }).toMatchObject({ path, status: 200 });
  });
});
