import type { NamedObject } from '../../src/registry/refs.ts';
import type { Cause } from '../../src/server/diagnosis/diagnose.ts';
import { kindOfObject } from '../../commands/kinds/index.ts';

/** The object of a question such as `Deployment.apps default/web`. */
export function asked(question: string): NamedObject {
  const [, kind = '', group = '', namespace, name = ''] =
    /^([A-Za-z]+)(?:\.(\S+))? (?:([^/]+)\/)?(.+)$/.exec(question) ?? [];
  const version = kindOfObject(group === '' ? 'v1' : `${group}/v1`, kind)?.version ?? 'v1';
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
  };
}

/** Whether a cause is at an object: `Pod web` is any pod whose name begins with `web-`. */
export function isAt(cause: Cause | undefined, object: string): boolean {
  const [kind, name = ''] = object.split(' ');
  if (cause === undefined || cause.object.kind !== kind) return false;
  return cause.object.name === name || cause.object.name.startsWith(`${name}-`);
}
