import { epochSeconds, formatAge } from '../../../kube/age.ts';
import type { Container, Pod } from '../../../kube/core.ts';
import { field, type Proof } from '../rule.ts';
import { allOf, namedObject, oneOf, type World } from '../world.ts';
import type { SpeakingContainer } from './ended-container.ts';

/** The Secrets that a container takes variables from. */
const secretsOf = ({ env = [], envFrom = [] }: Container): readonly string[] => [
  ...new Set([
    ...env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
    ...envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
  ]),
];

/** A running container that took variables from a Secret before it was last changed. */
function staleRun(pod: Pod, secrets: readonly string[], world: World) {
  for (const [at, container] of (pod.spec?.containers ?? []).entries()) {
    const statusAt = (pod.status?.containerStatuses ?? []).findIndex(({ name }) => name === container.name);
    const started = epochSeconds(pod.status?.containerStatuses?.[statusAt]?.state?.running?.startedAt);
    if (started === null) continue;
    for (const secret of secretsOf(container)) {
      if (!secrets.includes(secret)) continue;
      const changed = world.facts(namedObject('Secret', secret, pod.metadata?.namespace))?.changedAt ?? null;
      if (changed === null || changed <= started) continue;
      return { pod, secret, after: changed - started, path: `status.containerStatuses[${statusAt}]`, at };
    }
  }
  return undefined;
}

/**
 * The Secret with the password that a container is refused with, where a pod runs with what the Secret was before: the
 * pod itself, or another one of the namespace that takes the same Secret. Undefined where none is known.
 */
export function staleSource(
  pod: Pod,
  world: World,
  { found }: SpeakingContainer,
): { readonly why: string; readonly evidence: readonly Proof[] } | undefined {
  const secrets = found.container === undefined ? [] : secretsOf(found.container);
  if (secrets.length === 0) return undefined;
  const others = allOf(world, 'Pod', { namespace: pod.metadata?.namespace }) ?? [];
  const stale = [pod, ...others].map((one) => staleRun(one, secrets, world)).find((one) => one !== undefined);
  const secret = stale && oneOf(world, 'Secret', stale.secret, pod.metadata?.namespace);
  if (stale === undefined || !secret) return undefined;
  const isOwn = stale.pod.metadata?.name === pod.metadata?.name;
  return {
    why: `Secret ${stale.secret} was changed ${formatAge(stale.after)} after ${isOwn ? 'the container' : `pod ${stale.pod.metadata?.name ?? ''}`} had started, so ${isOwn ? 'it' : 'that pod'} still uses the old password: restart ${isOwn ? 'it' : 'that pod'}`,
    evidence: [
      field(stale.pod, `${stale.path}.state.running.startedAt`),
      field(secret, 'metadata.creationTimestamp'),
    ],
  };
}
