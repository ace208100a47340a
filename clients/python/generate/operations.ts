import { listOf, nameOf, pythonName, type Document, type Operation, type Parameter, type Schema } from './document.ts';

/** How each kind of list names its next page: the parameter, and the field of a page, or of its last item, that has its value. */
const NEXT_PAGE: Record<string, string> = {
  cursor: 'next_cursor',
  after: 'last_id',
  next_page_token: 'next_page_token',
  start_after_history_item_id: 'last_history_item_id',
  pageToken: 'nextPageToken',
  before: 'date',
};

/** Headers that the client sends by itself, or that ask for a part of an answer. */
const OWN_HEADERS = ['Idempotency-Key', 'If-None-Match', 'If-Range', 'Range', 'Last-Event-ID'];

/** Calls of models read `Idempotency-Key` as all routes do that list it. */
const MODEL_CALL = /^\/v1\/(chat\/completions|completions|responses|embeddings|audio\/\w+)$/;

/** One method for each operation, and one more for each list: its items over all pages. */
export function operationsOf({ paths, components }: Document): string {
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => methodsOf(method, path, operation, components.schemas)),
  );
  return [HEAD, ...methods].join('\n');
}

const HEAD = `from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Literal, cast

from .streams import AsyncEventStream
from .transport import AsyncTransport

if TYPE_CHECKING:
    from ..generated import types as _t


class AsyncApi:
    """The plain calls: one method for each operation of /openapi.json, named by its method and path."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
`;

function methodsOf(method: string, path: string, operation: Operation, schemas: Document['components']['schemas']) {
  const call = callOf(method, path, operation);
  const { json, other, isStream } = answersOf(operation);
  if (method === 'get' && json && isStream) return [streamOf(call, json.replace(' | None', ''))];
  const methods = [];
  if (json || !other) methods.push(methodOf(call, call.name, 'json', json ?? 'None'));
  if (other) methods.push(methodOf(call, json ? `${call.name}_as` : call.name, 'bytes', 'bytes'));
  const page = pageOf(call, json?.replace('_t.', ''), schemas);
  if (page) methods.push(iteratorOf(call, page));
  return methods;
}

interface Call {
  name: string;
  method: string;
  path: string;
  text: string;
  body: { type: string; isRequired: boolean; argument: 'json' | 'form' } | undefined;
  inPath: Parameter[];
  inQuery: Parameter[];
  inHeader: Parameter[];
  isKeyed: boolean;
}

function callOf(method: string, path: string, operation: Operation): Call {
  const parameters = operation.parameters ?? [];
  const at = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  return {
    name: pythonName(operation.operationId).replace(/^(get|post|put|patch|delete)(_platform|_voiceapi|)_v1_/, '$1$2_'),
    method: method.toUpperCase(),
    path,
    text: [operation.summary, operation.description].filter(Boolean).join('\n\n'),
    body: bodyOf(operation),
    inPath: at('path'),
    inQuery: at('query'),
    inHeader: at('header').filter(({ name }) => !OWN_HEADERS.includes(name)),
    isKeyed: MODEL_CALL.test(path) || parameters.some(({ name }) => name === 'Idempotency-Key'),
  };
}

function bodyOf({ requestBody }: Operation): Call['body'] {
  if (!requestBody) return undefined;
  const { 'application/json': json, 'multipart/form-data': form } = requestBody.content;
  const isRequired = requestBody.required !== false;
  if (json && form) return { type: `${typeOf(json.schema)} | ${typeOf(form.schema)}`, isRequired, argument: 'form' };
  return { type: typeOf((json ?? form)!.schema), isRequired, argument: json ? 'json' : 'form' };
}

/** The type of a JSON answer, and whether there is one of another type, such as CSV or sound. */
function answersOf({ responses }: Operation) {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const types = good.flatMap(([, { content }]) => Object.entries(content ?? {}));
  const json = types.find(([type]) => type === 'application/json')?.[1].schema;
  const stream = types.find(([type]) => type === 'text/event-stream')?.[1].schema;
  const isStream = json !== undefined && stream !== undefined && typeOf(json) === typeOf(stream);
  const other = types.some(([type]) => !['application/json', 'text/event-stream'].includes(type));
  const isEmpty = good.some(([status]) => status === '204');
  return { json: json && typeOf(json) + (isEmpty ? ' | None' : ''), other, isStream };
}

function pageOf({ inQuery }: Call, name: string | undefined, schemas: Record<string, Schema>) {
  const page = name ? schemas[name] : undefined;
  const parameter = inQuery.find((one) => NEXT_PAGE[one.name]);
  const [items, list] = (page && listOf(page)) ?? [];
  const last = typeof list?.items === 'object' ? schemas[nameOf(list.items) ?? ''] : undefined;
  const next = parameter && NEXT_PAGE[parameter.name]!;
  if (!next || !items || !(page?.properties?.[next] ?? last?.properties?.[next])) return undefined;
  return { parameter: parameter.name, next, items, type: typeOf(list?.items as Schema) };
}

