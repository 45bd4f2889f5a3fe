import { type Obj, rec, str } from '../kit/values.ts';

const hints = 'service.kubernetes.io/topology-aware-hints';

/** Warnings to the writer of a service. */
export function serviceWarnings({ metadata, spec: givenSpec }: Obj): string[] {
  const spec = rec(givenSpec);
  const warnings: string[] = [];
  if (metadata.annotations?.[hints] !== undefined) {
    warnings.push(
      `annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    );
  }
  const headless = spec['type'] === 'ClusterIP' && spec['clusterIP'] === 'None';
  const isName = spec['type'] === 'ExternalName';
  const hasAddresses = Array.isArray(spec['externalIPs']) && spec['externalIPs'].length > 0;
  if (headless) {
    if (str(spec['loadBalancerIP']) !== '') {
      warnings.push('spec.loadBalancerIP is ignored for headless services');
    }
    if (hasAddresses) warnings.push('spec.externalIPs is ignored for headless services');
    if (spec['sessionAffinity'] !== 'None') {
      warnings.push('spec.SessionAffinity is ignored for headless services');
    }
  } else if (hasAddresses && !isName) {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (isName && hasAddresses) warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!isName && str(spec['externalName']) !== '') {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec['trafficDistribution'] === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}
