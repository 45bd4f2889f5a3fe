import { kindOfObject } from '../../commands/kinds/index.ts';
import type { NamedObject } from '../../src/registry/refs.ts';
import type { Cause } from '../../src/server/diagnosis/diagnose.ts';
import type { Situation } from './situations/situation.ts';

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
function isAt({ object: { kind, name } }: Cause, object: string): boolean {
  const [wanted, stem = ''] = object.split(' ');
  return kind === wanted && (name === stem || name.startsWith(`${stem}-`));
}

/**
 * What an answer is worth: `named` if the cause comes first, with its object, words and evidence, and nothing else is
 * said; `wrong` if anything else is said; else `missed`.
 */
export function judged(causes: readonly Cause[], situation: Situation): 'named' | 'missed' | 'wrong' {
  const { rule, object, names, besides = [] } = situation;
  const isCause = (cause: Cause) => cause.rule === rule && isAt(cause, object) && names.test(cause.sentence);
  const [first] = causes;
  if (causes.some((cause) => !isCause(cause) && !besides.includes(cause.rule))) return 'wrong';
  return first !== undefined && isCause(first) && first.evidence.length > 0 ? 'named' : 'missed';
}
