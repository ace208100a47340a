/** An amount as an input of US dollars begins with it: whole cents have both digits. */
export const usdInput = (usd: number): string =>
  Number.isInteger(Number((usd * 100).toFixed(7))) ? usd.toFixed(2) : String(usd);
