import { epochSeconds } from '../../../kube/age.ts';
import type { Condition, KubeObject } from '../../../kube/object.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import type { NamedObject } from '../../../registry/refs.ts';
import { absent, condition, field, present, rule, trail } from '../rule.ts';
import type { World } from '../world.ts';

const group = 'cert-manager.io';
const apiVersion = `${group}/v1`;
const requestName = 'cert-manager.io/certificate-name';
/** How long a certificate may take to be issued, s. */
const patience = 5 * 60;

interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: Condition[] };
}

interface Certificate extends Conditioned {
  readonly spec?: {
    readonly dnsNames?: readonly string[];
    readonly issuerRef?: { readonly name?: string; readonly kind?: string; readonly group?: string };
  };
}

/** A check of an authority that the certificate's owner owns a name. */
interface Challenge extends KubeObject {
  readonly spec?: { readonly dnsName?: string; readonly type?: string };
  readonly status?: { readonly state?: string; readonly reason?: string };
}

/** Whether a certificate should have been issued by now. */
function isLate({ status }: Certificate, world: World): boolean {
  const ready = conditionOf(status?.conditions, 'Ready');
  const since = epochSeconds(ready?.lastTransitionTime);
  return ready?.status === 'False' && since !== null && since < world.now - patience;
}

/** The issuer of a certificate; undefined for one of a kind that is not cert-manager's own. */
function issuerOf({ spec, metadata }: Certificate): NamedObject | undefined {
  const { name, kind = 'Issuer', group: of = group } = spec?.issuerRef ?? {};
  if (name === undefined || of !== group || !/^(Cluster)?Issuer$/.test(kind)) return undefined;
  const { namespace } = metadata ?? {};
  return {
    apiVersion,
    kind,
    name,
    ...(kind === 'ClusterIssuer' || namespace === undefined ? {} : { namespace }),
  };
}

const isNotReady = (object: Conditioned): boolean =>
  conditionOf(object.status?.conditions, 'Ready')?.status === 'False';

/** The issuer of a certificate that is late, where that is what is wrong: null for one that does not exist. */
function wrongIssuer(object: Certificate, world: World) {
  const named = isLate(object, world) ? issuerOf(object) : undefined;
  const issuer: Conditioned | null | undefined = named && world.one(named);
  if (named === undefined || issuer === undefined || (issuer !== null && !isNotReady(issuer)))
    return undefined;
  return { named, issuer };
}

const certificateRule = rule<Certificate>({
  id: 'certificate.issuer',
  kind: `Certificate.${group}`,
  tone: 'bad',
  sort: 'cause',
  find(object, world) {
    const wrong = wrongIssuer(object, world);
    if (wrong === undefined) return undefined;
    const { named, issuer } = wrong;
    const { kind, namespace } = named;
    const others = issuer === null ? (world.all({ apiVersion, kind, namespace }) ?? []).slice(0, 3) : [];
    const names = others.map(({ metadata }) => metadata?.name ?? '').join(', ');
    const { reason, message = reason } = conditionOf(issuer?.status?.conditions, 'Ready') ?? {};
    return {
      sentence:
        issuer === null
          ? `The certificate is not issued: its ${kind} ${named.name} does not exist. Create it, or name another one${names === '' ? '' : `, as ${names}`}.`
          : `The certificate is not issued: its ${kind} ${named.name} is not ready: ${message ?? 'it does not say why'}`,
      evidence: [
        field(object, 'spec.issuerRef'),
        condition(object, 'Ready'),
        ...(issuer === null ? [absent(named), ...others.map(present)] : [condition(issuer, 'Ready')]),
      ],
    };
  },
});

const requestRule = rule<Conditioned>({
  id: 'certificaterequest.refused',
  kind: `CertificateRequest.${group}`,
  tone: 'bad',
  sort: 'symptom',
  find(request) {
    const found = conditionOf(request.status?.conditions, 'Ready');
    if (found?.status !== 'False' || found.message === undefined) return undefined;
    return {
      sentence: `The certificate request ${request.metadata?.name ?? ''} is not granted: ${found.message}`,
      evidence: [condition(request, 'Ready')],
    };
  },
});

const challengeRule = rule<Challenge>({
  id: 'challenge.fails',
  kind: `Challenge.acme.${group}`,
  tone: 'bad',
  sort: 'cause',
  find(challenge) {
    const { state = '', reason = '' } = challenge.status ?? {};
    if (reason === '' || state === 'valid') return undefined;
    return {
      sentence: `The challenge for ${challenge.spec?.dnsName ?? ''} (${challenge.spec?.type ?? ''}) has not passed: ${reason}`,
      evidence: [field(challenge, 'status.state'), field(challenge, 'status.reason')],
    };
  },
});

/** Rules about certificates of cert-manager. */
export const certificateRules = [certificateRule, requestRule, challengeRule];

/** From a certificate that is late to its newest request and to the challenges for its names. */
export const certificateTrails = [
  trail<Certificate>({
    kind: `Certificate.${group}`,
    next(object, world) {
      // The request only repeats what is wrong with the issuer.
      if (!isLate(object, world) || wrongIssuer(object, world) !== undefined) return [];
      const { namespace, name } = object.metadata ?? {};
      const requests = world.all({ apiVersion, kind: 'CertificateRequest', namespace }) ?? [];
      const challenges = world.all({ apiVersion: `acme.${group}/v1`, kind: 'Challenge', namespace }) ?? [];
      const newest = requests
        .filter(({ metadata }) => metadata?.annotations?.[requestName] === name)
        .toSorted((a, b) =>
          (b.metadata?.creationTimestamp ?? '').localeCompare(a.metadata?.creationTimestamp ?? ''),
        )
        .slice(0, 1);
      const dnsNames = object.spec?.dnsNames ?? [];
      const failing = challenges.filter(
        ({ spec, status }: Challenge) =>
          dnsNames.includes(spec?.dnsName ?? '') && (status?.reason ?? '') !== '',
      );
      // The request only waits for them.
      return failing.length > 0 ? failing : newest;
    },
  }),
];
