import type { Bench } from './area.ts';
import { chatRequest } from './load.ts';
import { inShortRounds, type LoadFigure, measurePoint, medianAt, type Point, withTargets } from './point.ts';
import { errorsRow, none, pointRow, type Row, short } from './report.ts';

const CONNECTIONS = [64, 16, 1];

/** Points by connections. In the place of bare Koa is one that has a row of each call on the disk before it answers. */
type DurableFigures = { connections: number; point: Point<LoadFigure> }[];

/** What the promise costs any server: to have a bill on the database's disk before the answer ends, without anything else that we do. */
export function measureDurable({ installation, plan, onProgress }: Bench): Promise<DurableFigures> {
  const request = chatRequest({ key: installation.secret, stream: false });
  const rounds = inShortRounds(plan);
  return withTargets(
    installation,
    0,
    async (targets) => {
      const figures: DurableFigures = [];
      for (const connections of CONNECTIONS) {
        onProgress(`a durable insert, ${connections} in flight`);
        figures.push({ connections, point: await measurePoint(targets, { request, connections }, rounds) });
      }
      return figures;
    },
    'durableKoa',
  );
}

export function rowsOfDurable(figures: DurableFigures): Row[] {
  const rows = figures.flatMap(({ connections, point }) => {
    const at = `, ${connections} in flight; bare Koa with a durable insert`;
    return [
      pointRow<LoadFigure>(`req/s${at}`, { point, of: 'requestsPerSecond' }),
      pointRow<LoadFigure>(`CPU µs a request${at}`, { point, of: 'cpuMicrosPerRequest' }),
      databaseRow(`PostgreSQL CPU µs a call${at}`, point),
    ];
  });
  return [
    ...rows,
    errorsRow(
      'a durable insert',
      figures.map(({ point }) => point),
    ),
  ];
}

const databaseRow = (figure: string, point: Point<LoadFigure>): Row => ({
  ...none,
  figure,
  ours: short(medianAt(point, 'ours', 'databaseMicrosPerRequest')),
  koa: short(medianAt(point, 'koa', 'databaseMicrosPerRequest')),
});
