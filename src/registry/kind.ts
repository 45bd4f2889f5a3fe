import type { CellValue } from '../contract/live.ts';
import type { Need, Permission } from '../contract/permissions.ts';
import type { UsageKind } from '../contract/usage.ts';
import { epochSeconds } from '../kube/age.ts';
import type { LastChange } from '../kube/last-change.ts';
import type { KubeObject } from '../kube/object.ts';
import type { LabelSelector } from '../kube/selector.ts';
import type { WorkloadHealth } from '../kube/workload-status.ts';
import { type Attention, settled } from './attention.ts';
import { heldDeletion } from './held-deletion.ts';
import type { IconName } from './icon-name.ts';
import type { Facts, JoinName, KindAction } from './kind-action.ts';
import { generalPaths, type KindPaths } from './kind-paths.ts';
import { objectActions } from './object-actions.ts';
import { type ObjectTool, type OwnTool, toolsOf } from './object-tools.ts';
import type { SidebarSection } from './sidebar.ts';
import type { Tone } from './tone.ts';

/** A status cell travels as `[label, tone]`: the word first, so that text filters find it. */
export interface KindStatus {
  readonly tone: Tone;
  readonly label: string;
  /** What it is from a time on (epoch seconds), unless the object changes before. */
  readonly later?: { readonly at: number; readonly status: KindStatus };
}

/** The status at a time, epoch seconds: with `later` where time alone changes it once more. */
export function statusAt(status: KindStatus, now: number): KindStatus {
  return status.later === undefined || now < status.later.at ? status : statusAt(status.later.status, now);
}

/**
 * How a cell is drawn; each name is one component of the browser.
 * - `text`, `name`, `namespace`, `number`
 * - `status`: the cells `[label, tone]`
 * - `ratio`: `"1/2"`
 * - `restarts`: `[count, last restart in epoch seconds or null]`
 * - `age`: a time in epoch seconds
 * - `mono`: text or several texts, set like code
 * - `message`: a sentence or more, in the cluster's words
 * - `object`: `[kind, name]`
 * - `list`: several short texts
 * - `labels`: several `key=value`
 * - `cores`, `bytes`: a number in that unit; of what is used `[used, requested or null, at most or null]` as well
 * - `link`: addresses that a browser opens, http and https only
 */
export type CellFormat =
  | 'text'
  | 'name'
  | 'namespace'
  | 'number'
  | 'status'
  | 'ratio'
  | 'restarts'
  | 'age'
  | 'mono'
  | 'message'
  | 'object'
  | 'list'
  | 'labels'
  | 'cores'
  | 'bytes'
  | 'link';

/** One column: `value` is plain data to sort, filter, project and test by; `format` says how it looks. */
export interface Column<T> {
  readonly id: string;
  readonly label: string;
  readonly format: CellFormat;
  readonly value: (object: T) => CellValue;
  /** Of the status column: what its cell says now and later; `value` says what it is at first. */
  readonly status?: (object: T) => KindStatus;
  /**
   * The value comes from this join; `value` gives what stands there without it, or for people who may not see it.
   * Of `metrics` the format says what: `cores` or `bytes`.
   */
  readonly join?: JoinName;
  /** Only shown when the person asks for the wide table. */
  readonly wide?: true;
  /** Dropped first in a narrow tile: the higher the earlier; without it, last, and name and status never. */
  readonly dropAt?: number;
}

export type ColumnShorthand = 'namespace' | 'name' | 'status' | 'labels' | 'age';

/** One line of a section of fields. */
export interface Field<T> {
  readonly label: string;
  readonly format: CellFormat;
  readonly value: (object: T) => CellValue;
}

/**
 * Sections of a detail page; each name is one component of the browser.
 * - `fields`: everything below `spec` and `status`, as a tree
 * - `metadata`: labels, annotations, owner, finalizers
 * - `rollout`: how many pods of a workload are there and of its newest template
 * - `conditions`: of `status.conditions`
 * - `containers`: of a pod or a pod template
 * - `capacity`: of a node
 * - `endpoints`: slices of a service
 * - `data`: keys and values of a config map
 * - `used-by`: objects that name this one
 * - `pods`: those that `pods` selects
 * - `owned`: objects of the kinds in `owns`
 * - `related`: what `refs` names
 * - `release`: the objects and the notes of a Helm release
 * - `secret`: the keys of a Secret, masked, and what can be told of them
 * - `events`, `yaml`
 */
export const sectionNames = [
  'metadata',
  'rollout',
  'conditions',
  'containers',
  'capacity',
  'data',
  'endpoints',
  'fields',
  'used-by',
  'pods',
  'owned',
  'related',
  'release',
  'secret',
  'events',
  'yaml',
] as const;
export type SectionName = (typeof sectionNames)[number];
/** A section by name, or a titled table of fields. */
export type Section<T> = SectionName | { readonly title: string; readonly fields: readonly Field<T>[] };

