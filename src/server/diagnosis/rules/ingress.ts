import type { Service } from '../../../kube/infrastructure.ts';
import {
  type Ingress,
  ingressClassOf,
  ingressRoutes,
  defaultIngressClassAnnotation,
} from '../../../kube/networking.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { NamedObject } from '../../../registry/kinds/refs.ts';
import type { CertificateFacts } from '../object-facts.ts';
import { absent, type Clue, field, present, type Proof, rule, trail } from '../rule.ts';
import { forbiddenIngress, policiesIn } from './dns.ts';
import { wantedCertificate } from '../../objects/wanted.ts';
import { allOf, namedObject, nameOf, namespaceOf, oneOf, type World } from '../world.ts';

/** The services that an ingress sends requests to, each once. */
const servicesOf = (ingress: Ingress): readonly string[] => [
  ...new Set(ingressRoutes(ingress).flatMap(({ backend }) => backend.service?.name ?? [])),
];

const hasPort = ({ spec }: Service, port: number | string | undefined): boolean =>
  port === undefined || (spec?.ports ?? []).some((one) => one.port === port || one.name === port);

/** Whether cert-manager makes the certificates of an ingress. */
const isIssued = ({ metadata }: KubeObject): boolean =>
  Object.keys(metadata?.annotations ?? {}).some((key) => /^cert-manager\.io\/(?:cluster-)?issuer$/.test(key));

/** The Certificates of cert-manager that are to make the missing Secrets of an ingress. */
function issuedBy(ingress: Ingress, world: World): readonly KubeObject[] {
  const missing = (ingress.spec?.tls ?? []).flatMap(({ secretName }) =>
    secretName !== undefined && oneOf(world, 'Secret', secretName, namespaceOf(ingress)) === null
      ? [secretName]
      : [],
  );
  if (missing.length === 0) return [];
  const all = world.all({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    namespace: namespaceOf(ingress),
  });
  return (all ?? []).filter((one) =>
    missing.includes((one as { readonly spec?: { readonly secretName?: string } }).spec?.secretName ?? ''),
  );
}

/** Whether a name of a certificate stands for a host. */
const coversHost = (name: string, host: string): boolean =>
  name === host || (name.startsWith('*.') && host.slice(host.indexOf('.')) === name.slice(1));

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
      sentence: `The ingress class ${name} does not exist, so no controller handles the ingress${names.length === 0 ? '' : `; the cluster has ${names.join(', ')}`}.`,
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
    // Why it is not issued says more.
    if (name === undefined || issuedBy(ingress, world).length > 0) return undefined;
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

/** Names of a controller's pods, by the controller of its class: `ingress-nginx` of `k8s.io/ingress-nginx`. */
function controllerName(controller: string): string {
  const [domain = '', name = ''] = controller.split('/');
  return /^(?:ingress-?controller|ingress)$/.test(name) ? (domain.split('.')[0] ?? '') : name;
}

const ingressPolicyRule = ingressRule('call-forbidden', 'bad', (ingress, world) => {
  const name = ingressClassOf(ingress);
  // Without a policy there everybody may call.
  if (name === undefined || policiesIn(namespaceOf(ingress), world).length === 0) return undefined;
  const found = oneOf(world, 'IngressClass', name);
  const family = controllerName(found?.spec?.controller ?? '');
  if (family === '') return undefined;
  const selector = { matchLabels: { 'app.kubernetes.io/name': family } };
  const callers = (allOf(world, 'Pod', { selector, isPartEnough: true }) ?? []).filter(
    ({ metadata, status }) => status?.phase === 'Running' && metadata?.namespace !== namespaceOf(ingress),
  );
  const [caller] = callers;
  if (caller === undefined) return undefined;
  for (const service of servicesOf(ingress)) {
    const target = oneOf(world, 'Service', service, namespaceOf(ingress));
    const verdict = target ? forbiddenIngress(caller, target, world) : undefined;
    if (!target || verdict === undefined) continue;
    const policies = verdict.map(({ metadata }) => metadata?.name ?? '').join(' and ');
    return {
      sentence: `${verdict.length === 1 ? `NetworkPolicy ${policies} does` : `Network policies ${policies} do`} not let pods of namespace ${caller.metadata?.namespace ?? ''}, such as ${caller.metadata?.name ?? ''} of the ingress controller, reach the pods of service ${service}.`,
      evidence: [
        ...verdict.map((one) => field(one, 'spec')),
        field(target, 'spec.selector'),
        field(caller, 'metadata.labels'),
      ],
    };
  }
  return undefined;
});

