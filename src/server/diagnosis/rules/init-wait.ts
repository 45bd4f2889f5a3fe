import { epochSeconds, formatAge } from '../../../kube/age.ts';
import type { Pod } from '../../../kube/core.ts';
import { absent, field, lastLines, logLine, rule, trail } from '../rule.ts';
import { nameOf, oneOf, type World } from '../world.ts';
import { citedLines, quoted } from './log.ts';
import { blockText, tellingLine } from './log-reasons.ts';
import { containerOf, type NamedContainer } from './pod-parts.ts';
import { addressesOf } from './addresses.ts';
import { waitedServices } from './waited-service.ts';

/** How long an init container may do its work, s: a migration or a download takes some minutes. */
const patience = 10 * 60;

/** The init container that has held a pod up for long, with the time since it began, s. */
function holding(pod: Pod, world: World): (NamedContainer & { readonly time: number }) | undefined {
  if (pod.status?.phase !== 'Pending' || pod.metadata?.deletionTimestamp !== undefined) return undefined;
  for (const { name, state } of pod.status.initContainerStatuses ?? []) {
    const began = epochSeconds(state?.running?.startedAt);
    const found = containerOf(pod, name);
    // A sidecar runs for as long as its pod.
    if (began === null || found.container?.restartPolicy === 'Always') continue;
    if (began < world.now - patience) return { ...found, time: world.now - began };
  }
  return undefined;
}

const servicesOf = ({ container }: NamedContainer, pod: Pod, world: World) =>
  container === undefined ? [] : waitedServices(container, pod.metadata?.namespace ?? '', world);

/** Why a pod gets no further than one of its init containers. */
export const initRules = [
  rule<Pod>({
    id: 'pod.init-waits',
    kind: 'Pod',
    tone: 'bad',
    sort: 'cause',
    find(pod, world) {
      const held = holding(pod, world);
      const missing = held && servicesOf(held, pod, world).find((one) => world.one(one) === null);
      if (held === undefined || missing === undefined) return undefined;
      return {
        sentence: `Init container ${held.name} has been waiting ${formatAge(held.time)} for the service ${missing.name} in namespace ${missing.namespace ?? ''}, which does not exist. Create the service, or correct its name in the container. The other containers start only after that.`,
        evidence: [
          field(pod, `${held.statusPath}.state.running.startedAt`),
          field(pod, `${held.specPath}.command`),
          field(pod, `${held.specPath}.args`),
          absent(missing),
          lastLines(pod, held.name, false, undefined),
        ],
      };
    },
  }),
  rule<Pod>({
    id: 'pod.init-runs',
    kind: 'Pod',
    tone: 'warn',
    sort: 'symptom',
    find(pod, world) {
      const held = holding(pod, world);
      if (held === undefined) return undefined;
      const lines = world.log({ pod: nameOf(pod), container: held.name, previous: false }) ?? [];
      const telling = tellingLine(lines);
      const began = field(pod, `${held.statusPath}.state.running.startedAt`);
      const head = `Init container ${held.name} has been running for ${formatAge(held.time)}`;
      return telling === undefined
        ? {
            sentence: `${head}, and the other containers start only when it is done. Nothing in its log says why.`,
            evidence: [began, lastLines(pod, held.name, false, undefined)],
          }
        : {
            sentence: `${head}, and the others wait for it: “${quoted(blockText(lines, telling))}”.`,
            evidence: [
              began,
              ...[...new Set([telling, ...lines.slice(-citedLines)])].map((line) =>
                logLine(pod, { container: held.name, previous: false, ...line }),
              ),
            ],
          };
    },
  }),
];

/** From a pod to the services that it waits for and that have no ready pod. */
export const initTrail = trail<Pod>({
  kind: 'Pod',
  next(pod, world) {
    const held = holding(pod, world);
    if (held === undefined) return [];
    return servicesOf(held, pod, world).flatMap(({ name, namespace }) => {
      const service = oneOf(world, 'Service', name, namespace);
      return service && addressesOf(service, world)?.ready === 0 ? [service] : [];
    });
  },
});
