import type { CellValue } from '../../contract/live.ts';
import type { Need, Permission } from '../../contract/permissions.ts';
import type { UsageKind } from '../../contract/usage.ts';
import type { PodNamePart } from '../../kube/pod-names.ts';
import { epochSeconds } from '../../kube/age.ts';
import type { LastChange } from '../../kube/last-change.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { LabelSelector } from '../../kube/selector.ts';
import type { WorkloadHealth } from '../../kube/workload-status.ts';
import { type Attention, settled } from './attention.ts';
import { heldDeletion } from './held-deletion.ts';
import type { IconName } from '../icon-name.ts';
import type { Facts, JoinName, KindAction } from './kind-action.ts';
import { generalPaths, type KindPaths } from './kind-paths.ts';
import type { Milestones } from './milestone.ts';
import { objectActions } from './object-actions.ts';
import { type ObjectTool, type OwnTool, toolsOf } from './object-tools.ts';
import type { SidebarSection } from '../sidebar.ts';
import type { Tone } from '../tone.ts';

/** A status cell is sent as `[label, tone]`, label first, so that text filters find it. */
export interface KindStatus {
  readonly tone: Tone;
  readonly label: string;
  /** The status from a later time on (epoch seconds), unless the object changes before. */
  readonly later?: { readonly at: number; readonly status: KindStatus };
}

/** The status at a time in epoch seconds, including the change that time alone brings. */
export function statusAt(status: KindStatus, now: number): KindStatus {
  return status.later === undefined || now < status.later.at ? status : statusAt(status.later.status, now);
}

/**
 * How a cell is drawn; each name is one component of the page.
 * - `text`, `name`, `namespace`, `number`
 * - `status`: the cells `[label, tone]`
 * - `ratio`: `"1/2"`
 * - `restarts`: `[count, last restart in epoch seconds or null]`
 * - `age`: a time in epoch seconds
 * - `duration`: `[start, end]` in epoch seconds; the end is null for what still runs
 * - `mono`: one or several texts in a monospaced font
 * - `message`: one or more sentences from the cluster
 * - `object`: `[kind, name]`, with a namespace behind where it may be another one than the row's
 * - `list`: several short texts
 * - `labels`: several `key=value`
 * - `cores`, `bytes`: a number in that unit, or for usage `[used, requested or null, limit or null]`
 * - `link`: http and https addresses that a browser opens
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
  | 'duration'
  | 'mono'
  | 'message'
  | 'object'
  | 'list'
  | 'labels'
  | 'cores'
  | 'bytes'
  | 'link';

/**
 * What the text of a cell names, so that lists and pages show it as a link. Objects in a namespace are in that of the
 * row, unless the cell says otherwise.
 * - `named`: the name of an object of a kind, or several names
 * - `placed`: `[namespace, name]` of an object of a kind
 * - `object`: `[kind, name]` as `objectCell` writes it
 * - `reference`: `[Kind ][namespace/]name`, followed by a port or a remark; or several
 * - `image`: an image, or several: its page at a well-known registry
 */
export type CellLink =
  | { readonly to: 'named'; readonly kind: string }
  | { readonly to: 'placed'; readonly kind: string }
  | { readonly to: 'reference'; readonly kind: string }
  | { readonly to: 'object' }
  | { readonly to: 'image' };

/** One column: `value` gives plain data for sorting, filtering and projecting; `format` says how the cell looks. */
export interface Column<T> {
  readonly id: string;
  readonly label: string;
  readonly format: CellFormat;
  readonly value: (object: T) => CellValue;
  readonly links?: CellLink;
  /** For the status column: the status now and later; `value` gives the initial one. */
  readonly status?: (object: T) => KindStatus;
  /**
   * The value comes from this join; `value` gives the fallback, which people without permission see. For `metrics` the
   * format selects `cores` or `bytes`.
   */
  readonly join?: JoinName;
  /** Shown only in the wide table. */
  readonly wide?: true;
  /**
   * Columns with a higher number disappear earlier in a narrow tile; columns without one disappear last, name and
   * status never.
   */
  readonly dropAt?: number;
}

export type ColumnShorthand = 'namespace' | 'name' | 'status' | 'labels' | 'age';

/** One line of a titled table of fields. */
export interface Field<T> {
  readonly label: string;
  readonly format: CellFormat;
  readonly value: (object: T) => CellValue;
  readonly links?: CellLink;
}

