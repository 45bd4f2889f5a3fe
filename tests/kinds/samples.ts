import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../src/kube/object.ts';
import type { Around, Kind } from '../../src/registry/kind.ts';

/** What `samples/<kind>.yaml` holds. */
export interface Sample {
  /** A healthy object, complete enough for a cluster to take it. */
  readonly healthy: KubeObject;
  /** Objects that are not well, by the rule that says so: each is named after it. */
  readonly troubled: ReadonlyMap<string, KubeObject>;
}

/** What samples need a cluster to have besides: classes, and definitions of kinds that not every cluster has. */
export function neededObjects(): readonly KubeObject[] {
  const folder = new URL('samples/needed/', import.meta.url);
  return readdirSync(folder).flatMap((file) =>
    parseAllDocuments(readFileSync(new URL(file, folder), 'utf8'), { schema: 'core' }).map(
      (document) => document.toJS() as KubeObject,
    ),
  );
}

/** The annotation of a troubled sample that says, as JSON, what stands around it. */
const aroundAnnotation = 'around';

/** What stands around a troubled object of a sample. */
export function aroundOf({ metadata }: KubeObject): Around | undefined {
  const text = metadata?.annotations?.[aroundAnnotation];
  return text === undefined ? undefined : (JSON.parse(text) as Around);
}

/** The sample of a kind. Throws for a kind without one. */
export function sampleOf(kind: Kind): Sample {
  const file = new URL(`samples/${kind.id}.yaml`, import.meta.url);
  if (!existsSync(file)) throw new Error(`The kind ${kind.id} needs tests/kinds/samples/${kind.id}.yaml.`);
  const text = readFileSync(file, 'utf8');
  const objects = parseAllDocuments(text, { schema: 'core' }).map((document) => {
    if (document.errors.length > 0) throw new Error(`samples/${kind.id}.yaml: ${String(document.errors[0])}`);
    return document.toJS() as KubeObject;
  });
  const [healthy, ...troubled] = objects;
  if (healthy === undefined) throw new Error(`samples/${kind.id}.yaml is empty.`);
  return { healthy, troubled: new Map(troubled.map((object) => [object.metadata?.name ?? '', object])) };
}
