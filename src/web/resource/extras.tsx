import type { ReactNode } from 'react';
import { CreateNamespace } from '../screens/Namespaces/CreateNamespace.tsx';

/** What the list of a kind offers besides its rows, by kind id. */
export const extras: Readonly<Record<string, (clusterId: number) => ReactNode>> = {
  namespace: (clusterId) => <CreateNamespace clusterId={clusterId} />,
};