/** Another object that an object names; its owners are read from its metadata and need not be given. */
export interface RelatedObject {
  readonly relation: 'owner' | 'uses' | 'targets';
  readonly apiVersion: string;
  /** Kubernetes' own name, e.g. `ConfigMap`. */
  readonly kind: string;
  /** Absent for objects of the cluster. */
  readonly namespace?: string;
  readonly name: string;
  /**
   * What it means that it does not exist. `optional`: the object says that it does without; `usual`: nothing is wrong, as
   * for an event about a deleted object. Trouble where this is absent.
   */
  readonly absence?: 'optional' | 'usual';
}

/** What stands around an object and tells more of its trouble than it does itself; only known on its own page. */
export interface Around {
  /** What it targets and does not exist. */
  readonly missing?: readonly RelatedObject[];
  /** Warnings about it, the newest first. */
  readonly warnings?: readonly { readonly reason: string; readonly message: string }[];
}
export type AroundName = 'targets' | 'warnings';

/** Which pods belong to an object: by their labels in its namespace, or by their node. */
export type PodSelection = LabelSelector | { readonly nodeName: string };

/** Where a workload keeps its earlier pod templates. */
export type RevisionSource = 'ReplicaSet' | 'ControllerRevision';

/** What the list of a kind offers besides its rows; each name is one component of the browser. */
export type ListExtra = 'create-namespace';

/** What a kind file declares. */
export interface KindDefinition<T extends KubeObject> {
  /** Stable id, singular, e.g. `deployment`. */
  readonly id: string;
  /** Kubernetes' own name, e.g. `Deployment`. */
  readonly kind: string;
  /** The same in few letters, where there is little room: `HPA`. */
  readonly abbreviation?: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Its objects are none of the API: the server makes them of what Helm keeps in Secrets. */
  readonly source?: 'helm';
  /** Short names for the command line, e.g. `po`. */
  readonly aliases?: readonly string[];
  /** Plural title of pages and menus. */
  readonly title: string;
  readonly icon: IconName;
  /** A list means all of them. */
  readonly permissions: { readonly view: Permission; readonly manage: Permission | readonly Permission[] };
  /** Those of the specification, which are irregular; `generalPaths` without it. */
  readonly paths?: KindPaths;
  readonly sidebar?: {
    readonly section: SidebarSection;
    readonly order: number;
    /** The keys that go to its list, `g p`. */
    readonly keys?: string;
  };
  readonly status?: (object: T) => KindStatus;
  /**
   * What is wrong with an object; undefined for one that is well. When it is told of, `settled` says for all kinds.
   * @param around known only where `around` asks for it
   */
  readonly attention?: (object: T, around?: Around) => Attention | undefined;
  /** What `attention` looks at besides the object. */
  readonly around?: readonly AroundName[];
  /** What last changed an object; only for kinds that people change, whose changes the dashboard tells. */
  readonly changed?: (object: T) => LastChange | undefined;
  /** Ids of the rules that `attention` may give; each is tested by an object in the kind's sample. */
  readonly rules?: readonly string[];
  readonly columns: readonly (ColumnShorthand | Column<T>)[];
  /** Lists without an end: only the first `limit` rows by this column, descending with a minus. */
  readonly window?: { readonly sort: string; readonly limit: number };
  /**
   * Rows that a list leaves out until they are asked for, and counts with it: those whose cell in a column is this text.
   * `field` is the field by which a cluster selects them.
   */
  readonly aside?: {
    readonly column: string;
    readonly field: string;
    readonly value: string;
    readonly label: string;
  };
  readonly listExtra?: ListExtra;
  /** What the definition of a custom resource says of its objects beside their names. */
  readonly custom?: CustomFacts;
  readonly facts?: (object: T) => Facts;
  readonly refs?: (object: T) => readonly RelatedObject[];
  readonly joins?: readonly JoinName[];
  /** Ids of the kinds whose objects may have an owner of this one. */
  readonly owns?: readonly string[];
  /** Ids of the kinds whose `refs` may name an object of this one. */
  readonly usedBy?: readonly string[];
  /** What brings its API into a cluster, for kinds that not every cluster has. */
  readonly addOn?: string;
  readonly pods?: (object: T) => PodSelection | undefined;
  /** Whose logs can be read of it: its own (a pod), those of the pods it selects, or of the pods of the Jobs it owns. */
  readonly logs?: 'own' | 'pods' | 'jobs';
  /** The ways to look at one of its objects, besides logs and graph; `yaml`, `edit` and `compare` without it. */
  readonly tools?: readonly OwnTool[];
  /**
   * Its part in graphs of objects. Without it, its objects are drawn where they are tied to others.
   * - `none`: they are tied to nothing: they have no graph and are in none
   * - `place`: the graph of one is what stands in it; it is in no other
   * - `shared`: they tie together what has nothing to do with each other: only in graphs that begin with one object
   * - `selected`: they belong to the objects whose `pods` select them as well
   */
  readonly graph?: 'none' | 'place' | 'shared' | 'selected';
  /**
   * The values of its objects are masked wherever they show. They are compared on the server, each time on record, and
   * what is typed into one is kept nowhere.
   */
  readonly masked?: true;
  /** Its own usage is measured, as that of a pod or of a node. The usage of other objects is that of their pods. */
  readonly usage?: UsageKind;
  /** How far the rollout of a workload is, for the section `rollout`. */
  readonly rollout?: (object: T) => WorkloadHealth;
  readonly revisions?: RevisionSource;
  /** Of the detail page, in order; metadata, events and YAML without it. */
  readonly sections?: readonly Section<T>[];
  /** Its own actions; those of every object come by themselves. */
  readonly actions?: readonly KindAction[];
}

