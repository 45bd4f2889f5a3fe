import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../src/kube/object.ts';
import type { Around, Kind } from '../../src/registry/kinds/kind.ts';

/** The content of `samples/<kind>.yaml`. */
export interface Sample {
  /** A healthy object that a real cluster accepts. */
  readonly healthy: KubeObject;
  /** Unhealthy objects by the rule that reports them, which is also their name. */
  readonly troubled: ReadonlyMap<string, KubeObject>;
}

/** Objects that samples need in a cluster: classes, and definitions of kinds that not every cluster has. */
export function neededObjects(): readonly KubeObject[] {
  const folder = new URL('samples/needed/', import.meta.url);
  return readdirSync(folder).flatMap((file) =>
    parseAllDocuments(readFileSync(new URL(file, folder), 'utf8'), { schema: 'core' }).map(
      (document) => document.toJS() as KubeObject,
    ),
  );
}

/** The annotation of a troubled sample with its surroundings as JSON. */
const aroundAnnotation = 'around';

/** The surroundings of a troubled sample. */
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