function methodOf(call: Call, name: string, expect: 'json' | 'bytes', type: string): string {
  const query = call.inQuery.filter(
    (parameter) => parameter.name !== 'format' || (expect === 'bytes' && name !== call.name),
  );
  const isRequired = (parameter: Parameter) => parameter.required || parameter.name === 'format';
  const keyed = call.method === 'POST' ? ['idempotency_key: str | None = None'] : [];
  const signature = signatureOf(call, [...query, ...call.inHeader], isRequired, keyed);
  const sent = [...argumentsOf(call, query), ...(expect === 'bytes' ? ['expect="bytes"'] : [])];
  const answer = `await self._transport.send(${[JSON.stringify(call.method), pathOf(call), ...sent].join(', ')})`;
  return [
    `    async def ${name}(${signature}) -> ${type}:`,
    docstring(call.text),
    type === 'None' ? `        ${answer}` : `        return cast("${type}", (${answer}).data)`,
    '',
  ].join('\n');
}

/** A read whose answer is nothing but events. */
function streamOf(call: Call, type: string): string {
  const query = call.inQuery.filter(({ name }) => name !== 'starting_after');
  const last = ['starting_after: str | None = None'];
  const signature = signatureOf(call, [...query, ...call.inHeader], ({ required }) => required, last);
  const table = argumentsOf(call, query).filter((one) => one.startsWith('query='));
  return [
    `    def ${call.name.replace(/^get_(.*?)(_stream)?$/, 'stream_$1')}(${signature}) -> AsyncEventStream[${type}]:`,
    docstring(call.text),
    `        return AsyncEventStream(${['self._transport', pathOf(call), ...table].join(', ')}, starting_after=starting_after)`,
    '',
  ].join('\n');
}

function iteratorOf(call: Call, page: NonNullable<ReturnType<typeof pageOf>>): string {
  const query = call.inQuery.filter(({ name }) => name !== page.parameter && name !== 'format');
  const signature = signatureOf(call, [...query, ...call.inHeader], ({ required }) => required, []);
  const sent = [pathOf(call), JSON.stringify(page.items), JSON.stringify(page.parameter), JSON.stringify(page.next)];
  return [
    `    def iter_${call.name.replace(/^get_/, '')}(${signature}) -> AsyncIterator[${page.type}]:`,
    docstring(`${call.text.split('\n')[0]}: all items, over all pages.`),
    `        return self._transport.iterate(${[...sent, ...argumentsOf(call, query)].join(', ')})`,
    '',
  ].join('\n');
}

function signatureOf(call: Call, named: Parameter[], isRequired: (parameter: Parameter) => boolean, last: string[]) {
  const { body } = call;
  const first = ['self', ...call.inPath.map(({ name }) => `${pythonName(name)}: str`)];
  if (body) first.push(body.isRequired ? `body: ${body.type}` : `body: ${body.type} | None = None`);
  const rest = named.map((parameter) => {
    const type = parameterType(parameter.schema);
    return `${pythonName(parameter.name)}: ${isRequired(parameter) ? type : `${type} | None = None`}`;
  });
  const all = [...first, ...(rest.length + last.length > 0 ? ['*'] : []), ...rest, ...last];
  return all.join(', ').length < 100 ? all.join(', ') : `\n        ${all.join(',\n        ')},\n    `;
}

function argumentsOf(call: Call, query: Parameter[]): string[] {
  const table = (parameters: Parameter[]) =>
    `{${parameters.map(({ name }) => `${JSON.stringify(name)}: ${pythonName(name)}`).join(', ')}}`;
  return [
    ...(call.body ? [`${call.body.argument}=body`] : []),
    ...(query.length > 0 ? [`query=${table(query)}`] : []),
    ...(call.inHeader.length > 0 ? [`headers=${table(call.inHeader)}`] : []),
    ...(call.method === 'POST' ? ['idempotency_key=idempotency_key'] : []),
    ...(call.method === 'POST' && !call.isKeyed ? ['repeatable=False'] : []),
  ];
}

const pathOf = ({ path, inPath }: Call) =>
  inPath.length > 0
    ? `self._transport.path(${[JSON.stringify(path), ...inPath.map(({ name }) => `${name}=${pythonName(name)}`)].join(', ')})`
    : JSON.stringify(path);

const typeOf = (schema: Schema): string => {
  const name = nameOf(schema);
  return name ? `_t.${name}` : 'Any';
};

function parameterType({ type, enum: values, items, anyOf, const: value }: Schema): string {
  if (anyOf) return [...new Set(anyOf.map(parameterType))].join(' | ');
  if (typeof value === 'string') return `Literal[${JSON.stringify(value)}]`;
  if (values) return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  if (type === 'integer') return 'int';
  if (type === 'number') return 'float';
  if (type === 'boolean') return 'bool';
  if (type === 'array') return `list[${typeof items === 'object' ? parameterType(items) : 'Any'}]`;
  if (type === 'object') return 'dict[str, Any]';
  return type === 'string' ? 'str' : 'Any';
}

function docstring(text: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const lines = safe.split('\n').flatMap(wrapped);
  if (lines.length === 1) return `        """${lines[0]}"""`;
  return `        """\n${lines.map((line) => (line ? `        ${line}` : '')).join('\n')}\n        """`;
}

/** A line of a text as lines of at most 110 characters. */
function wrapped(line: string): string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.pop()!;
    lines.push(...(last && last.length + word.length > 109 ? [last, word] : [last ? `${last} ${word}` : word]));
  }
  return lines;
}
