import type { Installation } from './installation.ts';
import type { Plan } from './plan.ts';
import type { Row } from './report.ts';

/** What an area measures with. */
export interface Bench {
  installation: Installation;
  plan: Plan;
  /** Where programs are looked for. */
  searchPath: string;
  onProgress: (text: string) => void;
}

/** A part of the benchmark that can be run alone. */
export interface Area {
  name: string;
  measure: (bench: Bench) => Promise<{ figures: unknown; rows: Row[] }>;
}

/** An area of a measurement and the rows of its figures. */
export function areaOf<Figures>(
  name: string,
  measure: (bench: Bench) => Promise<Figures>,
  rowsOf: (figures: Figures) => Row[],
): Area {
  return {
    name,
    measure: async (bench) => {
      bench.onProgress(name);
      const figures = await measure(bench);
      return { figures, rows: rowsOf(figures) };
    },
  };
}
