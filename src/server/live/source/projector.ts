import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { CellValue } from '../../../contract/live.ts';
import type { LastChange } from '../../../kube/last-change.ts';
import type { KubeObject, OwnerReference } from '../../../kube/object.ts';
import { controllerFirst } from '../../../kube/owners.ts';
import { formatSelector } from '../../../kube/format-selector.ts';
import { plainMessage } from '../../../kube/escape-sequences.ts';
import { cleanText } from '../../../kube/text.ts';
import type { Attention } from '../../../registry/kinds/attention.ts';
import { heldDeletion } from '../../../registry/kinds/held-deletion.ts';
import type { Facts } from '../../../registry/kinds/kind-action.ts';
import {
  type AnyKind,
  type Column,
  type KindStatus,
  type RelatedObject,
  statusAt,
} from '../../../registry/kinds/kind.ts';
import type { Milestone } from '../../../registry/kinds/milestone.ts';
import { refKey } from '../../../registry/kinds/refs.ts';
import { type Clock, systemClock } from '../../kit/clock.ts';
import { milestoneTools } from './milestone-tools.ts';

/** An object that owns another. */
export type Owner = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>;

/** How an object refers to others beyond what `refs` tells: most objects have none of it. */
export interface Links {
  /** Those of its `refs` that it acts on, as an autoscaler does on a workload; the others it uses. */
  readonly targets: readonly string[];
  /** A selector of pods that are not its own, as a Service has; empty without one. */
  readonly selects: string;
}

/** The part of an object that the hub holds: never the object itself. */
export interface Entry {
  readonly uid: string;
  readonly name: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  /** Opaque; the only field that changes in place, as nothing is shown or decided by it. */
  version: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The controller first. */
  readonly owners: readonly Owner[];
  /** Keys of the objects that it refers to, by `refKey`; without its owners. */
  readonly refs: readonly string[];
  readonly links?: Links | undefined;
  readonly facts: Facts;
  readonly attention: Attention | undefined;
  readonly changed?: LastChange | undefined;
  /** As `Milestones` of its kind says. */
  readonly milestones?: readonly Milestone[] | undefined;
  /** In the order of the kind's columns; those of joined columns stand for themselves. */
  readonly cells: readonly CellValue[];
  /** The status that time alone will bring, and when. */
  readonly later?: KindStatus['later'];
}

/**
 * Reduces an object to what is held. Returns `previous` itself (its version brought up to date) when nothing that is
 * held changed; the very cells of `previous` when no cell did: identity tells whether there is anything to send.
 * Undefined for an object without a name.
 */
export type Projector = (object: KubeObject, previous: Entry | undefined) => Entry | undefined;

/** Distinct values shared before the table starts anew: sharing is lost then, nothing else. */
const shareLimit = 10_000;
// Kubernetes keeps to less; a cluster that does not must not fill the memory of a console that has many.
const maxNameLength = 253;
/** Maximum length of a condition's message. */
const maxTextLength = 32_768;
const maxLabelKeyLength = 317;
const maxLabelLength = 63;
const maxLabels = 500;
const maxItems = 1_000;
const noOwners: readonly Owner[] = [];
const noFacts: Facts = {};
const noLabels: Entry['labels'] = {};
const noRefs: readonly string[] = [];
/** Objects that one may name. */
const maxRefs = 500;

/** Shares equal values between entries: ten thousand pods have a handful of namespaces, nodes and label sets. */
function createSharing() {
  let shared = new Map<string, unknown>();
  return <T>(key: string, value: T): T => {
    const known = shared.get(key);
    if (known !== undefined) return known as T;
    if (shared.size >= shareLimit) shared = new Map();
    shared.set(key, value);
    return value;
  };
}

function sameCell(a: CellValue, b: CellValue | undefined): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((value, index) => value === (b as readonly unknown[])[index]);
}

const sameCells = (a: readonly CellValue[], b: readonly CellValue[]) =>
  a.length === b.length && a.every((value, index) => sameCell(value, b[index]));

/** The name in a value of the cluster; undefined if it is none, whatever the types say. */
function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxNameLength ? value : undefined;
}

/** A text of the cluster as it may be shown: cleaned, and with an ellipsis where it is cut, never half a character. */
function displayText(value: string): string {
  const clean = cleanText(
    value.length > maxTextLength ? value.slice(0, maxTextLength).toWellFormed() : value,
  );
  return value.length > maxTextLength ? `${clean}…` : clean;
}

