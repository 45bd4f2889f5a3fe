import { certificateSituations } from './situations/certificates.ts';
import { controllerSituations } from './situations/controllers.ts';
import { podSituations } from './situations/pods.ts';
import { policySituations } from './situations/policies.ts';
import { routingSituations } from './situations/routing.ts';
import { storageSituations } from './situations/storage.ts';
import type { Situation } from './situations/situation.ts';

/** Situations that the rules were written for. A new file of them is added here. */
export const situations: readonly Situation[] = [
  ...podSituations,
  ...controllerSituations,
  ...storageSituations,
  ...routingSituations,
  ...policySituations,
  ...certificateSituations,
];
