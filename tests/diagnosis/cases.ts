import { adviceCases } from './cases/advice.ts';
import { autoscalerCases } from './cases/autoscalers.ts';
import { behindCases } from './cases/behind.ts';
import { callCases } from './cases/calls.ts';
import { chainCases } from './cases/chains.ts';
import { containerCases } from './cases/containers.ts';
import { controllerCases } from './cases/controllers.ts';
import { definitionCases } from './cases/definitions.ts';
import { dependencyCases } from './cases/dependencies.ts';
import { disruptionCases, waitingCases } from './cases/disruptions.ts';
import { imageCases } from './cases/images.ts';
import { jobCases } from './cases/jobs.ts';
import { logCases } from './cases/logs.ts';
import { nodeCases } from './cases/nodes.ts';
import { operatorCases } from './cases/operators.ts';
import { placementCases } from './cases/placement.ts';
import { policyCases } from './cases/policies.ts';
import { quietCases } from './cases/quiet.ts';
import { routingCases } from './cases/routing.ts';
import type { RuleCase } from './cases/rule-case.ts';
import { serviceCases } from './cases/services.ts';
import { storageCases } from './cases/storage.ts';
import { waitCases } from './cases/waits.ts';

/** The cases of all rules. A new file of cases is added here. */
export const ruleCases: readonly RuleCase[] = [
  ...imageCases,
  ...containerCases,
  ...logCases,
  ...placementCases,
  ...controllerCases,
  ...jobCases,
  ...storageCases,
  ...serviceCases,
  ...routingCases,
  ...autoscalerCases,
  ...policyCases,
  ...definitionCases,
  ...nodeCases,
  ...disruptionCases,
  ...dependencyCases,
  ...waitingCases,
  ...waitCases,
  ...operatorCases,
  ...callCases,
  ...chainCases,
  ...behindCases,
  ...quietCases,
  ...adviceCases,
];