/**
 * Sections of a detail page; each name is one component of the page.
 * - `fields`: everything below `spec` and `status`, as a tree
 * - `metadata`: labels, annotations, owner, finalizers
 * - `rollout`: a workload's pods in total and of its newest template
 * - `conditions`: `status.conditions`
 * - `containers`: of a pod or a pod template
 * - `capacity`: of a node
 * - `endpoints`: slices of a service
 * - `data`: keys and values of a config map
 * - `used-by`: objects that refer to this one
 * - `pods`: the pods that `pods` selects
 * - `owned`: objects of the kinds in `owns`
 * - `related`: the objects in `refs`
 * - `release`: the objects and the notes of a Helm release
 * - `secret`: the keys of a Secret, masked, and what may be shown about them
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
/** A titled list of fields. */
export interface FieldSection<T> {
  readonly title: string;
  readonly fields: readonly Field<T>[];
}

/** A titled table with a row for each part of an object, such as the rules of a role. */
export interface TableSection<T> {
  readonly title: string;
  readonly columns: readonly {
    readonly label: string;
    readonly format: CellFormat;
    readonly links?: CellLink;
  }[];
  /** The cells of each row, one for each column. */
  readonly rows: (object: T) => readonly (readonly CellValue[])[];
  /** A sentence in place of a table without rows; without it there is no section then. */
  readonly empty?: (object: T) => string | undefined;
}

/** The tables of another object, on the page of the one that refers to it: what a binding allows is in its role. */
export interface BorrowedSection<T> {
  readonly title: string;
  readonly of: (object: T) => RelatedObject | undefined;
}

/** A section by name, or one that the kind declares. */
export type Section<T> = SectionName | FieldSection<T> | TableSection<T> | BorrowedSection<T>;

/** An object that another object refers to. Owners are read from the metadata and are not declared. */
export interface RelatedObject {
  readonly relation: 'owner' | 'uses' | 'targets';
  readonly apiVersion: string;
  /** The Kubernetes kind, e.g. `ConfigMap`. */
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  /**
   * What it means if the object does not exist. `optional`: the referring object tolerates it; `usual`: nothing is
   * wrong, as for an event about a deleted object. A problem if absent.
   */
  readonly absence?: 'optional' | 'usual';
}

/** Information around an object that explains its problem further; available on the object's own page only. */
export interface Around {
  /** Referenced objects that do not exist. */
  readonly missing?: readonly RelatedObject[];
  /** Warning events about the object, newest first. */
  readonly warnings?: readonly { readonly reason: string; readonly message: string }[];
}
export type AroundName = 'targets' | 'warnings';

/** Which pods belong to an object: by labels in its namespace, or by node. */
export type PodSelection = LabelSelector | { readonly nodeName: string };

/** Where a workload keeps earlier versions of its pod template. */
export type RevisionSource = 'ReplicaSet' | 'ControllerRevision';

/** Extras of a kind's list; each name is one component of the page. */
export type ListExtra = 'create-namespace';

/** A status by which people look for objects: a part of what the status column shows. */
export interface NamedStatus {
  readonly label: string;
  /** Lower-case words for the same. */
  readonly keywords?: readonly string[];
}

