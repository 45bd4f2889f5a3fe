import type { ReleaseRevision } from '../../contract/releases.ts';
import { Problem } from '../../contract/problem.ts';
import { createLimiter } from '../kit/limiter.ts';
import type { Transport } from '../clusters/transport.ts';
import type { StoredRelease } from '../objects/release/decode.ts';
import { keptRevisions, readRevision } from '../objects/release/read.ts';

/** Revisions that are read for one answer. */
const maxRevisions = 50;
/** Those that are unpacked at a time: the largest take many times their size. */
const concurrency = 2;

/** The revisions of a release, newest first; one that cannot be read says why. Throws Problem 404 without any. */
export async function readHistory(
  transport: Transport,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<ReleaseRevision[]> {
  const kept = await keptRevisions(transport, namespace, name);
  const limiter = createLimiter(concurrency);
  return await Promise.all(
    kept.slice(0, maxRevisions).map(({ revision, status, storage }) =>
      limiter.run(async (): Promise<ReleaseRevision> => {
        try {
          return revisionOf(await readRevision(transport, { namespace, name, revision, storage }));
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          const none = { chart: '', chartVersion: '', appVersion: '', updated: null, description: '' };
          return { revision, status, ...none, problem: error.title };
        }
      }),
    ),
  );
}

function revisionOf({ revision, status, chart, updated, description }: StoredRelease): ReleaseRevision {
  return {
    revision,
    status,
    chart: chart.name ?? '',
    chartVersion: chart.version ?? '',
    appVersion: chart.appVersion ?? '',
    updated: updated ?? null,
    description,
    problem: null,
  };
}
