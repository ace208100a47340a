const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'];

/** A size for people: `43 bytes`, `1.5 MiB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(1))} ${UNITS[unit]}`;
}
