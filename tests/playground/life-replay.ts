import { readFileSync } from 'node:fs';
import type { ManualClock } from '../../src/playground/kit/clock.ts';
import type { Playground } from '../../src/playground/server.ts';
import { isRec, type Obj, type Rec, rec, recs, str } from '../../src/playground/kit/values.ts';
import { send } from './client.ts';
import { mask } from './replay.ts';

/** Names by which a recording is replayed instead of its own. */
export type OtherNames = Readonly<Record<string, string>>;

/** What controllers made of objects, each object and namespace under its own or another name. */
export class Recordings {
  readonly #names: OtherNames;

  constructor(names: OtherNames) {
    this.#names = names;
  }

  /** A recorded name as it is here. */
  named(name: string): string {
    return this.#names[name] ?? name;
  }

  /** A text with every recorded name in it replaced, where it stands as a word. */
  text(text: string): string {
    return Object.entries(this.#names).reduce(
      (all, [name, other]) => all.replace(new RegExp(`\\b${name}\\b`, 'g'), other),
      text,
    );
  }

  read(name: string): Obj {
    const text = readFileSync(new URL(`./life/${name}.json`, import.meta.url), 'utf8');
    return JSON.parse(this.text(text)) as Obj;
  }

  /** The objects of a recorded list. */
  items(name: string): Obj[] {
    return recs(this.read(name)['items']) as Obj[];
  }

  /** The object of a recording, or the objects of its list. */
  single(name: string): Obj[] {
    const read = this.read(name);
    return read['items'] === undefined ? [read] : (recs(read['items']) as Obj[]);
  }
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** What was once sent to make a recorded object: what kubectl noted down as applied, with its note. */
export function appliedFrom(object: Obj): Rec {
  const text = object.metadata.annotations?.[lastApplied] ?? '';
  const body = JSON.parse(text) as { metadata: Rec };
  return { ...body, metadata: { ...body.metadata, annotations: { [lastApplied]: text } } };
}

/** A playground driven as the recorded cluster was. */
export class LifeReplay {
  readonly playground: Playground;
  readonly clock: ManualClock;

  constructor(playground: Playground, clock: ManualClock) {
    this.playground = playground;
    this.clock = clock;
  }

  /** Seconds. */
  advance(seconds: number): void {
    this.clock.advance(seconds * 1000);
  }

  async send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Rec> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = { 'content-type': type, accept: 'application/json' };
    const answer = await send(this.playground, {
      method,
      path,
      headers,
      ...(text === undefined ? {} : { body: text }),
    });
    return JSON.parse(answer.text) as Rec;
  }

  async make(collection: string, body: unknown): Promise<void> {
    const answer = await this.send('POST', collection, body);
    if (answer['kind'] === 'Status') throw new Error(`${collection}: ${str(answer['message'])}`);
  }

  async patch(path: string, body: unknown): Promise<void> {
    const answer = await this.send('PATCH', path, body, 'application/strategic-merge-patch+json');
    if (answer['kind'] === 'Status') throw new Error(`${path}: ${str(answer['message'])}`);
  }

  async list(path: string): Promise<Obj[]> {
    const answer = await this.send('GET', path);
    return recs(answer['items']) as Obj[];
  }

  async table(path: string): Promise<Rec> {
    const answer = await send(this.playground, {
      method: 'GET',
      path,
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });
    return JSON.parse(answer.text) as Rec;
  }
}

/** Gives what was hashed or generated in one run a name that is the same in every run. */
export class Hashes {
  readonly #names = new Map<string, string>();

  /** Learns the hashes of sets and revisions: by what their templates hold. */
  learn(objects: readonly Obj[]): void {
    for (const object of objects) {
      const name = object.metadata.name ?? '';
      const hash = name.slice(name.lastIndexOf('-') + 1);
      if (object.kind === 'ReplicaSet') {
        const containers = recs(rec(rec(rec(object['spec'])['template'])['spec'])['containers']);
        this.#names.set(hash, `<hash of ${str(containers[0]?.['image'])}>`);
      } else if (object.kind === 'ControllerRevision')
        this.#names.set(hash, `<revision ${str(object['revision'])}>`);
    }
  }

  text(text: string): string {
    let result = text;
    for (const [hash, name] of this.#names) result = result.replaceAll(hash, name);
    return result
      .replace(/kube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-<generated>')
      .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}\b(?=$|[^\w-])/g, '-<generated>')
      .replace(/-\d{8}\b/g, '-<minute>')
      .replace(/\bto [a-z]+-\d\b(?=$|[^-])/g, 'to <node>')
      .replace(/\.[0-9a-f]{16}$/, '.<event>');
  }
}

/** Values that a kubelet, a runtime or chance gave, and that no controller decides. */
const kubelets: Readonly<Record<string, string>> = {
  containerID: '<container>',
  imageID: '<image>',
  hostIP: '<host>',
  podIP: '<address>',
  ip: '<address>',
  clusterIP: '<address>',
  reportingInstance: '<instance>',
};

/** A value with all masked that must differ between two runs. */
export function maskLife(value: unknown, hashes: Hashes): unknown {
  const walk = (item: unknown, key: string): unknown => {
    if (Array.isArray(item)) return item.map((each) => walk(each, key));
    if (isRec(item)) {
      return Object.fromEntries(
        Object.entries(item)
          .filter(
            ([name]) =>
              name !== 'managedFields' && !name.startsWith('playground/') && !name.startsWith('lab/'),
          )
          .map(([name, each]) => [hashes.text(name), walk(each, name)])
          .filter(([name, each]) => name !== 'annotations' || Object.keys(each as object).length > 0),
      );
    }
    if (typeof item !== 'string') return item;
    if (kubelets[key] !== undefined) return kubelets[key];
    return hashes.text(item);
  };
  return walk(mask(value), '');
}
