/** A `Date` whose present is off by so many milliseconds. */
export const shiftedDate = (TrueDate: DateConstructor, offsetMs: () => number): DateConstructor =>
  new Proxy(TrueDate, {
    construct: (target, args) =>
      Reflect.construct(target, args.length === 0 ? [target.now() + offsetMs()] : args) as Date,
    get: (target, name) => (name === 'now' ? () => target.now() + offsetMs() : (Reflect.get(target, name) as unknown)),
  });
