import type { ObjectBody } from '../../../contract/objects.ts';
import { editable } from '../../../kube/editable.ts';
import { type Manifest, parseManifest } from '../../../kube/manifest.ts';
import { patchText } from '../../../kube/patch-text.ts';
import { applyChanges, diffJson, isRelated, type JsonChange, pathText } from '../../../kube/json-diff.ts';
import { toYaml } from '../../yaml/to-yaml.ts';

/** The state that an edit started from. */
export interface EditBase {
  readonly resourceVersion: string;
  /** As it is written in the editor. */
  readonly text: string;
}

/** An object of a cluster as something to begin an edit from. */
export function baseOf(resourceVersion: string, object: ObjectBody): EditBase {
  return { resourceVersion, text: toYaml(editable(object)) };
}

/** The only document of a text. Throws a sentence for any other number of them. */
export function onlyValue(manifest: Manifest): unknown {
  const documents = manifest.type === 'valid' ? manifest.documents : [];
  const [first] = documents;
  if (first === undefined || documents.length > 1)
    throw new Error('An object is edited as one document. To delete it, use Delete.');
  return first.value;
}

const valueOf = (text: string): unknown => onlyValue(parseManifest(text));

/**
 * The person's changes: the difference between two texts after parsing, so that changes of formatting alone are not
 * sent. Throws a sentence if the name, kind or namespace was changed.
 */
export function changesOf(base: EditBase, buffer: unknown): readonly JsonChange[] {
  const changes = diffJson(valueOf(base.text), buffer);
  const fixed = changes.find(({ path }) =>
    [[], ['kind'], ['apiVersion'], ['metadata'], ['metadata', 'name'], ['metadata', 'namespace']].some(
      (one) => one.length === path.length && one.every((part, index) => part === path[index]),
    ),
  );
  if (fixed !== undefined)
    throw new Error(
      `${fixed.path.length === 0 ? 'The object' : pathText(fixed.path)} cannot be edited: that would be another object. Create it instead.`,
    );
  return changes;
}

/** Changes that others made during an edit. */
export interface Meanwhile {
  readonly theirs: readonly JsonChange[];
  /** Paths that both changed, as people read them. */
  readonly both: readonly string[];
}

/** Compares what others changed with what stands in the editor; `buffer` is undefined while that cannot be read. */
export function meanwhileOf(base: EditBase, now: EditBase, buffer: unknown): Meanwhile {
  const theirs = diffJson(valueOf(base.text), valueOf(now.text));
  const mine = buffer === undefined ? [] : diffJson(valueOf(base.text), buffer);
  const both = theirs
    .filter((one) => mine.some((other) => isRelated(one.path, other.path)))
    .map(({ path }) => pathText(path));
  return { theirs, both: [...new Set(both)] };
}

/**
 * The text in the editor with what others changed: where both changed the same, the editor's stays. Its comments stay
 * where what they are about does. Throws a sentence where the two cannot be brought together.
 * @param text the editor's text, whose value is `buffer`
 */
export function merged(base: EditBase, now: EditBase, text: string, buffer: unknown): string {
  const mine = diffJson(valueOf(base.text), buffer);
  try {
    const both = applyChanges(valueOf(now.text), mine);
    return patchText(text, both) ?? toYaml(both);
  } catch (cause) {
    throw new Error('Your changes conflict with the current object. Load it and make them again.', {
      cause,
    });
  }
}

/** An edit after it was saved: where it goes on from, and its text. */
export interface AfterSave {
  readonly base: EditBase;
  readonly text: string;
}

/**
 * The edit after a save that sent `sent`: as the cluster has the object now, with what was typed since on top. A text that
 * cannot be brought together with that stays as it is, on the old base.
 * @param base what the sent text began from
 * @param saved the object as it was read after it was saved
 * @param text the text as it stands now
 */
export function afterSave(base: EditBase, sent: string, saved: EditBase, text: string): AfterSave {
  if (text === sent || text === base.text) return { base: saved, text: saved.text };
  try {
    return { base: saved, text: merged(base, saved, text, valueOf(text)) };
  } catch {
    return { base, text };
  }
}
