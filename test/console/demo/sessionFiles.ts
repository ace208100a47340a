import Document from 'pdfkit';
import { createChance } from './chance.ts';

const FEATURES = [
  ['Bore D12 H7', 12, 0.018],
  ['Bore D8 H7', 8, 0.015],
  ['Flatness A', 0, 0.012],
  ['Length 84', 84, 0.05],
] as const;

/** Measured values of a batch of parts. */
export const MEASUREMENTS = ((): string => {
  const chance = createChance(2231);
  const lines = Array.from({ length: 48 }, (_, at) => {
    const [feature, nominal, tolerance] = FEATURES[at % FEATURES.length]!;
    const part = 1 + Math.floor(at / FEATURES.length);
    const deviation = part === 5 ? tolerance * 1.2 : (chance.next() - 0.5) * tolerance;
    return `${part},${feature},${nominal},${tolerance},${(nominal + deviation).toFixed(3)}`;
  });
  return ['part,feature,nominal,tolerance,value', ...lines].join('\n');
})();

export const TRANSCRIPT = `Dana: The new firmware runs on all test arms since Monday.
Jonas: Station 7 still shows torque peaks. I need the curves until the fourth.
Felix: The galvaniser wants a new contract. I will read it until the eleventh.
Maya: The price stays as it is until March. Agreed?
All: Agreed.`;

/** A contract of two pages. */
export async function contractPdf(): Promise<Buffer<ArrayBuffer>> {
  const document = new Document({ size: 'A4' });
  document.fontSize(20).text('Supply contract').moveDown();
  document.fontSize(11).text('between Hallmark Castings AB, Gothenburg, and Northwind Robotics AB, Malmö').moveDown();
  for (const [title, text] of CLAUSES) document.fontSize(13).text(title).fontSize(11).text(text).moveDown();
  document.end();
  const parts: Buffer[] = [];
  for await (const part of document) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const CLAUSES = [
  ['§ 1 Subject', 'The supplier delivers castings to the drawings in annex A, in the quantities of each call-off.'],
  ['§ 6.4 Prices', 'Prices may change once a year with a notice of three months. A change above 5 % needs consent.'],
  ['§ 9 Delivery', 'Four weeks after a call-off, free to the plant in Malmö. Partial deliveries need consent.'],
  ['§ 14.2 Termination', 'Either party may terminate with a notice of six months to the end of a calendar year.'],
  ['§ 17 Liability', 'Liability for slight negligence is limited to the value of the call-off concerned.'],
] as const;
