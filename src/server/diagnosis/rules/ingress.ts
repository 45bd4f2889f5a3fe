import type { Service } from '../../../kube/infrastructure.ts';
import {
  type Ingress,
  ingressClassOf,
  ingressRoutes,
  defaultIngressClassAnnotation,
} from '../../../kube/networking.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { absent, type Clue, field, present, rule, trail } from '../rule.ts';
import { wantedCertificate } from '../wanted.ts';
import { allOf, namedObject, namespaceOf, oneOf, type World } from '../world.ts';

/** The services that an ingress sends requests to, each once. */
const servicesOf = (ingress: Ingress): readonly string[] => [
  ...new Set(ingressRoutes(ingress).flatMap(({ backend }) => backend.service?.name ?? [])),
];

const hasPort = ({ spec }: Service, port: number | string | undefined): boolean =>
  port === undefined || (spec?.ports ?? []).some((one) => one.port === port || one.name === port);

/** Whether cert-manager makes the certificates of an ingress. */
const isIssued = ({ metadata }: KubeObject): boolean =>
  Object.keys(metadata?.annotations ?? {}).some((key) => /^cert-manager\.io\/(?:cluster-)?issuer$/.test(key));

const ingressRule = (
  id: string,
  tone: 'warn' | 'bad',
  find: (ingress: Ingress, world: World) => Clue | undefined,
) =>
  rule<Ingress>({
    id: `ingress.${id}`,
    kind: 'Ingress.networking.k8s.io',
    tone,
    sort: 'cause',
    isSwept: true,
    find,
  });

/** Rules about ingresses. */
export const ingressRules = [
  ingressRule('class-missing', 'bad', (ingress, world) => {
    const name = ingressClassOf(ingress);
    // The annotation from before there were classes may name a controller without one.
    if (ingress.spec?.ingressClassName === undefined || name === undefined) return undefined;
    if (oneOf(world, 'IngressClass', name) !== null) return undefined;
    const others = allOf(world, 'IngressClass') ?? [];
    const names = others.map(({ metadata }) => metadata?.name ?? '');
    return {
      sentence: `The ingress class ${name} does not exist, so no controller handles the ingress${names.length === 0 ? '' : `; there is ${names.join(', ')}`}.`,
      evidence: [
        field(ingress, 'spec.ingressClassName'),
        absent(namedObject('IngressClass', name)),
        ...others.map(present),
      ],
    };
  }),
  ingressRule('class-unset', 'warn', (ingress, world) => {
    if (ingressClassOf(ingress) !== undefined) return undefined;
    if ((ingress.status?.loadBalancer?.ingress ?? []).length > 0) return undefined;
    const classes = allOf(world, 'IngressClass');
    const isGiven = ({ metadata }: KubeObject) =>
      metadata?.annotations?.[defaultIngressClassAnnotation] === 'true';
    if (classes === undefined || classes.some(isGiven)) return undefined;
    return {
      sentence: 'The ingress names no class, and no class is the default, so no controller handles it.',
      evidence: [field(ingress, 'spec.ingressClassName'), ...classes.map(present)],
    };
  }),
  ingressRule('service-missing', 'bad', (ingress, world) => {
    const missing = servicesOf(ingress).filter(
      (name) => oneOf(world, 'Service', name, namespaceOf(ingress)) === null,
    );
    if (missing.length === 0) return undefined;
    return {
      sentence: `The ingress sends requests to ${missing.length === 1 ? 'the service' : 'the services'} ${missing.join(', ')}, which ${missing.length === 1 ? 'does' : 'do'} not exist in namespace ${namespaceOf(ingress)}.`,
      evidence: [
        field(ingress, 'spec.rules'),
        ...missing.map((name) => absent(namedObject('Service', name, namespaceOf(ingress)))),
      ],
    };
  }),
  ingressRule('service-port', 'bad', (ingress, world) => {
    for (const { backend } of ingressRoutes(ingress)) {
      const { name, port } = backend.service ?? {};
      const service = name === undefined ? undefined : oneOf(world, 'Service', name, namespaceOf(ingress));
      const wanted = port?.name ?? port?.number;
      if (!service || hasPort(service, wanted)) continue;
      return {
        sentence: `The ingress sends requests to port ${wanted} of service ${name}, which has no such port.`,
        evidence: [field(ingress, 'spec.rules'), field(service, 'spec.ports')],
      };
    }
    return undefined;
  }),
  ingressRule('certificate-missing', 'bad', (ingress, world) => {
    const tls = ingress.spec?.tls ?? [];
    const at = tls.findIndex(
      ({ secretName }) =>
        secretName !== undefined && oneOf(world, 'Secret', secretName, namespaceOf(ingress)) === null,
    );
    const name = tls[at]?.secretName;
    if (name === undefined) return undefined;
    return {
      sentence: `The Secret ${name} with the certificate of ${tls[at]?.hosts?.join(', ') ?? 'its hosts'} does not exist.`,
      evidence: [
        field(ingress, `spec.tls[${at}].secretName`),
        absent(namedObject('Secret', name, namespaceOf(ingress))),
      ],
      wanted: isIssued(ingress) ? [] : [wantedCertificate(name, namespaceOf(ingress))],
    };
  }),
];

/** From ingresses to the services behind. */
export const ingressTrails = [
  trail<Ingress>({
    kind: 'Ingress.networking.k8s.io',
    next: (ingress, world) =>
      servicesOf(ingress).flatMap((name) => oneOf(world, 'Service', name, namespaceOf(ingress)) ?? []),
  }),
];
