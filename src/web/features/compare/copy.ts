import type { ObjectBody } from '../../../contract/objects.ts';
import { editable } from '../../../kube/editable.ts';
import { applyChanges, diffJson, type JsonChange, type JsonPath } from '../../../kube/json-diff.ts';
import { parseManifest } from '../../../kube/manifest.ts';
import { isMasked } from '../../../kube/masked.ts';
import { isPlainObject } from '../../../kube/plain.ts';
import { toYaml } from '../../yaml/to-yaml.ts';
import { type Part, withOther } from './hunks.ts';

/** Whether a difference has values that are not shown: they cannot be copied. */
export const hasMasked = ({ left, right }: Part): boolean =>
  [...left, ...right].some((line) => isMasked(line.replace(/^[^:]*:\s*/, '').replaceAll(/^["']|["']$/g, '')));

/**
 * An object's text with the other side's value in the place of one difference, to begin an edit with. What was left out
 * of the comparison stays as it is. Throws a sentence where that cannot be done.
 * @param source the object as it is edited
 * @param text the side that changes, as it was compared
 */
export function copiedText(source: ObjectBody, text: string, part: Part, to: 'left' | 'right'): string {
  const before = valueOf(text);
  const after = valueOf(withOther(text, part, to));
  const own = editable(source);
  const changes = diffJson(before, after).flatMap((change) => spread(change, before, own));
  try {
    return toYaml(applyChanges(own, changes));
  } catch (cause) {
    throw new Error('The object was changed meanwhile: wait until it shows, then copy again.', { cause });
  }
}

function valueOf(text: string): unknown {
  const manifest = parseManifest(text);
  const value = manifest.type === 'valid' ? manifest.documents[0]?.value : undefined;
  if (!isPlainObject(value))
    throw new Error('This difference cannot be copied by itself. Edit the object instead.');
  return value;
}

function at(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (present, part) =>
      Array.isArray(present)
        ? present[Number(part)]
        : isPlainObject(present) && Object.hasOwn(present, part)
          ? present[part]
          : undefined,
    value,
  );
}

/**
 * A map that one side has and the other has not is a map there all the same where some of it was left out of the
 * comparison: then its fields are changed, one by one.
 */
function spread(change: JsonChange, before: unknown, source: unknown): readonly JsonChange[] {
  const { op, path } = change;
  const map = op === 'add' ? change.value : op === 'remove' ? at(before, path) : undefined;
  const there = at(source, path);
  if (!isPlainObject(map) || !isPlainObject(there)) return [change];
  const keys = Object.keys(map);
  if (op === 'remove' && Object.keys(there).every((key) => keys.includes(key))) return [change];
  return keys.flatMap((key) => {
    const inner: JsonPath = [...path, key];
    return op === 'remove'
      ? spread({ op, path: inner }, before, source)
      : spread({ op: 'add', path: inner, value: map[key] }, before, source);
  });
}
