import { lazy, type ReactNode, Suspense } from 'react';
import type { ListExtra } from '../../../registry/kind.ts';

const CreateNamespace = lazy(async () => ({
  default: (await import('../namespaces/CreateNamespace.tsx')).CreateNamespace,
}));

/** Additional controls of lists, by the names that kinds use. */
export const extras: Readonly<Record<ListExtra, (clusterId: number) => ReactNode>> = {
  'create-namespace': (clusterId) => (
    <Suspense>
      <CreateNamespace clusterId={clusterId} />
    </Suspense>
  ),
};
