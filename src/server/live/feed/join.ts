import type { CellValue, JoinedValues } from '../../../contract/live.ts';
import type { Permission } from '../../../contract/permissions.ts';
import type { Facts, JoinName } from '../../../registry/kinds/kind-action.ts';
import type { Column, AnyKind } from '../../../registry/kinds/kind.ts';
import type { KubeObject } from '../../../kube/object.ts';

/** The joined values changed for the objects in these places; `all`: for any of them. */
export type JoinListener = (places: ReadonlySet<string> | 'all') => void;

/** Values that belong to objects of a kind but are stored elsewhere, by the objects' places. */
export interface Join {
  /** Reads and watches while anybody listens; the answer ends that. Throws Problem when the cluster has too many lists open. */
  retain(listener: JoinListener): () => void;
  /** The value of a joined column; null until it is known. */
  cell(place: string, column: Column<KubeObject>, facts: Facts): CellValue;
  /** The joined values for an object's page. */
  value(place: string): JoinedValues;
}

/** The joins of one cluster. */
export type Joins = (name: JoinName, kind: AnyKind) => Join;

/** The permission, besides that of the kind itself, that a join needs. */
const needs: Readonly<Record<JoinName, Permission | undefined>> = {
  metrics: undefined,
  podsOfNode: 'pods.view',
  scaledBy: 'namespaces.view',
};

/** Of these joins those that a person may be given. @param may whether they hold a permission wherever objects are shown */
export function permittedJoins(
  names: readonly JoinName[],
  may: (need: Permission) => boolean,
): readonly JoinName[] {
  return names.filter((name) => {
    const need = needs[name];
    return need === undefined || may(need);
  });
}

/** The joins that columns of a kind show. @param wide those of the wide table as well */
export function columnJoins(kind: AnyKind, wide: boolean): readonly JoinName[] {
  const shown = kind.columns.filter((column) => wide || column.wide !== true);
  return [...new Set(shown.flatMap(({ join }) => join ?? []))];
}
