import { lazy, type ReactNode, Suspense } from 'react';

const CreateNamespace = lazy(async () => ({
  default: (await import('../namespaces/CreateNamespace.tsx')).CreateNamespace,
}));

/** What the list of a kind offers besides its rows, by kind id. */
export const extras: Readonly<Record<string, (clusterId: number) => ReactNode>> = {
  namespace: (clusterId) => (
    <Suspense>
      <CreateNamespace clusterId={clusterId} />
    </Suspense>
  ),
};
