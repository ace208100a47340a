/** 16-bit samples as the telephone network's 8-bit ones, by ITU-T G.711. */
export function companded(samples: Int16Array, law: 'ulaw' | 'alaw'): Buffer {
  const table = law === 'ulaw' ? muLawTable() : aLawTable();
  const bytes = Buffer.allocUnsafe(samples.length);
  for (let at = 0; at < samples.length; at++) bytes[at] = table[samples[at]! & 0xffff]!;
  return bytes;
}

let muLaw: Uint8Array | undefined;
let aLaw: Uint8Array | undefined;

const muLawTable = () => (muLaw ??= tableOf(muLawOf));
const aLawTable = () => (aLaw ??= tableOf(aLawOf));

function tableOf(codeOf: (sample: number) => number): Uint8Array {
  return Uint8Array.from({ length: 65_536 }, (_, unsigned) => codeOf((unsigned << 16) >> 16));
}

function muLawOf(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132;
  const exponent = 31 - Math.clz32(magnitude) - 7;
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function aLawOf(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  const magnitude = Math.min(sample < 0 ? ~sample : sample, 32_767) >> 4;
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 4);
  const mantissa = exponent === 0 ? magnitude & 0x1f : ((magnitude >> exponent) & 0x0f) | ((exponent + 1) << 4);
  return (sign | mantissa) ^ 0x55;
}

/** The 16-bit sample that one of the telephone network's stands for. */
export function expanded(code: number, law: 'ulaw' | 'alaw'): number {
  return law === 'ulaw' ? fromMuLaw(~code & 0xff) : fromALaw(code ^ 0x55);
}

function fromMuLaw(code: number): number {
  const magnitude = ((((code & 0x0f) << 3) + 132) << ((code & 0x70) >> 4)) - 132;
  return code & 0x80 ? -magnitude : magnitude;
}

function fromALaw(code: number): number {
  const exponent = (code & 0x70) >> 4;
  const mantissa = ((code & 0x0f) << 4) + (exponent === 0 ? 8 : 264);
  const magnitude = exponent > 1 ? mantissa << (exponent - 1) : mantissa;
  return code & 0x80 ? magnitude : -magnitude;
}
