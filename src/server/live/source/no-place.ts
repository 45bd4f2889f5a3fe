import { Problem } from '../../../contract/problem.ts';

/** A cluster has as many lists open as this console keeps of one. */
export class NoPlace extends Problem {
  constructor(cluster: string, places: number) {
    super({
      status: 503,
      title: `${cluster} has ${places} lists open in this console, the maximum. This one opens as soon as another is closed.`,
    });
  }
}
