import { kindOfObject } from '../../../../commands/kinds/index.ts';
import type { ObjectHelp } from '../../../contract/dashboard.ts';
import type { ObjectRemedy } from '../../../kube/shared-cause.ts';
import { holdsCreation, holdsEdit } from '../../access/creation.ts';
import type { May } from '../../access/held.ts';
import { viewPlace } from '../../access/place.ts';
import { manifestOf, wantedByName } from '../../objects/wanted.ts';

/**
 * The objects that a person creates, edits or opens against a problem; undefined where they may do none of it.
 * @param namespace that of the object with the problem
 */
export function objectHelpOf(
  remedy: ObjectRemedy | undefined,
  namespace: string | undefined,
  may: May,
): ObjectHelp | undefined {
  const kind = remedy && kindOfObject('v1', remedy.kind);
  if (remedy === undefined || kind === undefined || remedy.name === '') return undefined;
  const ref = { kind: kind.id, ...(namespace === undefined ? {} : { namespace }), name: remedy.name };
  if (remedy.verb === 'edit') {
    if (holdsEdit(may, kind, ref)) return { edits: [ref] };
    return may(kind.permissions.view, viewPlace(kind, ref)) ? { opens: [ref] } : undefined;
  }
  const wanted = wantedByName(remedy, namespace);
  const manifest = wanted && manifestOf(wanted);
  return manifest === undefined || !holdsCreation(may, kind, ref)
    ? undefined
    : { creates: [{ ref, manifest }] };
}
