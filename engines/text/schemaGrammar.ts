import { jsonLiteral, JSON_RULES, literal, STRING_FORMATS, integerRange, wholeBounds } from './jsonRules.ts';
import { isObject } from '../../base/json.ts';
import { relaxSchema } from './relaxSchema.ts';
import { RequestError } from '../../rules/protocol/requestError.ts';

type Schema = Record<string, unknown>;

const ANNOTATIONS = new Set(
  '$schema $id $comment $defs definitions title description default examples deprecated readOnly writeOnly'.split(' '),
);
const KEYWORDS_OF_TYPE: Record<string, string[]> = {
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
};
const SHAPES = ['$ref', 'const', 'enum', 'anyOf', 'oneOf', 'allOf'];
const KNOWN_KEYWORDS = new Set([...ANNOTATIONS, ...Object.values(KEYWORDS_OF_TYPE).flat(), ...SHAPES, 'type']);

// The grammar engine refuses longer repetitions.
const REPETITIONS_MAX = 1000;
const NODES_MAX = 2000;
const DEPTH_MAX = 50;
// The engine expands every repetition, so their sum determines a grammar's cost.
const REPETITIONS_TOTAL_MAX = 10_000;

/**
 * Turns JSON Schemas into rules of llama.cpp's grammar language, so that generated text can only be matching JSON. It may produce less than
 * a schema allows (no undeclared members beside declared ones, integers up to 15 digits), never more.
 */
export class SchemaGrammar {
  #rules = new Map(Object.entries(JSON_RULES));
  #names = new Map<string, string>();
  #cost = { repetitions: 0 };
  #nodes = 0;

  /** Adds a rule and returns its name; equal rules are shared. */
  add(body: string): string {
    const name = this.#names.get(body) ?? `r${this.#names.size}`;
    this.#names.set(body, name);
    this.#rules.set(name, body);
    return name;
  }

  /**
   * Adds a schema and returns the name of its rule.
   * @throws RequestError 400 `invalid_json_schema` naming the keyword that cannot be guaranteed, with `param`.
   */
  addSchema(schema: Schema, param: string): string {
    const refs = new Map<string, string>();
    return this.#compile(schema, { root: schema, refs, param, path: '', depth: 0, cost: this.#cost });
  }

