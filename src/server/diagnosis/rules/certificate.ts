import { epochSeconds, formatAge } from '../../../kube/age.ts';
import type { Condition, KubeObject } from '../../../kube/object.ts';
import { condition as conditionOf } from '../../../kube/workload-status.ts';
import type { NamedObject } from '../../../registry/kinds/refs.ts';
import { absent, condition, event, field, present, rule, trail } from '../rule.ts';
import { allOf, namedObject, oneOf, warningsOf, type World } from '../world.ts';
import { referencesOf } from './references.ts';

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
  readonly spec?: {
    readonly dnsName?: string;
    readonly type?: string;
    readonly issuerRef?: { readonly name?: string; readonly kind?: string };
    readonly solver?: {
      readonly http01?: {
        readonly ingress?: { readonly ingressClassName?: string; readonly class?: string };
      };
    };
  };
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
          ? `The certificate is not issued: its ${kind} ${named.name} does not exist. Create it, or name another one${names === '' ? '' : `, such as ${names}`}.`
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

/** Where cert-manager looks for Secrets of issuers of the whole cluster, unless it is told otherwise. */
const clusterPlace = 'cert-manager';

/** Why a challenge has not passed, in the words of cert-manager: its status, or the newest warning about it. */
function challengeFailure(challenge: Challenge, world: World) {
  const { state = '', reason = '' } = challenge.status ?? {};
  if (state === 'valid') return undefined;
  const [said] = reason === '' ? warningsOf(world, challenge) : [];
  const message = reason === '' ? said?.message : reason;
  if (message === undefined) return undefined;
  return {
    message,
    proofs:
      said === undefined
        ? [field(challenge, 'status.state'), field(challenge, 'status.reason')]
        : [event(challenge, said)],
  };
}

/** The Secret that a challenge needs and that does not exist, with the field that names it. */
function missingSecret(challenge: Challenge, world: World) {
  const { spec, metadata } = challenge;
  const isOfCluster = spec?.issuerRef?.kind === 'ClusterIssuer';
  const namespace = isOfCluster ? clusterPlace : metadata?.namespace;
  // Where Secrets of issuers of the cluster are is a setting of cert-manager: its usual place has to be there.
  if (isOfCluster && !oneOf(world, 'Namespace', clusterPlace)) return undefined;
  return referencesOf(challenge)
    .filter(({ named, path }) => named.kind === 'Secret' && path.startsWith('spec.solver.'))
    .map(({ named: { name }, path }) => ({ named: namedObject('Secret', name, namespace), path }))
    .find(({ named }) => world.one(named) === null);
}

const challengeRules = [
  rule<Challenge>({
    id: 'challenge.secret-missing',
    kind: `Challenge.acme.${group}`,
    tone: 'bad',
    sort: 'cause',
    find(challenge, world) {
      const missing = challenge.status?.state === 'valid' ? undefined : missingSecret(challenge, world);
      if (missing === undefined) return undefined;
      const { name, namespace = '' } = missing.named;
      const { name: issuer = '', kind = 'Issuer' } = challenge.spec?.issuerRef ?? {};
      return {
        sentence: `The challenge for ${challenge.spec?.dnsName ?? ''} waits for Secret ${name} in namespace ${namespace}, which does not exist. The solver of ${kind} ${issuer} signs in with it.`,
        evidence: [field(challenge, missing.path), absent(missing.named)],
      };
    },
  }),
  rule<Challenge>({
    id: 'challenge.class-missing',
    kind: `Challenge.acme.${group}`,
    tone: 'bad',
    sort: 'cause',
    find(challenge, world) {
      const solver = challenge.spec?.solver?.http01?.ingress;
      const name = solver?.ingressClassName;
      if (name === undefined || challenge.status?.state === 'valid') return undefined;
      if (oneOf(world, 'IngressClass', name) !== null) return undefined;
      const others = (allOf(world, 'IngressClass') ?? []).slice(0, 3);
      const names = others.map(({ metadata }) => metadata?.name ?? '').join(', ');
      return {
        sentence: `The challenge for ${challenge.spec?.dnsName ?? ''} cannot pass: its solver uses the ingress class ${name}, which does not exist${names === '' ? '' : `; the cluster has ${names}`}.`,
        evidence: [
          field(challenge, 'spec.solver.http01.ingress.ingressClassName'),
          absent(namedObject('IngressClass', name)),
          ...others.map(present),
        ],
      };
    },
  }),
  rule<Challenge>({
    id: 'challenge.fails',
    kind: `Challenge.acme.${group}`,
    tone: 'bad',
    // A missing part of its solver says more.
    sort: 'symptom',
    find(challenge, world) {
      const failure = challengeFailure(challenge, world);
      if (failure === undefined) return undefined;
      return {
        sentence: `The challenge for ${challenge.spec?.dnsName ?? ''} (${challenge.spec?.type ?? ''}) has not passed: ${failure.message}`,
        evidence: failure.proofs,
      };
    },
  }),
];

/** A request for a certificate of the cluster itself, as kubelets make them. */
interface SigningRequest extends Conditioned {
  readonly spec?: { readonly signerName?: string; readonly username?: string };
}

/** A signing request that nobody has answered: a kubelet without its certificate serves no logs and no shells. */
const signingRule = rule<SigningRequest>({
  id: 'signing-request.unanswered',
  kind: 'CertificateSigningRequest.certificates.k8s.io',
  tone: 'warn',
  sort: 'symptom',
  find(request, world) {
    const created = epochSeconds(request.metadata?.creationTimestamp);
    if ((request.status?.conditions ?? []).length > 0 || created === null || created > world.now - patience)
      return undefined;
    return {
      sentence: `Nobody has approved or denied the certificate request of ${request.spec?.username ?? 'unknown'} for ${formatAge(world.now - created)}: no certificate is issued until then.`,
      evidence: [field(request, 'spec.signerName'), field(request, 'status.conditions')],
    };
  },
});

/** Rules about certificates of cert-manager. */
export const certificateRules = [certificateRule, requestRule, ...challengeRules, signingRule];

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
        (one: Challenge) =>
          dnsNames.includes(one.spec?.dnsName ?? '') &&
          (challengeFailure(one, world) !== undefined || missingSecret(one, world) !== undefined),
      );
      // The request only waits for them.
      return failing.length > 0 ? failing : newest;
    },
  }),
];
