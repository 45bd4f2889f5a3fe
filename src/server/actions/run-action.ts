import type { Outcome, Ref } from '../../contract/objects.ts';
import type { Need } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import { argsSchema } from '../../registry/kinds/action-args.ts';
import type { ArgChanges } from '../../registry/kinds/change-text.ts';
import type { KindAction } from '../../registry/kinds/kind-action.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { type Grants, type Reach, requireHeld } from '../access/grants.ts';
import type { Place } from '../access/held.ts';
import type { Member } from '../access/person.ts';
import { changePlace } from '../access/place.ts';
import type { WrittenMetadata } from '../audit/written.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../kit/clock.ts';
import { createLimiter } from '../kit/limiter.ts';
import type { KindCatalogue } from '../objects/kind-catalogue.ts';
import type { ClusterRow } from '../store/schema/clusters.ts';
import { type NamedObject, needOf } from './available.ts';
import { kindsOf } from './named-objects.ts';
import { requireWritable } from './protection.ts';
import { reportLimit } from './report-budget.ts';
import { type ActionRun, runOnObject } from './run.ts';

/** Maximum number of objects of one call that are worked on at a time. */
export const objectsAtATime = 8;

/** Throws Problem 400 for a kind without an action. */
function requireAction(kind: AnyKind, action: KindAction): void {
  if (kind.actions.includes(action)) return;
  throw new Problem({ status: 400, title: `${kind.title} have no action ${action.title}.` });
}

/** Throws Problem 400 for an action on one object that is asked for on several. */
export function requireOneFor({ single }: Pick<KindAction, 'single'>, count: number): void {
  if (single !== true || count < 2) return;
  throw new Problem({ status: 400, title: 'This action works on one object at a time. Select only one.' });
}

/** Throws Problem 400 with the first thing that is wrong with an action's arguments. */
export function readArgs(
  action: KindAction,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const parsed = argsSchema(action.args).safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const [first] = issues;
  const message = first?.message ?? 'Its arguments are not valid.';
  throw new Problem({ status: 400, title: message.endsWith('.') ? message : `${message}.`, issues });
}

/**
 * Throws Problem 403 unless somebody may do an action on all objects of a cluster that can be written to, and 400 where a
 * kind has no such action. All or nothing: of many objects one that is out of reach refuses the call.
 */
export function requireAllowed(reach: Reach, action: KindAction, named: readonly NamedObject[]): void {
  for (const kind of kindsOf(named)) requireAction(kind, action);
  for (const { kind, ref } of named) requireHeld(reach, needOf(action, kind), changePlace(kind, ref));
  requireWritable(reach.cluster);
}

/** The parts of the server that run actions. */
export interface ActionParts {
  readonly grants: Pick<Grants, 'require'>;
  readonly kinds: KindCatalogue;
  readonly jobs: Pick<Jobs, 'start'>;
  readonly clock: Clock;
}

/** An action on objects that its person was found to be allowed to do, with its validated arguments. */
export interface AllowedAction extends Pick<ActionRun, 'transport' | 'action' | 'args' | 'dryRun' | 'log'> {
  readonly person: Member;
  readonly cluster: ClusterRow;
  readonly named: readonly NamedObject[];
  /** Network address of the caller, and the id of the call, for the record of a job. */
  readonly address: string;
  readonly requestId: string;
}

/**
 * Does an action on objects, some at a time, each by the grants of that moment. Never throws: a failure is an outcome.
 * Returns the outcomes in the order of the objects, which values of which object were changed, and which versions were
 * written.
 */
export async function runOnAll(
  { grants, kinds, jobs, clock }: ActionParts,
  { person, cluster, named, address, requestId, ...call }: AllowedAction,
): Promise<{
  readonly outcomes: Outcome[];
  readonly changes: readonly (readonly [Ref, ArgChanges])[];
  readonly written: readonly (WrittenMetadata | undefined)[];
}> {
  const { action } = call;
  const require = async (need: Need, place: Place) =>
    requireWritable(await grants.require(person, cluster.id, need, place));
  const changes: (readonly [Ref, ArgChanges])[] = [];
  const written: (WrittenMetadata | undefined)[] = [];
  const run: ActionRun = {
    ...call,
    permit: (kind, ref) => require(needOf(action, kind), changePlace(kind, ref)),
    now: clock.now(),
    report: { left: reportLimit },
    onChange: (ref, changed) => void changes.push([ref, changed]),
    onWritten: (metadata) => void written.push(metadata),
    jobs: {
      context: (part) => ({ ...part, cluster, kinds, clock, require }),
      start: (ref, prepared) =>
        jobs.start({ cluster, person, action: action.id, ref, prepared, address, requestId }),
    },
  };
  const limiter = createLimiter(objectsAtATime);
  const outcomes = await Promise.all(
    named.map(({ kind, ref }) => limiter.run(() => runOnObject(run, kind, ref))),
  );
  return { outcomes, changes, written };
}