  /** Adds the expressible part of a schema that is only a hint, and returns the name of its rule: at worst any object. */
  addHint(schema: Schema, param: string): string {
    const before = {
      rules: new Map(this.#rules),
      names: new Map(this.#names),
      cost: { ...this.#cost },
      nodes: this.#nodes,
    };
    try {
      return this.addSchema({ type: 'object', ...(relaxSchema(schema) as Schema) }, param);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#rules = before.rules;
      this.#names = before.names;
      this.#cost = before.cost;
      this.#nodes = before.nodes;
      return 'object';
    }
  }

  toString(root: string): string {
    const lines = [...this.#rules].map(([name, body]) => `${name} ::= ${body}`);
    return [`root ::= ${root}`, ...lines].join('\n');
  }

  #compile(schema: unknown, place: Place): string {
    if ((this.#nodes += 1) > NODES_MAX) throw tooManyParts(place);
    if (place.depth > DEPTH_MAX) throw refusal(place, `the schema is nested more than ${DEPTH_MAX} deep`);
    if (schema === true) return 'value';
    if (!isObject(schema)) throw refusal(place, 'it is not a JSON Schema');
    for (const key of Object.keys(schema)) {
      if (!KNOWN_KEYWORDS.has(key)) throw refusal(place, `'${key}' cannot be guaranteed by this model`);
    }
    const shape = SHAPES.find((key) => key in schema);
    return shape ? this.#compileShape(shape, schema, place) : this.#compileTypes(schema, place);
  }

  #compileShape(shape: string, schema: Schema, place: Place): string {
    if (shape === 'const' || shape === 'enum') return this.#literals(shape, schema, place);
    const beside = Object.keys(schema).find((key) => key !== shape && !ANNOTATIONS.has(key));
    if (beside) throw refusal(place, `'${beside}' beside '${shape}' cannot be guaranteed by this model`);
    if (shape === '$ref') return this.#reference(String(schema.$ref), place);
    const branches = schema[shape];
    if (!Array.isArray(branches) || branches.length === 0) throw refusal(place, `'${shape}' must be a list`);
    if (shape === 'allOf' && branches.length > 1)
      throw refusal(place, "'allOf' of several schemas cannot be guaranteed");
    return this.add(branches.map((branch, at) => this.#compile(branch, inside(place, `${shape}/${at}`))).join(' | '));
  }

  #literals(shape: string, schema: Schema, place: Place): string {
    const listed = shape === 'const' ? [schema.const] : schema.enum;
    const types = typesOf(schema);
    const values = Array.isArray(listed) ? listed.filter((value) => types.length === 0 || hasType(value, types)) : [];
    if (values.length === 0) throw refusal(place, `'${shape}' allows no value`);
    if ((this.#nodes += values.length - 1) > NODES_MAX) throw tooManyParts(place);
    return this.add(values.map(jsonLiteral).join(' | '));
  }

  /** The rule's name is reserved before its body is known, so that a schema may refer to itself. */
  #reference(pointer: string, place: Place): string {
    const reserved = place.refs.get(pointer);
    if (reserved) return reserved;
    const name = this.add(literal(`${place.param}${pointer}`));
    place.refs.set(pointer, name);
    this.#rules.set(name, this.#compile(resolve(pointer, place), { ...place, path: pointer, depth: place.depth + 1 }));
    return name;
  }

  #compileTypes(schema: Schema, place: Place): string {
    const types = typesOf(schema);
    if (types.length === 0) return 'value';
    return this.add(types.map((type) => this.#compileType(type, schema, place)).join(' | '));
  }

  #compileType(type: string, schema: Schema, place: Place): string {
    switch (type) {
      case 'object':
        return this.#object(schema, place);
      case 'array':
        return this.#array(schema, place);
      case 'string':
        return this.add(stringBody(schema, place));
      case 'integer':
      case 'number':
        return this.add(numberBody(type, schema, place));
      case 'boolean':
      case 'null':
        return type;
      default:
        throw refusal(place, `'${type}' is not a type`);
    }
  }

  #object(schema: Schema, place: Place): string {
    const { additionalProperties: others, properties: declarations = {}, required: names = [] } = schema;
    if (!isObject(declarations)) throw refusal(place, "'properties' must be an object");
    if (!Array.isArray(names)) throw refusal(place, "'required' must be a list");
    const properties = Object.entries(declarations);
    const required = new Set(names as string[]);
    const isMap = properties.length === 0 && others !== false && (others !== undefined || !schema.properties);
    if (isMap && required.size === 0) return this.#map(schema, place);
    const declared = new Set(properties.map(([name]) => name));
    const undeclared = [...required].find((name) => !declared.has(name));
    if (undeclared) throw refusal(place, `'required' names '${undeclared}', which is not in 'properties'`);
    const members = properties.map(([name, property]) => ({
      rule: `${jsonLiteral(name)} colon ${this.#compile(property, inside(place, `properties/${name}`))}`,
      required: required.has(name),
    }));
    checkPropertyCount(schema, members, place);
    return this.add(`"{" ${this.#members(members)} "}"`);
  }

  /** Members in their declared order; optional ones may be omitted, and commas appear only between those present. */
  #members(members: Array<{ rule: string; required: boolean }>): string {
    let first = '""';
    let rest = '""';
    for (const { rule, required } of members.toReversed()) {
      first = this.add(required ? `${rule} ${rest}` : `${rule} ${rest} | ${first}`);
      rest = this.add(required ? `comma ${rule} ${rest}` : `comma ${rule} ${rest} | ${rest}`);
    }
    return first;
  }

  #map(schema: Schema, place: Place): string {
    const others = schema.additionalProperties ?? true;
    const member = this.add(`string colon ${this.#compile(others, inside(place, 'additionalProperties'))}`);
    // A repeated key would count once, so a minimum number of members cannot be guaranteed.
    if (Number(schema.minProperties ?? 0) > 1) throw refusal(place, "'minProperties' above 1 cannot be guaranteed");
    return this.add(`"{" ${list(member, schema.minProperties, schema.maxProperties, place)} "}"`);
  }

  #array(schema: Schema, place: Place): string {
    const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    if (prefix.length > 0) return this.#tuple(prefix, schema, place);
    const item = this.#compile(schema.items ?? true, inside(place, 'items'));
    return this.add(`"[" ${list(item, schema.minItems, schema.maxItems, place)} "]"`);
  }

  #tuple(prefix: unknown[], schema: Schema, place: Place): string {
    const length = prefix.length;
    if (Number(schema.minItems ?? 0) > length || Number(schema.maxItems ?? length) < length) {
      throw refusal(place, "'prefixItems' with another number of items cannot be guaranteed");
    }
    const items = prefix.map((item, at) => this.#compile(item, inside(place, `prefixItems/${at}`)));
    return this.add(`"[" ${items.join(' comma ')} "]"`);
  }
}

interface Place {
  root: Schema;
  refs: Map<string, string>;
  param: string;
  path: string;
  depth: number;
  cost: { repetitions: number };
}

function inside(place: Place, step: string): Place {
  return { ...place, path: `${place.path}/${step}`, depth: place.depth + 1 };
}

function refusal(place: Place, why: string): RequestError {
  const message = `Invalid schema for '${place.param}': at '${place.path || '/'}', ${why}.`;
  return new RequestError(400, 'invalid_json_schema', message, place.param);
}

const tooManyParts = (place: Place) => refusal(place, `the schema has more than ${NODES_MAX} parts and values`);

function typesOf(schema: Schema): string[] {
  if (typeof schema.type === 'string') return [schema.type];
  if (Array.isArray(schema.type)) return schema.type as string[];
  const implied = Object.entries(KEYWORDS_OF_TYPE).find(([, keywords]) => keywords.some((key) => key in schema));
  return implied ? [implied[0]] : [];
}

function hasType(value: unknown, types: string[]): boolean {
  if (Number.isInteger(value) && types.includes('integer')) return true;
  if (value === null) return types.includes('null');
  return types.includes(Array.isArray(value) ? 'array' : typeof value);
}

function resolve(pointer: string, place: Place): unknown {
  if (!pointer.startsWith('#')) throw refusal(place, `'$ref' to '${pointer}' is outside the schema`);
  let target: unknown = place.root;
  for (const step of pointer.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    target = (target as Schema | undefined)?.[key];
  }
  if (target === undefined) throw refusal(place, `'$ref' to '${pointer}' leads nowhere`);
  return target;
}

function checkPropertyCount(schema: Schema, members: Array<{ required: boolean }>, place: Place): void {
  const requiredCount = members.filter((member) => member.required).length;
  if (Number(schema.minProperties ?? 0) > requiredCount) throw refusal(place, "'minProperties' cannot be guaranteed");
  if (Number(schema.maxProperties ?? members.length) < members.length) {
    throw refusal(place, "'maxProperties' cannot be guaranteed");
  }
}

function list(item: string, min: unknown, max: unknown, place: Place): string {
  const { from, to } = lengths(min, max, place);
  if (to === 0) return '""';
  const more = `(comma ${item}){${Math.max(0, from - 1)},${to === undefined ? '' : to - 1}}`;
  return from > 0 ? `${item} ${more}` : `(${item} ${more})?`;
}

function lengths(min: unknown, max: unknown, place: Place): { from: number; to: number | undefined } {
  const from = Number(min ?? 0);
  if (from > REPETITIONS_MAX || (max !== undefined && Number(max) < from)) {
    throw refusal(place, `a least length of ${from} cannot be guaranteed`);
  }
  const to = max === undefined ? undefined : Math.min(Number(max), REPETITIONS_MAX);
  place.cost.repetitions += to ?? from;
  if (place.cost.repetitions > REPETITIONS_TOTAL_MAX)
    throw refusal(place, 'the lengths in the schema add up to too much');
  return { from, to };
}

function stringBody(schema: Schema, place: Place): string {
  if (schema.format !== undefined) {
    const format = STRING_FORMATS.get(schema.format);
    if (!format) throw refusal(place, `'format' ${JSON.stringify(schema.format)} cannot be guaranteed by this model`);
    if ('minLength' in schema || 'maxLength' in schema)
      throw refusal(place, "'format' with a length cannot be guaranteed");
    return `"\\"" ${format} "\\""`;
  }
  const { from, to } = lengths(schema.minLength, schema.maxLength, place);
  return `"\\"" char{${from},${to ?? ''}} "\\""`;
}

function numberBody(type: string, schema: Schema, place: Place): string {
  const { min, max } = wholeBounds(schema);
  if (min === -Infinity && max === Infinity) return type;
  const whole = integerRange(min, max);
  if (whole === undefined) throw refusal(place, 'a range without a whole number in it cannot be guaranteed');
  if (type === 'integer') return whole;
  return [whole, ...fractions(min, max)].join(' | ');
}

/** Fractional numbers within the same bounds: a fraction moves a number away from zero, so the outermost integers get none. */
function fractions(min: number, max: number): string[] {
  const above = integerRange(Math.max(0, min), max - 1);
  const below = integerRange(Math.max(0, -max), -min - 1);
  const fraction = '"." [0-9]{1,15}';
  return [...(above ? [`(${above}) ${fraction}`] : []), ...(below ? [`"-" (${below}) ${fraction}`] : [])];
}
