/**
 * Runs inside QuickJS before the program: makes the globals of a program out of the host's four functions, and gives back how to
 * write a value as JSON. It keeps its own references, so that a program that changes built-ins changes only what it sees.
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
  const printer = (stream) => (...values) => print(stream, values.map(show).join(' ') + '\\n');
  const out = printer('stdout');
  const err = printer('stderr');
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  define('console', { log: out, info: out, debug: out, warn: err, error: err });
  define('readFile', (path) => read(text(path), 'text'));
  define('readFileBytes', (path) => new Uint8Array(read(text(path), 'bytes')));
  define('writeFile', (path, content) => {
    if (typeof content === 'string') return write(text(path), content);
    if (content instanceof ArrayBuffer) return write(text(path), content);
    if (ArrayBuffer.isView(content)) {
      const { buffer, byteOffset, byteLength } = content;
      return write(text(path), buffer.slice(byteOffset, byteOffset + byteLength));
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
