import { type ReactNode, Suspense } from 'react';
import type { ListExtra } from '../../../registry/kinds/kind.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const CreateNamespace = lazyPart(
  async () => (await import('../namespaces/CreateNamespace.tsx')).CreateNamespace,
);

/** Additional controls of lists, by the names that kinds use. */
export const extras: Readonly<Record<ListExtra, (clusterId: number) => ReactNode>> = {
  'create-namespace': (clusterId) => (
    <Suspense>
      <CreateNamespace clusterId={clusterId} />
    </Suspense>
  ),
};