/** Identity of an object: its uid, or its place for the rare API that gives none. */
export function identity(object: KubeObject): string | undefined {
  const { uid, name, namespace } = object.metadata ?? {};
  const own = nameIn(uid);
  if (own !== undefined) return own;
  const known = nameIn(name);
  return known === undefined ? undefined : placeOf(nameIn(namespace) ?? '', known);
}

/** Whether labels are those that were held: then each of them is one. */
function sameLabels(labels: unknown, held: Entry['labels']): labels is Entry['labels'] {
  if (typeof labels !== 'object' || labels === null) return false;
  let left = Object.keys(held).length;
  for (const [key, value] of Object.entries(labels)) {
    if (held[key] !== value) return false;
    left -= 1;
  }
  return left === 0;
}

/** The labels that are labels. */
function labelsIn(labels: unknown): Readonly<Record<string, string>> {
  if (typeof labels !== 'object' || labels === null) return {};
  const isLabel = (entry: [string, unknown]): entry is [string, string] =>
    entry[0].length <= maxLabelKeyLength && typeof entry[1] === 'string' && entry[1].length <= maxLabelLength;
  return Object.fromEntries(Object.entries(labels).filter(isLabel).slice(0, maxLabels));
}

/** Where an object is, as one text; the namespace is empty for objects of the cluster. */
export function placeOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

/** The references to an object's owners, its controller first. */
const ownerReferences = ({ metadata }: KubeObject): readonly OwnerReference[] =>
  controllerFirst(metadata?.ownerReferences ?? []);

function readOwners(references: readonly OwnerReference[]): readonly Owner[] {
  if (references.length === 0) return noOwners;
  return references.map(({ apiVersion, kind, name, uid }) => ({
    apiVersion: displayText(apiVersion),
    kind: displayText(kind),
    name: displayText(name),
    uid: nameIn(uid) ?? '',
  }));
}

/** The owners of an object, its controller first. */
export const ownersOf = (object: KubeObject): readonly Owner[] => readOwners(ownerReferences(object));

const isSameOwner = (a: Owner, b: Owner | undefined): boolean =>
  a.uid === b?.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion;

/** The status of an entry, from its cell. */
export function statusOf(
  kind: AnyKind,
  { cells }: Entry,
): readonly [label: string, tone: string] | undefined {
  const cell = cells[kind.columns.findIndex((column) => column.format === 'status')];
  if (!Array.isArray(cell)) return undefined;
  const [label, tone] = cell as readonly unknown[];
  return [String(label), String(tone)];
}

/** An entry whose time has come, with the status that it has from now on. */
export function entryAt(kind: AnyKind, entry: Entry, now: number): Entry {
  const { later, ...rest } = entry;
  if (later === undefined || now < later.at) return entry;
  const status = statusAt(later.status, now);
  const index = kind.columns.findIndex((column) => column.status !== undefined);
  const cells = entry.cells.with(index, [displayText(status.label), status.tone]);
  return { ...rest, cells, ...(status.later === undefined ? {} : { later: status.later }) };
}

/** An attention with the cluster's words in it cleaned. */
export function cleanAttention(attention: Attention): Attention {
  const { detail, sharedCause, log } = attention;
  const clean = (text: string) => plainMessage(displayText(text));
  return {
    ...attention,
    title: clean(attention.title),
    ...(detail === undefined ? {} : { detail: clean(detail) }),
    ...(sharedCause === undefined
      ? {}
      : { sharedCause: { ...sharedCause, title: clean(sharedCause.title) } }),
    ...(log === undefined ? {} : { log: { ...log, container: displayText(log.container) } }),
  };
}

/** Projects the objects of one kind. */
class KindProjector {
  readonly #kind: AnyKind;
  readonly #log: Logger;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #share = createSharing();
  /** Columns and rules whose failure is in the log already. */
  readonly #complained = new Set<string>();
  /** The status that the projected object will have later. */
  #later: KindStatus['later'];

  constructor(kind: AnyKind, log: Logger, clock: Pick<Clock, 'now'>) {
    this.#kind = kind;
    this.#log = log;
    this.#clock = clock;
  }

