import { escapeHtml } from '../../../base/web.ts';
import { prose } from './html.ts';

/** The part of a JSON Schema that the page shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

/** An object schema's members as a table. Nested members unfold. */
export function schemaTable(schema: Schema): string {
  const required = new Set(schema.required);
  const rows = Object.entries(schema.properties ?? {}).map(([name, member]) => row(name, member, required.has(name)));
  if (schema.oneOf !== undefined)
    return `<ul>${schema.oneOf.map((option) => `<li>${typeOf(option)}</li>`).join('')}</ul>`;
  const others = isOpen(schema) ? '<p class="open">Other members are allowed.</p>' : '';
  return rows.length === 0 ? others : `<table>${rows.join('')}</table>${others}`;
}

function isOpen({ properties, additionalProperties }: Schema): boolean {
  return properties !== undefined && typeof additionalProperties === 'object';
}

function row(name: string, schema: Schema, isRequired: boolean): string {
  const badge = isRequired ? ' <b class="required">required</b>' : '';
  const about = schema.description === undefined ? '' : `<p>${prose(schema.description)}</p>`;
  return `<tr><th><code>${escapeHtml(name)}</code>${badge}</th><td>${typeOf(schema)}${unlessSent(schema)}${about}${inside(schema)}</td></tr>`;
}

function unlessSent({ default: value }: Schema): string {
  if (value === undefined) return '';
  return ` <small>unless sent: ${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</small>`;
}

/** The object types inside a member, each as an unfolding table. */
function inside(schema: Schema): string {
  const objects = objectsIn(schema);
  if (objects.length === 0) return '';
  const tables = objects.map((object) => `<div class="nested">${nameOf(object)}${schemaTable(object)}</div>`);
  return `<details><summary>${objects.length > 1 ? 'one of these' : 'members'}</summary>${tables.join('')}</details>`;
}

function objectsIn(schema: Schema): Schema[] {
  if (schema.properties !== undefined) return [schema];
  const nested = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return nested.flatMap((part) => (part === undefined ? [] : objectsIn(part)));
}

/** Object types of a union are named by their constant members: `role: user`. */
function nameOf({ properties = {} }: Schema): string {
  const constants = Object.entries(properties).filter(([, member]) => member.const !== undefined);
  return constants.map(([name, member]) => `<code>${escapeHtml(`${name}: ${String(member.const)}`)}</code> `).join('');
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return link(schema.$ref);
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(' or ');
  if (schema.prefixItems !== undefined) return `list: ${schema.prefixItems.map(typeOf).join(', ')}`;
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}${limits(schema)}`;
  const { type = 'anything', additionalProperties } = schema;
  if (type === 'object' && schema.properties === undefined && isTyped(additionalProperties)) {
    return `object of ${typeOf(additionalProperties)}${limits(schema)}`;
  }
  return `${[type].flat().join(' or ')}${limits(schema)}`;
}

function isTyped(schema: Schema | boolean | undefined): schema is Schema {
  return typeof schema === 'object' && Object.keys(schema).length > 0;
}

const code = (value: unknown) => `<code>${escapeHtml(String(value))}</code>`;

function link(ref: string): string {
  const name = escapeHtml(ref.split('/').at(-1)!);
  return `<a href="#schema-${name}">${name}</a>`;
}

const LIMITS: Record<string, string> = {
  minimum: '≥',
  maximum: '≤',
  minLength: 'characters ≥',
  maxLength: 'characters ≤',
  minItems: 'items ≥',
  maxItems: 'items ≤',
  maxProperties: 'members ≤',
  pattern: 'like',
};

function limits({ format, ...schema }: Schema): string {
  // A format's name replaces its pattern.
  if (format !== undefined) return ` <small>${escapeHtml(format)}</small>`;
  const said = Object.entries(LIMITS).filter(([name]) => isOwnLimit(schema[name]));
  return said.map(([name, sign]) => ` <small>${sign} ${escapeHtml(String(schema[name]))}</small>`).join('');
}

/** Hides the limits that every JSON number has. */
function isOwnLimit(limit: unknown): boolean {
  return limit !== undefined && Math.abs(Number(limit)) !== Number.MAX_SAFE_INTEGER;
}
