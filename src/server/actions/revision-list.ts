import type { Revision } from '../../contract/objects.ts';
import { Problem } from '../../contract/problem.ts';
import { objectPath } from '../../kube/change.ts';
import { cleanText } from '../../kube/text.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Transport } from '../clusters/transport.ts';
import { readHistory } from '../helm/history.ts';
import { addressOf } from '../objects/address.ts';
import { cleanValue } from '../objects/present.ts';
import { objectIn } from '../objects/read.ts';
import { currentRevision, readRevisions, type Workload } from './revisions.ts';

/** The revisions of an object, and what it has now. */
interface RevisionList {
  readonly current: unknown;
  readonly revisions: Revision[];
}

/** The revisions of a workload or of a release. Throws Problem 400 for a kind that keeps none. */
export async function readRevisionList(
  transport: Transport,
  kind: AnyKind,
  ref: { readonly namespace?: string | undefined; readonly name: string },
  { cluster, signal }: { readonly cluster: string; readonly signal: AbortSignal },
): Promise<RevisionList> {
  const address = addressOf(kind, ref);
  if (kind.source === 'helm')
    return await releaseRevisions(transport, { namespace: address.namespace ?? '', name: address.name });
  const source = kind.revisions;
  if (source === undefined) {
    throw new Problem({ status: 400, title: `${kind.title} keep no earlier revisions.` });
  }
  const answer = await transport.json<unknown>({ path: objectPath(address), signal });
  const workload: Workload = objectIn(answer, cluster);
  const revisions = await readRevisions(transport, source, workload);
  const current = currentRevision(kind, workload, revisions);
  return {
    current: cleanValue(workload.spec?.template ?? null),
    revisions: revisions.map(({ number, keeper, template, images, cause }) => ({
      revision: number,
      isCurrent: number === current,
      createdAt: keeper.metadata?.creationTimestamp ?? null,
      images: images.filter((image) => typeof image === 'string').map(cleanText),
      cause: cause === undefined ? null : cleanText(cause),
      template: cleanValue(template),
    })),
  };
}

/** The revisions of a Helm release; what each would change, the plan of its roll back tells. */
async function releaseRevisions(
  transport: Transport,
  place: { readonly namespace: string; readonly name: string },
): Promise<RevisionList> {
  const revisions = await readHistory(transport, place);
  return {
    current: null,
    revisions: revisions.map(
      ({ revision, updated, chart, chartVersion, appVersion, status, description }, index) => ({
        revision,
        isCurrent: index === 0,
        createdAt: updated,
        images: [`${chart} ${chartVersion}`.trim(), ...(appVersion === '' ? [] : [`app ${appVersion}`])],
        cause: [status, description].filter((part) => part !== '').join(': ') || null,
        template: null,
      }),
    ),
  };
}