/** Fault of a certificate at a time; undefined for a good one. */
function certificateFault({ from, to, fitsKey }: CertificateFacts, now: number): string | undefined {
  if (fitsKey === false) return 'does not belong to its private key: tls.key is that of another certificate';
  const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  if (to < now) return `has expired: it was valid until ${day(to)}`;
  return from > now ? `is not valid before ${day(from)}` : undefined;
}

/** The times of a certificate, as its Secret has them. */
const certificateProofs = (secret: NamedObject, { key, names, from, to }: CertificateFacts): Proof[] =>
  (
    [
      ['validFrom', new Date(from * 1000).toISOString()],
      ['validTo', new Date(to * 1000).toISOString()],
      ['names', names.join(', ')],
    ] as const
  ).map(([part, value]) => ({ type: 'field', of: secret, path: `data[${key}].${part}`, value }));

/** Rules about the certificates that Secrets have, and about who may call the services of ingresses. */
export const secretRules = [
  ingressPolicyRule,
  rule({
    id: 'secret.certificate',
    kind: 'Secret',
    tone: 'bad',
    sort: 'cause',
    find(secret, world) {
      const certificate = world.facts(nameOf(secret))?.certificate;
      const fault = certificate && certificateFault(certificate, world.now);
      if (certificate === undefined || fault === undefined) return undefined;
      return {
        sentence: `The certificate in Secret ${secret.metadata?.name ?? ''} for ${certificate.names.slice(0, 3).join(', ') || 'no name'} ${fault}.`,
        evidence: certificateProofs(nameOf(secret), certificate),
      };
    },
  }),
  ingressRule('certificate-host', 'bad', (ingress, world) => {
    for (const [at, { secretName, hosts = [] }] of (ingress.spec?.tls ?? []).entries()) {
      if (secretName === undefined) continue;
      const named = namedObject('Secret', secretName, namespaceOf(ingress));
      const certificate = world.facts(named)?.certificate;
      const host = hosts.find((one) => certificate?.names.some((name) => coversHost(name, one)) === false);
      if (certificate === undefined || host === undefined || certificate.names.length === 0) continue;
      return {
        sentence: `The certificate in Secret ${secretName} is for ${certificate.names.slice(0, 3).join(', ')}, not for host ${host} of the ingress.`,
        evidence: [field(ingress, `spec.tls[${at}]`), ...certificateProofs(named, certificate)],
      };
    }
    return undefined;
  }),
  rule<Ingress>({
    id: 'ingress.class-annotation',
    kind: 'Ingress.networking.k8s.io',
    tone: 'info',
    sort: 'advice',
    find(ingress, world) {
      const path = 'metadata.annotations';
      const name = ingress.metadata?.annotations?.['kubernetes.io/ingress.class'];
      if (name === undefined || ingress.spec?.ingressClassName !== undefined) return undefined;
      if ((ingress.status?.loadBalancer?.ingress ?? []).length > 0) return undefined;
      const isKnown = oneOf(world, 'IngressClass', name);
      return {
        sentence: `The ingress names its class ${name} only in the deprecated annotation kubernetes.io/ingress.class, which controllers that read spec.ingressClassName ignore${isKnown === null ? `; there is no class ${name}` : ''}.`,
        evidence: [field(ingress, path), field(ingress, 'spec.ingressClassName')],
      };
    },
  }),
];

/** From ingresses to the services behind, to their certificates and to what is to issue those. */
export const ingressTrails = [
  trail<Ingress>({
    kind: 'Ingress.networking.k8s.io',
    next: (ingress, world) => [
      ...(ingress.spec?.tls ?? []).flatMap(({ secretName }) =>
        secretName === undefined ? [] : (oneOf(world, 'Secret', secretName, namespaceOf(ingress)) ?? []),
      ),
      ...issuedBy(ingress, world),
      ...servicesOf(ingress).flatMap((name) => oneOf(world, 'Service', name, namespaceOf(ingress)) ?? []),
    ],
  }),
];
