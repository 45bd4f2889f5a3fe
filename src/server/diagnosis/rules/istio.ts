import type { KubeObject } from '../../../kube/object.ts';
import { absent, field, rule } from '../rule.ts';
import { namedObject, namespaceOf, oneOf } from '../world.ts';

interface Destination {
  readonly host?: string;
  readonly subset?: string;
}

/** The parts of a VirtualService that rules read. */
interface VirtualService extends KubeObject {
  readonly spec?: Readonly<
    Partial<
      Record<
        'http' | 'tcp' | 'tls',
        readonly { readonly route?: readonly { readonly destination?: Destination }[] }[]
      >
    >
  >;
}

interface DestinationRule extends KubeObject {
  readonly spec?: { readonly host?: string; readonly subsets?: readonly { readonly name?: string }[] };
}

/** A host of the mesh with its namespace: `reviews.shop` of `reviews` in namespace shop. */
const fullHost = (host: string, namespace: string): string =>
  host.includes('.') ? host.replace(/\.svc(?:\..*)?$/, '') : `${host}.${namespace}`;

const destinationsOf = ({ spec = {} }: VirtualService) =>
  (['http', 'tcp', 'tls'] as const).flatMap((part) =>
    (spec[part] ?? []).flatMap(({ route = [] }, at) =>
      route.flatMap(({ destination }, index) =>
        destination?.host === undefined
          ? []
          : [
              {
                ...destination,
                host: destination.host,
                path: `spec.${part}[${at}].route[${index}].destination`,
              },
            ],
      ),
    ),
  );

const kind = 'VirtualService.networking.istio.io';

/** Where routes of Istio lead to nothing. */
export const istioRules = [
  rule<VirtualService>({
    id: 'virtualservice.subset',
    kind,
    tone: 'bad',
    sort: 'cause',
    isSwept: true,
    find(object, world) {
      const home = namespaceOf(object);
      const rules: readonly DestinationRule[] | undefined = world.all({
        apiVersion: 'networking.istio.io/v1',
        kind: 'DestinationRule',
      });
      if (rules === undefined) return undefined;
      for (const { host, subset, path } of destinationsOf(object)) {
        if (subset === undefined) continue;
        const full = fullHost(host, home);
        const fitting = rules.filter((one) => fullHost(one.spec?.host ?? '', namespaceOf(one)) === full);
        const names = fitting.flatMap(({ spec }) => (spec?.subsets ?? []).flatMap(({ name }) => name ?? []));
        if (names.includes(subset)) continue;
        const [found] = fitting;
        return {
          sentence: `VirtualService ${object.metadata?.name ?? ''} sends requests to subset ${subset} of ${host}, ${found === undefined ? 'and no DestinationRule defines subsets of it' : `and DestinationRule ${found.metadata?.name ?? ''} defines ${names.length === 0 ? 'none' : `only ${names.join(', ')}`}`}.`,
          evidence: [field(object, path), ...fitting.map((one) => field(one, 'spec.subsets'))],
        };
      }
      return undefined;
    },
  }),
  rule<VirtualService>({
    id: 'virtualservice.service-missing',
    kind,
    tone: 'bad',
    sort: 'cause',
    isSwept: true,
    find(object, world) {
      for (const { host, path } of destinationsOf(object)) {
        const [name = '', namespace = '', ...rest] = fullHost(host, namespaceOf(object)).split('.');
        const isOfCluster = rest.length === 0 && (!host.includes('.') || /\.svc(?:\.|$)/.test(host));
        if (!isOfCluster || oneOf(world, 'Service', name, namespace) !== null) continue;
        return {
          sentence: `VirtualService ${object.metadata?.name ?? ''} sends requests to service ${name} in namespace ${namespace}, which does not exist.`,
          evidence: [field(object, path), absent(namedObject('Service', name, namespace))],
        };
      }
      return undefined;
    },
  }),
];
