import { parseAllDocuments } from 'yaml';
import { kindOfObject } from '../../commands/kinds/index.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { NamedObject } from '../../src/registry/kinds/refs.ts';
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

/** A cluster on which a situation happens. */
export interface Stage {
  /** Creates an object, or merges what is given into the one that exists and into its status. */
  readonly apply: (object: KubeObject) => unknown;
  readonly remove: (named: NamedObject) => unknown;
  readonly advance: (seconds: number) => void;
}

/** The parts of an object that a change of these members writes. */
export function partsOf({ apiVersion: _version, kind: _kind, metadata, ...members }: KubeObject) {
  const { namespace: _namespace, name: _name, ...changed } = metadata ?? {};
  const parts: ('main' | 'status')[] = [];
  if (Object.keys({ ...changed, ...members }).some((member) => member !== 'status')) parts.push('main');
  if ('status' in members) parts.push('status');
  return parts;
}

/** Lets a situation happen: its manifests, its steps, and the time until it is broken. */
export async function perform({ manifests, steps = [], after }: Situation, stage: Stage): Promise<void> {
  const applyAll = async (text: string) => {
    for (const document of parseAllDocuments(text)) await stage.apply(document.toJS() as KubeObject);
  };
  await applyAll(manifests);
  for (const step of steps) {
    stage.advance(step.after);
    if (step.apply !== undefined) await applyAll(step.apply);
    if (step.remove !== undefined) await stage.remove(asked(step.remove));
  }
  stage.advance(after);
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
