import { accessModes } from '../../../src/kube/storage.ts';
import type { Column } from '../../../src/registry/kinds/kind.ts';

/** The storage class of a volume or claim. */
export const classColumn: Column<{ spec?: { storageClassName?: string } }> = {
  id: 'class',
  label: 'Class',
  format: 'text',
  links: { to: 'named', kind: 'storageclass' },
  dropAt: 3,
  value: ({ spec }) => spec?.storageClassName || null,
};

/** Access modes of a volume or claim: `RWO`, `RWX`. */
export const accessColumn = <T>(modes: (object: T) => readonly string[] | undefined): Column<T> => ({
  id: 'access',
  label: 'Access',
  format: 'list',
  dropAt: 5,
  value: (object) => accessModes(modes(object)),
});
