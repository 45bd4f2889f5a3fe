import { kindOfObject } from '../../../commands/kinds/index.ts';
import { collectionPath, objectPath } from '../../kube/change.ts';
import { formatSelector } from '../../kube/format-selector.ts';
import type { KubeEvent } from '../../kube/infrastructure.ts';
import type { KubeObject } from '../../kube/object.ts';
import { matchesSelector } from '../../kube/selector.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { groupOf, type NamedObject, refKey } from '../../registry/kinds/refs.ts';
import { formatKindName } from '../../registry/kinds/resource-key.ts';
import { ClusterProblem, type Transport } from '../clusters/transport.ts';
import { createLimiter } from '../kit/limiter.ts';
import { objectIn, pageIn } from '../objects/read.ts';
import { readLastLines } from './last-lines.ts';
import { factsOf, type ObjectFacts } from './object-facts.ts';
import { shownObject } from './shown-object.ts';
import { type LogLine, type LogPlace, type Lookup, nameOf, type World } from './world.ts';

/** Objects of a list that are looked at. */
const listLimit = 500;
/** Requests to the cluster for one question, and how many at a time. */
const readLimit = 250;
const readsAtOnce = 8;
/** Logs that are read for one question. */
const logLimit = 20;
/** A list of more bytes is not looked at. */
const listBytes = 16 * 1024 * 1024;

interface Parts {
  readonly transport: Pick<Transport, 'json' | 'stream'>;
  /** The cluster's name. */
  readonly cluster: string;
  /** Any kind by its name, as the cluster has it. Throws Problem. */
  readonly findKind: (name: string) => Promise<AnyKind>;
  /** Whether the person may view an object, or without a name all objects of the kind there. */
  readonly mayView: (of: Viewed) => boolean;
  /** Whether the person who asks may read the logs of a pod. */
  readonly mayReadLog: (pod: NamedObject) => boolean;
  /** By the clock of the cluster, whose answers tell it; epoch seconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** What is looked at: an object, or without a name all of a kind in a namespace, or without one in the cluster. */
export type Viewed = Omit<NamedObject, 'name' | 'namespace'> & {
  readonly namespace?: string | undefined;
  readonly name?: string;
};

/**
 * The world as a cluster has it now, read by the console's own credential, and only what the person may view: of
 * anything else nothing is known. Each object is read when a rule first asks for it: run the rules, `fill`, and again
 * until nothing was read.
 */
export class ReadingWorld implements World {
  readonly #parts: Parts;
  readonly #limiter = createLimiter(readsAtOnce);
  readonly #objects = new Map<string, KubeObject | null | undefined>();
  readonly #facts = new Map<string, ObjectFacts>();
  readonly #lists = new Map<string, readonly KubeObject[] | undefined>();
  readonly #logs = new Map<string, readonly LogLine[] | undefined>();
  /** Kinds without a file that the cluster has, by the name that references give them. */
  readonly #kinds = new Map<string, AnyKind>();
  readonly #notes = new Set<string>();
  #wanted = new Map<string, () => Promise<void>>();
  #reads = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get now(): number {
    return this.#parts.now();
  }

  /** What could not be looked at: whole sentences. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /** Says that something was left out. */
  note(sentence: string): void {
    this.#notes.add(sentence);
  }

