/**
 * Runs inside QuickJS before the program: builds the program's globals from the host's four functions, and returns how to write a value
 * as JSON. It keeps its own references, so that a program that changes built-ins affects only itself. Texts cross to and from the host as
 * JSON, because plain ones would end at their first NUL.
 */
export const PRELUDE = `(({ print, read, write, list }) => {
  const { parse, stringify } = JSON;
  const text = String;
  const { apply } = Reflect;
  const tag = Object.prototype.toString;
  const tagOf = (value) => apply(tag, value, []);
  const plain = (key, value) => (typeof value === 'bigint' ? text(value) : value);
  const show = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.name + ': ' + value.message + '\\n' + (value.stack ?? '');
    try {
      return typeof value === 'object' && value !== null ? stringify(value, plain) : text(value);
    } catch {
      return tagOf(value);
    }
  };
  const printer = (stream) => (...values) => print(stream, stringify(values.map(show).join(' ') + '\\n'));
  const out = printer('stdout');
  const err = printer('stderr');
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  define('console', { log: out, info: out, debug: out, warn: err, error: err });
  const named = (path) => stringify(text(path));
  define('readFile', (path) => parse(read(named(path), 'text')));
  define('readFileBytes', (path) => new Uint8Array(read(named(path), 'bytes')));
  define('writeFile', (path, content) => {
    if (typeof content === 'string') return write(named(path), stringify(content));
    if (content instanceof ArrayBuffer) return write(named(path), content);
    if (ArrayBuffer.isView(content)) {
      const { buffer, byteOffset, byteLength } = content;
      return write(named(path), buffer.slice(byteOffset, byteOffset + byteLength));
    }
    throw new TypeError('writeFile(path, content): content is a string or bytes');
  });
  define('listFiles', () => parse(list()));
  return (value) => {
    try {
      return stringify(value, plain) ?? null;
    } catch {
      return stringify(tagOf(value));
    }
  };
})`;