/** What a kind file declares. */
export interface KindDefinition<T extends KubeObject> {
  /** Stable id in the singular, e.g. `deployment`. */
  readonly id: string;
  /** The Kubernetes kind, e.g. `Deployment`. */
  readonly kind: string;
  /** Short form for narrow places: `HPA`. */
  readonly abbreviation?: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** The objects are not in the API: the server derives them from Secrets and ConfigMaps that Helm writes. */
  readonly source?: 'helm';
  /** Short names for the palette, e.g. `po`. */
  readonly aliases?: readonly string[];
  /** Plural title of pages and menus. */
  readonly title: string;
  readonly icon: IconName;
  /** All of a list are needed. `owner`: only Owners change it. */
  readonly permissions: { readonly view: Permission; readonly manage: Need };
  /** The irregular paths of the specification; defaults to `generalPaths`. */
  readonly paths?: KindPaths;
  readonly sidebar?: {
    readonly section: SidebarSection;
    readonly order: number;
    /** The keys that open its list, such as `g p`. */
    readonly keys?: string;
  };
  /** Of an object that is being deleted every kind says `Terminating`. */
  readonly status?: (object: T) => KindStatus;
  /** `status` also judges objects that are being deleted. */
  readonly saysEnding?: true;
  /** Statuses by which people look for its objects: the palette offers the list of each. */
  readonly statuses?: readonly NamedStatus[];
  /**
   * The problem of an object; undefined for a healthy one. `settled` decides for all kinds when the dashboard shows it.
   * @param around given only if `around` below asks for it
   */
  readonly attention?: (object: T, around?: Around) => Attention | undefined;
  /** What `attention` reads besides the object. */
  readonly around?: readonly AroundName[];
  /** The latest change of an object; only for kinds that people change, whose changes the dashboard lists. */
  readonly changed?: (object: T) => LastChange | undefined;
  /** What its objects come to, for those who want to hear of it. */
  readonly milestones?: Milestones<T>;
  /** Ids of the rules that `attention` may return; the kind's sample has an object for each. */
  readonly rules?: readonly string[];
  readonly columns: readonly (ColumnShorthand | Column<T>)[];
  /** For unbounded lists: only the first `limit` rows by this column, descending with a leading minus. */
  readonly window?: { readonly sort: string; readonly limit: number };
  /**
   * Rows that the list leaves out and only counts until the person asks for them: those whose cell in `column` has this
   * text. `field` is the field selector for them.
   */
  readonly aside?: {
    readonly column: string;
    readonly field: string;
    readonly value: string;
    readonly label: string;
  };
  readonly listExtra?: ListExtra;
  /** What a custom resource definition says about its objects besides their names. */
  readonly custom?: CustomFacts;
  /** Columns read cells of the server's Table, with which the objects of a list have to be asked for (`tableCells`). */
  readonly hasTableCells?: true;
  readonly facts?: (object: T) => Facts;
  readonly refs?: (object: T) => readonly RelatedObject[];
  readonly joins?: readonly JoinName[];
  /** Ids of the kinds whose objects may be owned by objects of this kind. */
  readonly owns?: readonly string[];
  /** Ids of the kinds whose `refs` may contain objects of this kind. */
  readonly usedBy?: readonly string[];
  /** Objects in other namespaces may refer to its objects. */
  readonly usedAcross?: true;
  /** Whether the palette's search finds an object of this name; by default all are found. */
  readonly isSearched?: (name: string) => boolean;
  /** The add-on that brings the API into a cluster, for kinds that not every cluster has. */
  readonly addOn?: string;
  readonly pods?: (object: T) => PodSelection | undefined;
  /** How its controller names its pods: by that, a Prometheus finds those that are gone. */
  readonly podNames?: readonly PodNamePart[];
  /**
   * Whose logs an object shows: its own (a pod), those of the pods it selects, or those of the pods of the Jobs it
   * owns.
   */
  readonly logs?: 'own' | 'pods' | 'jobs';
  /** The views of an object besides logs and graph; defaults to `yaml`, `edit` and `compare`. */
  readonly tools?: readonly OwnTool[];
  /**
   * Its part in object graphs. By default its objects are drawn where they are linked to others.
   * - `none`: unlinked: no graph of their own and in none
   * - `place`: its graph contains the objects in it; it is in no other graph
   * - `shared`: links unrelated objects, so it is only in graphs that begin with one object
   * - `selected`: also belongs to the objects whose `pods` select it
   */
  readonly graph?: 'none' | 'place' | 'shared' | 'selected';
  /**
   * The values of its objects are masked everywhere. The server compares them and audits each comparison; the page
   * never stores edited values.
   */
  readonly masked?: true;
  /** Its own usage is measured (pods and nodes). For other objects the usage is the sum of their pods'. */
  readonly usage?: UsageKind;
  /** The progress of a workload's rollout, for the section `rollout`. */
  readonly rollout?: (object: T) => WorkloadHealth;
  readonly revisions?: RevisionSource;
  /** Sections of the detail page in order; defaults to metadata, events and YAML. */
  readonly sections?: readonly Section<T>[];
  /**
   * Whether pods end, or something is lost, once an object is changed from what it was, besides what `isDestructive`
   * judges for all kinds. For edits and applies; actions say it of themselves.
   */
  readonly endsBy?: (before: T, after: T) => boolean;
  /** Its objects hold so much that deleting one asks for its name, on every cluster. */
  readonly asksForName?: true;
  /** Deleting one is a dangerous act: it takes a passkey at that moment on a cluster that asks for it. */
  readonly isDeletionGrave?: true;
  /**
   * Whether a change does to an object what a dangerous act does, besides what `isChangeGrave` judges for all kinds whose
   * deletion is one.
   * @param wanted may be a part of the object: what it leaves out stays
   */
  readonly isGraveBy?: (before: T, wanted: T) => boolean;
  /**
   * What happens to others when an object of it is deleted, besides what it owns.
   * - `inside`: objects in it, as in a namespace
   * - `instances`: objects of the kind that it defines
   * - `claims`: claims that were made for its pods
   * - `running`: pods that run on it
   * - `volume`: the volume that is bound to it
   * - `claim`: the claim that is bound to it
   * - `maker`: who owns it makes another
   */
  readonly deletionReaches?: DeletionReach;
  /** The kind's own actions; `objectActions` are added to every kind. */
  readonly actions?: readonly KindAction[];
}

