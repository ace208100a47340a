/** Whether a value of an upstream's JSON is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object without its members that are null: clients and models send them for what they leave out. The object itself when it has none. */
export function withoutNulls<Value extends object>(value: Value): Value {
  for (const name in value) {
    if (value[name] === null)
      return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as Value;
  }
  return value;
}
