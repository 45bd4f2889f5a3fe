import { epochSeconds, formatAge } from '../../../kube/age.ts';
import type { Release } from '../../../kube/helm.ts';
import { field, rule, trail } from '../rule.ts';
import { allOf, type World } from '../world.ts';

/** How long an operation of Helm may take, s: it waits five minutes unless it is told otherwise. */
const patience = 15 * 60;

/** Helm's words for why an operation failed, without what the release says already. */
const failureOf = (description: string): string =>
  description
    .trim()
    .replace(
      /^(?:Upgrade|Install|Release|Rollback|Uninstallation) "[^"]*" failed(?: and has been [^:]*)?: /,
      '',
    )
    .replace(/^unable to build kubernetes objects from (?:new|current) release manifest: /, '')
    .replace(/\.$/, '');

/** Whether Helm only says that it waited in vain: why the objects are not ready says more. */
const isWait = (text: string): boolean => /timed out waiting|context deadline exceeded|not ready/i.test(text);

const failureRule = (id: string, sort: 'cause' | 'symptom', fits: (text: string) => boolean) =>
  rule<Release>({
    id,
    kind: 'Release.helm.sh',
    tone: 'bad',
    sort,
    find(release) {
      const { status, description = '', revision, metadata } = release;
      const text = failureOf(description);
      if (status !== 'failed' || !fits(text)) return undefined;
      const [, kind, version] = /no matches for kind "([^"]+)" in version "([^"]+)"/.exec(text) ?? [];
      return {
        sentence: `Revision ${revision ?? '?'} of release ${metadata?.name ?? ''} failed: ${
          kind === undefined
            ? text || 'Helm does not say why'
            : `its chart has a ${kind} of ${version}, a version of the API that the cluster does not serve`
        }.`,
        evidence: [field(release, 'status'), field(release, 'description')],
      };
    },
  });

/** Rules about Helm releases. */
export const releaseRules = [
  failureRule('release.failed', 'cause', (text) => !isWait(text)),
  failureRule('release.waited', 'symptom', isWait),
  rule<Release>({
    id: 'release.pending',
    kind: 'Release.helm.sh',
    tone: 'bad',
    sort: 'cause',
    find(release, world) {
      const { status = '', revision, updated, metadata } = release;
      const since = epochSeconds(updated);
      if (!status.startsWith('pending-') || since === null || since > world.now - patience) return undefined;
      return {
        sentence: `Revision ${revision ?? '?'} of release ${metadata?.name ?? ''} has been ${status} for ${formatAge(world.now - since)}: its operation was interrupted, and Helm refuses another operation until it is rolled back.`,
        evidence: [field(release, 'status'), field(release, 'updated')],
        actions: [
          {
            id: 'release.rollback',
            on: {
              apiVersion: 'helm.sh/v1',
              kind: 'Release',
              ...(metadata?.namespace === undefined ? {} : { namespace: metadata.namespace }),
              name: metadata?.name ?? '',
            },
          },
        ],
      };
    },
  }),
];

/** The workloads that a release has in its namespace. */
function workloadsOf({ metadata, installedIn }: Release, world: World) {
  const namespace = installedIn ?? metadata?.namespace;
  return (['Deployment', 'StatefulSet', 'Job'] as const).flatMap((kind) =>
    (allOf(world, kind, { namespace }) ?? []).filter(
      (one) => one.metadata?.annotations?.['meta.helm.sh/release-name'] === metadata?.name,
    ),
  );
}

/** From a release whose operation waited in vain to its workloads. */
export const releaseTrails = [
  trail<Release>({
    kind: 'Release.helm.sh',
    next: (release, world) =>
      release.status === 'failed' && isWait(release.description ?? '') ? workloadsOf(release, world) : [],
  }),
];