  #attempt<T>(what: string, read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      if (!this.#complained.has(what)) {
        this.#complained.add(what);
        this.#log.error(
          { err: error, kind: this.#kind.id, column: what },
          'A column failed and is shown empty',
        );
      }
      return otherwise;
    }
  }

  #text(value: string, column: Column<KubeObject>, previous: CellValue | undefined): string {
    // HeldPermissions values are clean already: cleaning them changes nothing.
    if (value === previous) return previous;
    const shown = displayText(value);
    const clean = column.format === 'message' ? plainMessage(shown) : shown;
    if (clean === previous) return previous;
    // Names and addresses are as good as unique; sharing them would only fill the table.
    return column.format === 'name' || column.format === 'mono' ? clean : this.#share(`s${clean}`, clean);
  }

  /** The cell of a column now. */
  #valueOf(object: KubeObject, column: Column<KubeObject>): unknown {
    if (column.status === undefined) return column.value(object);
    const now = statusAt(column.status(object), this.#clock.now() / 1000);
    this.#later = now.later;
    return [now.label, now.tone];
  }

  #cell(object: KubeObject, column: Column<KubeObject>, previous: CellValue | undefined): CellValue {
    // The column read it from an object of the cluster, which is not bound to our types.
    const value: unknown = this.#valueOf(object, column);
    if (typeof value === 'string') return this.#text(value, column, previous);
    if (!Array.isArray(value)) return typeof value === 'boolean' || isNumber(value) ? value : null;
    if (Array.isArray(previous) && sameCell(value, previous)) return previous;
    const list = value
      .slice(0, maxItems)
      .map((item: unknown) => (typeof item === 'string' ? displayText(item) : isNumber(item) ? item : null));
    if (value.length > maxItems) list.push('…');
    if (previous !== undefined && sameCell(list, previous)) return previous;
    return this.#share(`a${JSON.stringify(list)}`, list);
  }

  #factsOf(object: KubeObject, previous: Facts = noFacts): Facts {
    const facts = this.#kind.facts?.(object);
    if (facts === undefined) return noFacts;
    const held: Record<string, Facts[string]> = {};
    for (const [name, value] of Object.entries(facts)) {
      const before = previous[name];
      if (before !== undefined && sameCell(value, before)) held[name] = before;
      else if (typeof value === 'string') {
        const clean = displayText(value);
        held[name] = this.#share(`s${clean}`, clean);
      } else if (Array.isArray(value)) {
        const list = value
          .slice(0, maxItems)
          .flatMap((item: unknown) => (typeof item === 'string' ? displayText(item) : []));
        held[name] = this.#share(`a${JSON.stringify(list)}`, list);
      } else if (typeof value === 'boolean' || isNumber(value)) held[name] = value;
    }
    return held;
  }

  #sharedOwners(object: KubeObject, previous: readonly Owner[] = noOwners): readonly Owner[] {
    const references = ownerReferences(object);
    const isSame = (one: Owner, at: number) => isSameOwner(one, previous[at]);
    if (references.length === previous.length && references.every(isSame)) return previous;
    const owners = readOwners(references);
    return owners.length === 0 ? owners : this.#share(`o${JSON.stringify(owners)}`, owners);
  }

  #refsOf(refs: readonly RelatedObject[], previous: readonly string[] = noRefs): readonly string[] {
    if (refs.length === 0) return noRefs;
    const keys = refs.slice(0, maxRefs).map((one, at) => {
      const key = refKey(one);
      return key === previous[at] ? key : displayText(key);
    });
    return sameCell(keys, previous) ? previous : this.#share(`r${keys.join('\n')}`, keys);
  }

  #labelsOf(labels: unknown, previous: Entry['labels'] = noLabels): Entry['labels'] {
    if (sameLabels(labels, previous)) return previous;
    const read = labelsIn(labels);
    return sameLabels(read, previous) ? previous : this.#share(`l${JSON.stringify(read)}`, read);
  }

  #linksOf(object: KubeObject, refs: readonly RelatedObject[]): Links | undefined {
    const named = refs.filter(({ relation }) => relation === 'targets');
    // A kind that owns its pods needs no further edges to them by its selector.
    const selection = this.#kind.owns === undefined ? this.#kind.pods?.(object) : undefined;
    const selects = selection === undefined || 'nodeName' in selection ? '' : formatSelector(selection);
    if (named.length === 0 && selects === '') return undefined;
    const targets = named.slice(0, maxRefs).map((one) => displayText(refKey(one)));
    return this.#share(`k${selects}\n${targets.join('\n')}`, { targets, selects });
  }

  #attentionOf(object: KubeObject): Attention | undefined {
    const attention =
      this.#kind.attention === undefined ? heldDeletion(object) : this.#kind.attention(object);
    return attention === undefined ? undefined : cleanAttention(attention);
  }

  #changeOf(object: KubeObject): LastChange | undefined {
    const change = this.#kind.changed?.(object);
    return change?.by === undefined ? change : { ...change, by: displayText(change.by) };
  }

  #milestonesOf(object: KubeObject): readonly Milestone[] | undefined {
    return this.#kind.milestones?.of(object, milestoneTools);
  }

  /** As `Projector` says. */
  project(object: KubeObject, previous: Entry | undefined): Entry | undefined {
    const uid = identity(object);
    const metadata = object.metadata;
    const name = nameIn(metadata?.name);
    if (uid === undefined || metadata === undefined || name === undefined) return undefined;
    this.#later = undefined;
    const cells = this.#kind.columns.map((column, index) =>
      this.#attempt(column.id, () => this.#cell(object, column, previous?.cells[index]), null),
    );
    const version = nameIn(metadata.resourceVersion) ?? '';
    const namespace = nameIn(metadata.namespace) ?? '';
    const refs = this.#attempt('refs', () => this.#kind.refs?.(object) ?? [], []);
    const next = {
      uid: previous?.uid ?? uid,
      name: previous?.name ?? name,
      namespace:
        namespace === previous?.namespace ? previous.namespace : this.#share(`s${namespace}`, namespace),
      labels: this.#labelsOf(metadata.labels, previous?.labels),
      owners: this.#attempt('owners', () => this.#sharedOwners(object, previous?.owners), noOwners),
      refs: this.#attempt('refs', () => this.#refsOf(refs, previous?.refs), noRefs),
      links: this.#attempt('links', () => this.#linksOf(object, refs), undefined),
      facts: this.#attempt('facts', () => this.#factsOf(object, previous?.facts), noFacts),
      attention: this.#attempt('attention', () => this.#attentionOf(object), undefined),
      ...(this.#kind.changed === undefined
        ? undefined
        : { changed: this.#attempt('changed', () => this.#changeOf(object), undefined) }),
      ...(this.#kind.milestones === undefined
        ? undefined
        : { milestones: this.#attempt('milestones', () => this.#milestonesOf(object), undefined) }),
      cells: previous !== undefined && sameCells(cells, previous.cells) ? previous.cells : cells,
      ...(this.#later === undefined ? undefined : { later: this.#later }),
    };
    if (previous === undefined || !isSame(next, previous)) return { ...next, version };
    previous.version = version;
    return previous;
  }
}

/**
 * The projector of one kind. Every text is stripped of control characters here, the single place where cluster text
 * enters lists. A column or rule that throws is logged once with its id and gives nothing: it never blanks the list.
 */
export function createProjector(
  kind: AnyKind,
  log: Logger,
  clock: Pick<Clock, 'now'> = systemClock,
): Projector {
  const projector = new KindProjector(kind, log, clock);
  return (object, previous) => projector.project(object, previous);
}

/**
 * Takes entries that another server projected, as a projector takes objects: returns `previous` where nothing that is
 * held changed. They are clean, as that server is one of this installation.
 */
export function createAdopter(): (entry: Entry, previous: Entry | undefined) => Entry {
  const share = createSharing();
  const whole = <T>(sort: string, value: T): T => share(`${sort}${JSON.stringify(value)}`, value);
  return (entry, previous) => {
    const cells = entry.cells.map((cell) => (Array.isArray(cell) ? whole('a', cell) : cell));
    const next: Entry = {
      ...entry,
      namespace: share(`s${entry.namespace}`, entry.namespace),
      labels: whole('l', entry.labels),
      owners: entry.owners.length === 0 ? noOwners : whole('o', entry.owners),
      refs: entry.refs.length === 0 ? noRefs : whole('r', entry.refs),
      cells: previous !== undefined && sameCells(cells, previous.cells) ? previous.cells : cells,
    };
    if (previous === undefined || !isSame(next, previous)) return next;
    previous.version = next.version;
    return previous;
  };
}

function isSame(a: Omit<Entry, 'version'>, b: Entry): boolean {
  return (
    a.cells === b.cells &&
    (a.labels === b.labels || isDeepStrictEqual(a.labels, b.labels)) &&
    (a.owners === b.owners || isDeepStrictEqual(a.owners, b.owners)) &&
    (a.refs === b.refs || isDeepStrictEqual(a.refs, b.refs)) &&
    (a.links === b.links || isDeepStrictEqual(a.links, b.links)) &&
    (a.attention === b.attention || isDeepStrictEqual(a.attention, b.attention)) &&
    (a.changed === b.changed || isDeepStrictEqual(a.changed, b.changed)) &&
    (a.milestones === b.milestones || isDeepStrictEqual(a.milestones, b.milestones)) &&
    (a.later === b.later || isDeepStrictEqual(a.later, b.later)) &&
    sameFacts(a.facts, b.facts)
  );
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function sameFacts(a: Facts, b: Facts): boolean {
  for (const name in a) {
    const [left, right] = [a[name], b[name]];
    if (left !== right && !isDeepStrictEqual(left, right)) return false;
  }
  return Object.keys(a).length === Object.keys(b).length;
}
