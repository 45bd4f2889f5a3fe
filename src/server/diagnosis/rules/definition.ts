import type { CustomResourceDefinition } from '../../../kube/custom.ts';
import { absent, field, rule, trail } from '../rule.ts';
import { namedObject, oneOf } from '../world.ts';
import { troubleOfCall } from './policy.ts';

const kind = 'CustomResourceDefinition.apiextensions.k8s.io';
const path = 'spec.conversion.webhook.clientConfig.service';

/** The service that converts objects from one version to another; undefined where none does, or there is one version. */
function converter({ spec }: CustomResourceDefinition) {
  const { strategy, webhook } = spec?.conversion ?? {};
  const hasVersions = (spec?.versions ?? []).length > 1;
  return hasVersions && strategy === 'Webhook' ? webhook?.clientConfig?.service : undefined;
}

/** Rules about definitions of kinds. */
export const definitionRules = (['missing', 'silent'] as const).map((trouble) =>
  rule<CustomResourceDefinition>({
    id: `definition.converter-${trouble}`,
    kind,
    tone: 'bad',
    // Why its pods are not ready explains more.
    sort: trouble === 'missing' ? 'cause' : 'symptom',
    find(object, world) {
      const called = converter(object);
      if (troubleOfCall(called, world) !== trouble) return undefined;
      const { namespace = '', name = '' } = called ?? {};
      const service = oneOf(world, 'Service', name, namespace);
      const effect = `objects of the kind ${object.spec?.names?.kind ?? ''} can be read and written only in the version in which they are stored`;
      return {
        sentence:
          trouble === 'missing'
            ? `The service ${namespace}/${name} of the definition’s conversion webhook does not exist: ${effect}.`
            : `No ready pod is behind the service ${namespace}/${name} of the definition’s conversion webhook: ${effect}.`,
        evidence: [
          field(object, path),
          service ? field(service, 'spec.selector') : absent(namedObject('Service', name, namespace)),
        ],
      };
    },
  }),
);

/** From a definition to the pods that convert its objects. */
export const definitionTrails = [
  trail<CustomResourceDefinition>({
    kind,
    next(object, world) {
      const called = converter(object);
      if (troubleOfCall(called, world) !== 'silent') return [];
      return [oneOf(world, 'Service', called?.name ?? '', called?.namespace) ?? []].flat();
    },
  }),
];
