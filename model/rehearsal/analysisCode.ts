/** A program for the sandbox that prints the rows of a CSV file and, for each numeric column, sum, mean, least and greatest. */
export function analysisCode(path: string): string {
  return `const print = console.log;
const text = readFile(${JSON.stringify(path)});
const rows = text.trim().split(/\\r?\\n/).map((line) => {
  const cells = [''];
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (character === ',' && !quoted) cells.push('');
    else cells[cells.length - 1] += character;
  }
  return cells.map((cell) => cell.trim());
});
const [names, ...records] = rows;
print(records.length + ' rows');
names.forEach((name, column) => {
  const cells = records.map((record) => record[column]).filter((cell) => cell !== undefined && cell !== '');
  const numbers = cells.map(Number);
  if (cells.length === 0 || numbers.some(Number.isNaN)) return;
  // Decimal places as the file has them: sums of prices should not end in 0000001.
  const places = Math.max(...cells.map((cell) => (cell.split('.')[1] ?? '').length));
  const sum = numbers.reduce((total, number) => total + number, 0);
  print(name + ': sum ' + sum.toFixed(places) + ', mean ' + (sum / numbers.length).toFixed(places + 2) +
    ', least ' + Math.min(...numbers) + ', greatest ' + Math.max(...numbers));
});`;
}
