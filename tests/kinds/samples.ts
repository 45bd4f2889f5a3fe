import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../src/kube/object.ts';
import type { Kind } from '../../src/registry/kind.ts';

/** What `samples/<kind>.yaml` holds. */
export interface Sample {
  /** A healthy object, complete enough for a cluster to take it. */
  readonly healthy: KubeObject;
  /** Objects that are not well, by the rule that says so: each is named after it. */
  readonly troubled: ReadonlyMap<string, KubeObject>;
}

/** The sample of a kind: a new kind brings one along, and nothing else in the tests. */
export function sampleOf(kind: Kind): Sample {
  const text = readFileSync(new URL(`samples/${kind.id}.yaml`, import.meta.url), 'utf8');
  const objects = parseAllDocuments(text, { schema: 'core' }).map((document) => {
    if (document.errors.length > 0) throw new Error(`samples/${kind.id}.yaml: ${String(document.errors[0])}`);
    return document.toJS() as KubeObject;
  });
  const [healthy, ...troubled] = objects;
  if (healthy === undefined) throw new Error(`samples/${kind.id}.yaml is empty.`);
  return { healthy, troubled: new Map(troubled.map((object) => [object.metadata?.name ?? '', object])) };
}
