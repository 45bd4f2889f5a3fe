import type { ObjectBody } from '../../contract/objects.ts';
import { isMasked, maskedWith } from '../../kube/masked.ts';
import type { KubeObject } from '../../kube/object.ts';
import { cleanText } from '../../kube/text.ts';
import type { AnyKind } from '../../registry/kinds/kind.ts';
import { presentObject } from '../objects/present.ts';
import { isPlain } from '../objects/read.ts';

/**
 * Secrets with marks in place of masked values: equal values have the same mark, others another. The marks are numbers
 * in the order of first appearance, so that they reveal nothing else.
 */
export function markedSecrets(kind: AnyKind, secrets: readonly KubeObject[]): ObjectBody[] {
  const marks = new Map<string, string>();
  const markOf = (value: unknown): string => {
    const text = JSON.stringify(value) ?? '';
    const known = marks.get(text) ?? maskedWith((marks.size + 1).toString(16).padStart(6, '0'));
    marks.set(text, known);
    return known;
  };
  return secrets.map((secret) => {
    const shown = presentObject(kind, secret);
    for (const part of ['data', 'stringData']) {
      const values = (secret as ObjectBody)[part];
      if (part in shown && isPlain(values)) shown[part] = marked(values, markOf);
    }
    const annotations = shown.metadata?.['annotations'];
    if (isPlain(annotations)) {
      const own = secret.metadata?.annotations ?? {};
      const seen = Object.fromEntries(Object.entries(own).map(([key, value]) => [cleanText(key), value]));
      shown.metadata = {
        ...shown.metadata,
        annotations: Object.fromEntries(
          Object.entries(annotations).map(([key, value]) => [
            key,
            isMasked(value) ? markOf(seen[key]) : value,
          ]),
        ),
      };
    }
    return shown;
  });
}

const marked = (values: Readonly<Record<string, unknown>>, markOf: (value: unknown) => string) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [cleanText(key), markOf(value)]));
