import { certificateSituations } from './situations/certificates.ts';
import { controllerSituations } from './situations/controllers.ts';
import { dependencySituations } from './situations/dependencies.ts';
import { disruptionSituations } from './situations/disruptions.ts';
import { laterSituations } from './situations/later.ts';
import { nodeSituations } from './situations/nodes.ts';
import { podSituations } from './situations/pods.ts';
import { policySituations } from './situations/policies.ts';
import { routingSituations } from './situations/routing.ts';
import { secondSituations } from './situations/second.ts';
import type { Situation } from './situations/situation.ts';
import { storageSituations } from './situations/storage.ts';
import { thirdSituations } from './situations/third.ts';

/** Situations whose score is counted together: the rules may know some of them better than others. */
interface SituationTable {
  readonly title: string;
  readonly table: readonly Situation[];
}

/** All situations. A new file of them is added here. */
export const situationTables: readonly SituationTable[] = [
  {
    title: 'Situations that the rules were written for',
    table: [
      ...podSituations,
      ...controllerSituations,
      ...storageSituations,
      ...routingSituations,
      ...policySituations,
    ],
  },
  { title: 'Situations that were written after the rules', table: laterSituations },
  { title: 'Situations that were written after the rules about logs', table: secondSituations },
  { title: 'Situations of areas that had the fewest', table: thirdSituations },
  { title: 'Situations of disruptions, volumes and gates', table: disruptionSituations },
  { title: 'Situations of what others have to give', table: dependencySituations },
  { title: 'Situations of certificates', table: certificateSituations },
  { title: 'Situations of dead nodes', table: nodeSituations },
];