/** What the deletion of an object reaches. */
export type DeletionReach = 'inside' | 'instances' | 'claims' | 'running' | 'volume' | 'claim' | 'maker';

/** A complete kind: every path, column, section, tool and action filled in. */
export interface Kind
  extends Omit<KindDefinition<KubeObject>, 'paths' | 'columns' | 'sections' | 'tools' | 'actions'> {
  readonly paths: KindPaths;
  readonly columns: readonly Column<KubeObject>[];
  readonly sections: readonly Section<KubeObject>[];
  readonly tools: readonly ObjectTool[];
  readonly actions: readonly KindAction[];
}

/** A kind that may have been created at run time and may be for Owners only. Every `Kind` is one. */
export interface AnyKind extends Omit<Kind, 'permissions'> {
  readonly permissions: { readonly view: Need; readonly manage: Need };
  /** Distinguishes two versions of one definition; absent for kinds with a file. */
  readonly fingerprint?: string;
}

function expand<T extends KubeObject>(
  definition: { readonly status?: KindDefinition<T>['status'] | undefined },
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
        links: { to: 'named', kind: 'namespace' },
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

/** The parts of a custom resource definition that its pages need, as plain data. */
export interface CustomFacts {
  /** Untrusted types, bounded length. */
  readonly printerColumns: readonly unknown[];
  /** JSON path of the replica count of the scale subresource; absent if the kind cannot be scaled. */
  readonly scale?: string;
  /** The facts about the objects' status; absent if they have none. */
  readonly status?: CustomStatusFacts;
}

/** What a definition says about the status of its objects. */
export interface CustomStatusFacts {
  /** The generation also counts status changes, so `observedGeneration` says nothing. */
  readonly ignoresGeneration?: boolean;
}

const ending = 'Terminating';

/** The status of an object that is being deleted, whatever it reports; amber from when something holds it. */
function endingStatus(trouble: Attention | undefined): KindStatus {
  const label = ending;
  const at = Math.max(trouble?.notBefore ?? 0, trouble?.settledAt ?? 0);
  return {
    tone: 'info',
    label,
    ...(trouble === undefined ? {} : { later: { at, status: { tone: trouble.tone, label } } }),
  };
}

/** Like `defineKind`, for kinds created at run time. */
export function completeKind<T extends KubeObject>(
  definition: Omit<KindDefinition<T>, 'permissions'> & Pick<AnyKind, 'permissions' | 'fingerprint'>,
): AnyKind {
  const { attention, status } = definition;
  const troubleOf = (object: T, around?: Around) => {
    const held = heldDeletion(object);
    const own = attention?.(object, around);
    // A node that is not ready explains more than its deletion does.
    const isAboutOwn = held === undefined || own?.isCause === true || own?.isOfEnding === true;
    const found = isAboutOwn ? (own ?? held) : held;
    return found && settled(found, epochSeconds(object.metadata?.creationTimestamp));
  };
  const endingOf = (object: T, said: (object: T) => KindStatus): KindStatus => {
    if (definition.saysEnding !== true) return endingStatus(troubleOf(object));
    const judged = said(object);
    // It says by itself what it is meanwhile, as an ended pod does.
    const held = judged.label === ending ? heldDeletion(object) : undefined;
    return held === undefined ? judged : endingStatus(held);
  };
  const statusOf =
    status === undefined
      ? undefined
      : (object: T) =>
          object.metadata?.deletionTimestamp === undefined ? status(object) : endingOf(object, status);
  const completed = {
    ...definition,
    ...(attention === undefined ? {} : { attention: troubleOf }),
    ...(statusOf === undefined ? {} : { status: statusOf }),
    paths: definition.paths ?? generalPaths(definition),
    columns: definition.columns.map((column) => expand({ ...definition, status: statusOf }, column)),
    sections: definition.sections ?? plainSections,
    tools: toolsOf(
      {
        hasLogs: definition.logs !== undefined,
        hasGraph: definition.graph !== 'none',
        isInApi: definition.source === undefined,
      },
      definition.tools,
    ),
    // Actions on API objects do not apply to objects that are not in the API.
    actions: [...(definition.actions ?? []), ...(definition.source === undefined ? objectActions : [])],
  };
  // A kind reads only objects of its own group, version and plural, which justifies this one cast.
  return completed as unknown as AnyKind;
}
