import type { Ref } from '../../contract/objects.ts';
import type { UsageKind } from '../../contract/usage.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import type { Grants } from '../access/grants.ts';
import { viewPlace } from '../access/place.ts';
import type { LastLines } from '../logs/logs.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import type { WhoMay, WhoMayQuestion } from '../organisation/who-may.ts';
import type { TryAction } from './proposals.ts';
import type { Question } from './reasoner.ts';
import type { RuleParts } from './rules/asking.ts';

/** Lines of a log for a person. Throws Problem. */
export type ReadLog = (
  question: Pick<Question, 'person' | 'signal'>,
  cluster: ClusterRow,
  asked: LastLines,
) => Promise<string>;

/** The managed fields of an object that the person may view, as the cluster has them. Throws ClusterProblem. */
export type ReadManagedFields = (
  cluster: ClusterRow,
  kind: AnyKind,
  ref: Omit<Ref, 'kind'>,
  signal: AbortSignal,
) => Promise<unknown>;

/** Readers of answers besides calls of the API. */
export interface ReaderParts {
  readonly grants: Pick<Grants, 'access'>;
  readonly kinds: Pick<KindCatalogue, 'find'>;
  readonly tryAction: TryAction;
  readonly readLog: ReadLog;
  readonly readManagedFields: ReadManagedFields;
  /** The people who may do something on a cluster, as far as the person may know. Throws Problem. */
  readonly whoMay: (person: Question['person'], asked: WhoMayQuestion) => Promise<WhoMay>;
  /** Has the usage of pods or nodes of a cluster measured until the returned function is called. */
  readonly measureUsage: (cluster: ClusterRow, kind: UsageKind) => () => void;
  /** The time by the clock of a cluster, epoch seconds. Throws Problem. */
  readonly timeOf: (cluster: ClusterRow) => Promise<number>;
}

/** The readers of one question; all of them ask for the grants that the person has at that moment. */
export function readersOf(question: Question, cluster: ClusterRow, parts: ReaderParts): RuleParts {
  const { person, clusterId, signal } = question;
  const { grants, kinds } = parts;
  const findKind = (name: string) => kinds.find(cluster, name);
  return {
    findKind,
    reach: () => grants.access(person, clusterId),
    now: () => parts.timeOf(cluster),
    measureUsage: (kind) => parts.measureUsage(cluster, kind),
    whoMay: (asked) => parts.whoMay(person, { ...asked, clusterId }),
    readLog: (asked) => parts.readLog(question, cluster, asked),
    tryAction: (proposal) => parts.tryAction(person, clusterId, proposal, signal),
    async readManagedFields({ kind: name, ...ref }) {
      const kind = await findKind(name);
      const { held } = await grants.access(person, clusterId);
      return held.may(kind.permissions.view, viewPlace(kind, ref))
        ? await parts.readManagedFields(cluster, kind, ref, signal)
        : undefined;
    },
  };
}