/** A kind, ready for use: every path, column, section, tool and action spelled out. */
export interface Kind
  extends Omit<KindDefinition<KubeObject>, 'paths' | 'columns' | 'sections' | 'tools' | 'actions'> {
  readonly paths: KindPaths;
  readonly columns: readonly Column<KubeObject>[];
  readonly sections: readonly Section<KubeObject>[];
  readonly tools: readonly ObjectTool[];
  readonly actions: readonly KindAction[];
}

/** A kind that may have been made at run time: it can be for Owners only. Every `Kind` is one. */
export interface AnyKind extends Omit<Kind, 'permissions'> {
  readonly permissions: { readonly view: Need; readonly manage: Need };
  /** Tells two readings of one definition apart; absent for kinds that are always the same. */
  readonly fingerprint?: string;
}

function expand<T extends KubeObject>(
  definition: Pick<KindDefinition<T>, 'status'>,
  column: ColumnShorthand | Column<T>,
): Column<T> {
  switch (column) {
    case 'name':
      return { id: 'name', label: 'Name', format: 'name', value: (o) => o.metadata?.name ?? '' };
    case 'namespace':
      return {
        id: 'namespace',
        label: 'Namespace',
        format: 'namespace',
        value: (o) => o.metadata?.namespace ?? '',
        dropAt: 1,
      };
    case 'age':
      return {
        id: 'age',
        label: 'Age',
        format: 'age',
        value: (o) => epochSeconds(o.metadata?.creationTimestamp),
      };
    case 'labels':
      return {
        id: 'labels',
        label: 'Labels',
        format: 'labels',
        wide: true,
        dropAt: 8,
        value: (o) => Object.entries(o.metadata?.labels ?? {}).map(([key, value]) => `${key}=${value}`),
      };
    case 'status': {
      const status = definition.status;
      return {
        id: 'status',
        label: 'Status',
        format: 'status',
        ...(status === undefined ? {} : { status }),
        value: (o) => {
          if (status === undefined) return null;
          const { label, tone } = status(o);
          return [label, tone];
        },
      };
    }
    default:
      return column;
  }
}

const plainSections: readonly SectionName[] = ['metadata', 'events', 'yaml'];

/**
 * Declares a resource kind.
 * List page, routes, permission checks, watch and conformance tests derive from the result.
 */
export function defineKind<T extends KubeObject>(definition: KindDefinition<T>): Kind {
  return completeKind(definition) as Kind;
}

/** What of a definition makes the page of a custom resource: plain data, so that a page without its code can be made. */
export interface CustomFacts {
  /** Read without trust in their types, and bounded. */
  readonly printerColumns: readonly unknown[];
  /** Where the count of its scale subresource stands, a JSON path; it cannot be scaled without. */
  readonly scale?: string;
  /** What is known of the status of its objects; absent where they have none. */
  readonly status?: CustomStatusFacts;
}

/** What a definition tells of the status of its objects. */
export interface CustomStatusFacts {
  /** Its generation counts every change, also those of the status: it says nothing of what was seen. */
  readonly ignoresGeneration?: boolean;
}

/** As `defineKind`, for kinds that are made at run time. */
export function completeKind<T extends KubeObject>(
  definition: Omit<KindDefinition<T>, 'permissions'> & Pick<AnyKind, 'permissions' | 'fingerprint'>,
): AnyKind {
  const { attention } = definition;
  const completed = {
    ...definition,
    ...(attention === undefined
      ? {}
      : {
          attention: (object: T, around?: Around) => {
            const found = attention(object, around) ?? heldDeletion(object);
            return found && settled(found, epochSeconds(object.metadata?.creationTimestamp));
          },
        }),
    paths: definition.paths ?? generalPaths(definition),
    columns: definition.columns.map((column) => expand(definition, column)),
    sections: definition.sections ?? plainSections,
    tools: toolsOf(
      { hasLogs: definition.logs !== undefined, hasGraph: definition.graph !== 'none' },
      definition.tools,
    ),
    // What acts on any object of the API has nothing to act on here.
    actions: [...(definition.actions ?? []), ...(definition.source === undefined ? objectActions : [])],
  };
  // A kind reads only objects of its own group, version and plural: the one cast of the mechanism.
  return completed as unknown as AnyKind;
}