  /** The objects that were read, each once. */
  get objects(): readonly KubeObject[] {
    const found = new Map<string, KubeObject>();
    for (const list of this.#lists.values())
      for (const one of list ?? []) found.set(refKey(nameOf(one)), one);
    for (const [key, one] of this.#objects) if (one) found.set(key, one);
    return [...found.values()];
  }

  /** Knows an object that was read already, and its kind. */
  add(kind: AnyKind, object: KubeObject): KubeObject {
    const shown = shownObject(kind, object);
    const apiVersion = shown.apiVersion ?? 'v1';
    this.#kinds.set(kindName({ apiVersion, kind: kind.kind }), kind);
    const { namespace, name = '' } = shown.metadata ?? {};
    const key = refKey({
      apiVersion,
      kind: kind.kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
    });
    this.#objects.set(key, shown);
    this.#facts.set(key, factsOf(object));
    return shown;
  }

  one(named: NamedObject): KubeObject | null | undefined {
    const key = refKey(named);
    if (!this.#objects.has(key) && this.#mayView(named)) this.#want(key, () => this.#readOne(key, named));
    return this.#objects.get(key);
  }

  facts(named: NamedObject): ObjectFacts | null | undefined {
    return this.one(named) && this.#facts.get(refKey(named));
  }

  all(lookup: Lookup): readonly KubeObject[] | undefined {
    const key = JSON.stringify(lookup);
    const { apiVersion, kind, namespace, selector, about } = lookup;
    const whole =
      this.#lists.get(JSON.stringify({ apiVersion, kind })) ??
      this.#lists.get(JSON.stringify({ apiVersion, kind, namespace }));
    if (whole !== undefined)
      return whole.filter(
        (one) =>
          (namespace === undefined || one.metadata?.namespace === namespace) &&
          (selector === undefined || matchesSelector(selector, one.metadata?.labels)) &&
          (about === undefined || (one as KubeEvent).involvedObject?.uid === about),
      );
    if (!this.#lists.has(key) && this.#mayView(lookup)) this.#want(key, () => this.#readAll(key, lookup));
    return this.#lists.get(key);
  }

  log(place: LogPlace): readonly LogLine[] | undefined {
    if (!this.#parts.mayReadLog(place.pod)) {
      this.#notes.add('Logs were examined only where you may read them.');
      return undefined;
    }
    const key = `log ${refKey(place.pod)} ${place.container} ${place.previous}`;
    if (!this.#logs.has(key) && this.#logs.size >= logLimit) {
      this.#notes.add(`Only ${logLimit} logs were read.`);
      return undefined;
    }
    if (!this.#logs.has(key)) this.#want(key, () => this.#readLog(key, place));
    return this.#logs.get(key);
  }

  kindOf(named: Pick<NamedObject, 'apiVersion' | 'kind'>): AnyKind | undefined {
    return kindOfObject(named.apiVersion, named.kind) ?? this.#kinds.get(kindName(named));
  }

  /** Reads what was asked for since the last time; false if that was nothing. Throws what the signal says. */
  async fill(): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted = new Map();
    const { signal } = this.#parts;
    await Promise.all(
      wanted.map(([key, read]) =>
        this.#limiter.run(async () => {
          signal.throwIfAborted();
          if (this.#reads >= readLimit) {
            this.#notes.add(`Not everything was examined: that would take more than ${readLimit} requests.`);
            this.#forget(key);
            return;
          }
          this.#reads += 1;
          await read();
        }),
      ),
    );
    return wanted.length > 0;
  }

  /** Says what was left out by its kind alone: a name or a place would tell that something is there. */
  #mayView({ apiVersion, kind, namespace, ...rest }: Viewed | Lookup): boolean {
    const name = 'name' in rest && rest.name !== undefined ? { name: rest.name } : {};
    if (this.#parts.mayView({ apiVersion, kind, namespace, ...name })) return true;
    const title = this.kindOf({ apiVersion, kind })?.title ?? `Objects of the kind ${kind}`;
    this.#notes.add(`${title} were examined only where you may view them.`);
    return false;
  }

  #want(key: string, read: () => Promise<void>): void {
    if (!this.#wanted.has(key)) this.#wanted.set(key, read);
  }

  /** Nothing is known, and it is not asked for again. */
  #forget(key: string): void {
    if (key.startsWith('log ')) this.#logs.set(key, undefined);
    else if (key.startsWith('{')) this.#lists.set(key, undefined);
    else this.#objects.set(key, undefined);
  }

  async #kind(named: Pick<NamedObject, 'apiVersion' | 'kind'>): Promise<AnyKind> {
    const known = this.kindOf(named);
    if (known !== undefined) return known;
    const found = await this.#parts.findKind(
      formatKindName({ group: groupOf(named.apiVersion), word: named.kind }),
    );
    this.#kinds.set(kindName(named), found);
    return found;
  }

  async #readOne(key: string, named: NamedObject): Promise<void> {
    const { transport, cluster, signal } = this.#parts;
    this.#forget(key);
    try {
      const kind = await this.#kind(named);
      const path = objectPath({ ...kind, namespace: named.namespace, name: named.name });
      const answer = await transport.json<unknown>({ path, signal });
      const object = objectIn(answer, cluster);
      this.#objects.set(key, shownObject(kind, object));
      this.#facts.set(key, factsOf(object));
    } catch (error) {
      if (!(error instanceof ClusterProblem)) this.#note(error, named.kind);
      // Only the object itself is missing: its kind is served.
      else if (error.upstream.body?.details?.name === named.name && error.upstream.status === 404)
        this.#objects.set(key, null);
      else this.#note(error, named.kind);
    }
  }

  async #readAll(key: string, lookup: Lookup): Promise<void> {
    const { transport, cluster, signal } = this.#parts;
    this.#forget(key);
    const { namespace, selector, about, isPartEnough } = lookup;
    try {
      const kind = await this.#kind(lookup);
      const answer = await transport.json<unknown>({
        path: collectionPath(kind, namespace),
        query: {
          limit: listLimit,
          labelSelector: selector === undefined ? undefined : formatSelector(selector),
          fieldSelector: about === undefined ? undefined : `involvedObject.uid=${about}`,
        },
        answerLimit: {
          bytes: listBytes,
          sentence: `${cluster} has too many ${kind.title} to examine.`,
        },
        signal,
      });
      const { items, next } = pageIn(answer, kind.title, cluster);
      if (next !== undefined) {
        this.#notes.add(
          `There are more than ${listLimit} ${kind.title}${namespace === undefined ? '' : ` in ${namespace}`}: not all were examined.`,
        );
        if (isPartEnough !== true) return;
      }
      this.#lists.set(
        key,
        items.map((item) => shownObject(kind, item)),
      );
    } catch (error) {
      const isServed = !(error instanceof Error && 'status' in error && error.status === 404);
      if (isServed) this.#note(error, lookup.kind);
      else this.#lists.set(key, []);
    }
  }

  async #readLog(key: string, place: LogPlace): Promise<void> {
    const { transport, signal } = this.#parts;
    this.#forget(key);
    try {
      this.#logs.set(key, await readLastLines(transport, place, signal));
    } catch (error) {
      this.#note(error, 'logs');
    }
  }

  /** Something could not be read: the diagnosis goes on without it. Throws what is no answer of the cluster. */
  #note(error: unknown, what: string): void {
    this.#parts.signal.throwIfAborted();
    if (!(error instanceof Error && 'status' in error)) throw error;
    // The cluster does not have the kind at all: of its objects nothing is to be known.
    if (error.status === 404) return;
    this.#notes.add(
      error.status === 403
        ? `The console's credential may not read ${what} on ${this.#parts.cluster}.`
        : `${what} could not be read: ${error.message}`,
    );
  }
}

const kindName = ({ apiVersion, kind }: Pick<NamedObject, 'apiVersion' | 'kind'>): string =>
  `${kind}.${groupOf(apiVersion)}`;
