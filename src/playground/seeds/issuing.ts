import { timestamp } from '../kit/clock.ts';
import { steady } from '../kit/behaviour.ts';
import type { Controller, Life } from '../life/engine.ts';
import { create, put, putStatus, report, withCondition } from '../life/write.ts';
import type { World } from '../store/world.ts';
import { keyOf } from '../store/store.ts';
import { at, type Obj, type Rec, rec, recs, str } from '../kit/values.ts';
import { certificateFor } from './tls.ts';

const storage = 'cert-manager.io/certificates';
const hour = 3_600_000;
const day = 24 * hour;

/** Parses a Go duration ("2160h", "90m") to ms; `otherwise`: for an empty one. */
function duration(text: string, otherwise: number): number {
  const parts = Array.from(text.matchAll(/(\d+)(h|m|s)/g));
  if (parts.length === 0) return otherwise;
  const units: Readonly<Record<string, number>> = { h: hour, m: 60_000, s: 1_000 };
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0);
}

/** Simulates cert-manager: issues certificates into secrets, renews them and reports failures. */
export const issuing: Controller = {
  name: 'cert-manager',
  interested: ({ storage: changedStorage, key, before, after }) =>
    changedStorage === storage && after !== undefined && before?.['spec'] !== after['spec'] ? [key] : [],
  reconcile: (key, life) => {
    const certificate = life.world.store.get(storage, key);
    if (certificate === undefined || certificate.metadata.deletionTimestamp !== undefined) return;
    const checkAfter = issuerOf(life.world, certificate)
      ? issueIfDue(certificate, life)
      : reportFailure(certificate, life);
    life.look(issuing, key, checkAfter);
  },
};

function issuerOf(world: World, certificate: Obj): boolean {
  const name = str(at(certificate, 'spec', 'issuerRef', 'name'));
  const cluster = at(certificate, 'spec', 'issuerRef', 'kind') === 'ClusterIssuer';
  const issuer = cluster
    ? world.store.get('cert-manager.io/clusterissuers', name)
    : world.store.get('cert-manager.io/issuers', keyOf(certificate.metadata.namespace, name));
  return recs(at(issuer, 'status', 'conditions')).some(
    (item) => item['type'] === 'Ready' && item['status'] === 'True',
  );
}

/** A time as Go prints it. */
const goTime = (ms: number) => `${timestamp(ms).replace('T', ' ').replace('Z', '')} +0000 UTC`;

/** Issues or renews a certificate that is due; returns the ms until the next check. */
function issueIfDue(certificate: Obj, life: Life): number {
  const { world } = life;
  const now = world.clock.now();
  const status = rec(certificate['status']);
  const spec = rec(certificate['spec']);
  const length = duration(str(spec['duration']), 90 * day);
  const early = duration(str(spec['renewBefore']), length / 3);
  const due = Date.parse(str(status['renewalTime'])) || 0;
  const { namespace = '', name = '', generation = 1 } = certificate.metadata;
  const secret = str(spec['secretName']);
  if (due > now && world.store.get('/secrets', keyOf(namespace, secret)) !== undefined) {
    return Math.min(due - now, day);
  }
  // A certificate from before the playground began counts as renewed on time.
  const notBefore = Math.floor(now / 1000) * 1000;
  const [first = name, ...others] = (Array.isArray(spec['dnsNames']) ? spec['dnsNames'] : []).map(String);
  const issuer = str(at(spec, 'issuerRef', 'name'));
  const pair = certificateFor([first, ...others], issuer, notBefore, notBefore + length);
  const data = {
    'tls.crt': Buffer.from(pair.certificate).toString('base64'),
    'tls.key': Buffer.from(pair.key).toString('base64'),
  };
  const reportEvent = (reason: string, message: string, part: 'trigger' | 'key-manager' | 'issuing') =>
    report(world, certificate, {
      type: 'Normal',
      reason,
      message,
      component: `cert-manager-certificates-${part}`,
    });
  const before = world.store.get('/secrets', keyOf(namespace, secret));
  const revision = Number(status['revision'] ?? 0) + 1;
  const why =
    before === undefined
      ? 'Issuing certificate as Secret does not exist'
      : `Renewing certificate as renewal was scheduled at ${goTime(due)}`;
  reportEvent('Issuing', why, 'trigger');
  const temporary = Math.floor(steady(certificate.metadata.uid ?? '', revision) * 36 ** 5).toString(36);
  reportEvent(
    'Generated',
    `Stored new private key in temporary Secret resource "${name}-${temporary}"`,
    'key-manager',
  );
  const annotations = {
    'cert-manager.io/certificate-name': name,
    'cert-manager.io/common-name': first,
    'cert-manager.io/alt-names': [first, ...others].join(','),
    'cert-manager.io/issuer-name': issuer,
    'cert-manager.io/issuer-kind': str(at(spec, 'issuerRef', 'kind')),
  };
  if (before !== undefined) put(world, '/secrets', { ...before, data });
  else
    create(world, '/secrets', namespace, {
      metadata: { name: secret, annotations },
      type: 'kubernetes.io/tls',
      data,
    });
  reportEvent('Issuing', 'The certificate has been successfully issued', 'issuing');
  putStatus(world, storage, certificate, {
    notBefore: timestamp(notBefore),
    notAfter: timestamp(notBefore + length),
    renewalTime: timestamp(notBefore + length - early),
    revision,
    conditions: withCondition(
      recs(status['conditions']).filter((item) => item['type'] !== 'Issuing'),
      {
        type: 'Ready',
        status: 'True',
        reason: 'Ready',
        message: 'Certificate is up to date and has not expired',
        observedGeneration: generation,
      },
      timestamp(now),
    ),
  });
  return Math.min(length - early, day);
}

/** Reports that a certificate cannot be issued, and schedules a retry. */
function reportFailure(certificate: Obj, life: Life): number {
  const { world } = life;
  const now = timestamp(world.clock.now());
  const status = rec(certificate['status']);
  const { generation = 1, name = '' } = certificate.metadata;
  const secret = str(at(certificate, 'spec', 'secretName'));
  const condition = (type: string, value: string, reason: string, message: string): Rec => ({
    type,
    status: value,
    reason,
    message,
    observedGeneration: generation,
  });
  const attempts = Number(status['failedIssuanceAttempts'] ?? 0) + 1;
  const message = `The certificate request has failed to complete and will be retried: Failed to wait for order resource "${name}-1-${1_000_000_000 + attempts}" to become ready: order is in "invalid" state`;
  report(world, certificate, {
    type: 'Warning',
    reason: 'Failed',
    message,
    component: 'cert-manager-certificates-issuing',
  });
  const first = withCondition(
    recs(status['conditions']),
    condition('Issuing', 'False', 'Failed', message),
    now,
  );
  putStatus(world, storage, certificate, {
    ...status,
    failedIssuanceAttempts: attempts,
    lastFailureTime: now,
    conditions: withCondition(
      first,
      condition('Ready', 'False', 'DoesNotExist', `Issuing certificate as Secret does not exist: ${secret}`),
      now,
    ),
  });
  // One hour, doubled each time, as cert-manager does.
  return Math.min(32, 2 ** (attempts - 1)) * hour;
}
