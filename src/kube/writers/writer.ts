import type { WriteAct, WriteTime, WriterTool } from '../../contract/writers.ts';
import type { JsonPath } from '../json-diff.ts';
import type { KubeObject } from '../object.ts';

/** An object by its name; the version of its API does not matter. */
export interface NamedOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** The objects around one: null if one does not exist, undefined where that is not known or not shown to somebody. */
export interface Around {
  one(named: NamedOwner): KubeObject | null | undefined;
  all(lookup: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string | undefined;
  }): readonly KubeObject[] | undefined;
}

/** A field that shows who writes an object: of the object itself, or of another one. */
export interface WriterEvidence {
  /** Absent for the object itself. */
  readonly of?: NamedOwner;
  /** As in `kubectl explain`. */
  readonly path: string;
  readonly value: string;
}

/** A tool or controller that will write an object. */
export interface Writer {
  readonly tool: WriterTool;
  /** As sentences call it: `Argo CD shop`. */
  readonly label: string;
  /** The object by which it writes, as far as that has a name. */
  readonly by?: NamedOwner;
  /** `seen`: read; `absent`: not on this cluster; `unseen`: not to be read; `needless`: nothing is read of it. */
  readonly sight: 'seen' | 'absent' | 'unseen' | 'needless';
  readonly when: WriteTime;
  /** How long it may take, as the writer's object has it: `10m`. */
  readonly every?: string;
  /** The setting that decides when: `self-heal on`. */
  readonly why?: string;
  /** State of the sync by its own object: `OutOfSync`. Absent unless that object was seen. */
  readonly syncState?: string;
  /** Fields that it writes, `*` for any item; empty where they are those of a source that is not on the cluster. */
  readonly fields: readonly string[];
  /** Fields whose differences it ignores by its settings. */
  readonly ignored?: readonly string[];
  /** Its field managers on this object. */
  readonly managers: readonly string[];
  readonly evidence: readonly WriterEvidence[];
  /** For an autoscaler: the replicas between which it scales. */
  readonly between?: { readonly min: number; readonly max: number };
  /** For an autoscaler that sets the requests of pods as they are created, whatever their template says. */
  readonly isOfRequests?: true;
}

/** Whether a path is at, above or below a field such as `spec.template.spec.containers.*.resources`. */
export function isAtField(path: JsonPath, field: string): boolean {
  const parts = field.split('.');
  return path.every((part, index) => {
    const wanted = parts[index];
    return wanted === undefined || wanted === '*' || wanted === String(part);
  });
}

const changeVerbs = { puts: 'puts this back', put: 'put this back' } as const;
const deleteVerbs = { puts: 'creates it again', put: 'create it again' } as const;

/** Says what a writer will do about a change or a deletion, in one sentence. */
export function writerSentence(writer: Writer, act: WriteAct): string {
  const { tool, label, when, every, why, between } = writer;
  const { puts, put } = act === 'delete' ? deleteVerbs : changeVerbs;
  const reason = why === undefined ? '' : ` (${why})`;
  if (between !== undefined) return scalingSentence(writer, between);
  if (writer.isOfRequests === true) return `${label} sets the requests of these pods itself${reason}.`;
  switch (when) {
    case 'at-once':
      return `${label} ${puts} at once${reason}.`;
    case 'interval':
      return `${label} ${puts} ${every === undefined ? 'at its next reconciliation' : `within ${every}`}${reason}.`;
    case 'any-time':
      return `${label} may ${put} at any time${reason}.`;
    case 'next-sync':
      return `${label} does not ${put} before its next ${tool === 'argocd' ? 'sync' : 'upgrade'}${reason}.`;
    case 'by-hand':
      return tool === 'argocd'
        ? `${label} ${puts} only when somebody syncs it${reason}.`
        : `${label} ${puts} at its next upgrade or rollback${reason}.`;
    case 'paused':
      return `${label} is paused and ${puts} once somebody resumes it${reason}.`;
    case 'never':
      return `${label} leaves this object as it is${reason}.`;
    case 'anew':
      return act === 'delete'
        ? `${label} makes another in its place${reason}.`
        : `${label} makes the next one without this change${reason}.`;
    case 'unknown':
      return unseenSentence(writer, put);
    default:
      return when satisfies never;
  }
}

function scalingSentence({ label, when, why }: Writer, { min, max }: { min: number; max: number }): string {
  const range = min === max ? `to ${min}` : `between ${min} and ${max}`;
  const reason = why === undefined ? '' : ` (${why})`;
  return when === 'paused'
    ? `${label} is off now${reason} and scales this again ${range} once it is on.`
    : `${label} will scale this again, ${range}${reason}.`;
}

function unseenSentence({ label, by, sight, why }: Writer, put: string): string {
  const kind = by?.kind ?? 'object';
  if (why !== undefined) return `${label} applies this; when it will ${put} is not known (${why}).`;
  return sight === 'absent'
    ? `${label} applied this, and its ${kind} is not on this cluster: when it will ${put} is not known.`
    : `${label} applies this; when it will ${put} is not seen, as you may not view its ${kind}.`;
}
