import type { FieldIssue } from '../../../contract/manifests.ts';
import { placesOfFields } from '../../../kube/field-place.ts';
import type { ManifestDocument } from '../../../kube/manifest.ts';
import type { FieldIssue as PlacedIssue } from '../editor/Issues.tsx';

/** Fields that a cluster refused in one document of a text, by the text that it was read from. */
export interface RefusedDocument {
  readonly source: string;
  readonly fields: readonly FieldIssue[];
}

/**
 * Refused fields with where they stand in a text. A document that was changed since is another one: nothing is said of
 * it any more.
 */
export function placedIssues(
  text: string,
  documents: readonly ManifestDocument[],
  refused: readonly RefusedDocument[],
): readonly PlacedIssue[] {
  return refused
    .filter(({ fields }) => fields.length > 0)
    .flatMap(({ source, fields }) => {
      const at = documents.findIndex((one) => one.source === source);
      if (at < 0) return [];
      const places = placesOfFields(
        text,
        fields.map(({ path }) => path),
        at,
      );
      return fields.map((field, index) => ({ ...field, place: places[index] }));
    });
}
