import type { CasesOfKinds } from './case.ts';
import { argoCases } from './argo-cases.ts';
import { certManagerCases } from './cert-manager-cases.ts';
import { crossplaneCases } from './crossplane-cases.ts';
import { fluxCases } from './flux-cases.ts';
import { gatewayCases } from './gateway-cases.ts';
import { kyvernoCases } from './kyverno-cases.ts';
import { lineCases } from './line-cases.ts';
import { moreLineCases } from './more-line-cases.ts';
import { monitoringCases } from './monitoring-cases.ts';
import { strimziCases } from './strimzi-cases.ts';

/**
 * Cases by group and kind. Shapes and statuses follow the projects' definitions and documentation; the objects are made
 * up.
 */
export const cases: CasesOfKinds = {
  ...argoCases,
  ...fluxCases,
  ...certManagerCases,
  ...crossplaneCases,
  ...strimziCases,
  ...gatewayCases,
  ...monitoringCases,
  ...kyvernoCases,
  ...lineCases,
  ...moreLineCases,
};
