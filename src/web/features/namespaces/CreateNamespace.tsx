import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { readOnlyReason } from '../../../contract/clusters.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';

const CreateDialog = lazyPart(async () => (await import('./CreateDialog.tsx')).CreateDialog);

/** The button that makes a namespace; only for people who may. */
export function CreateNamespace({ clusterId }: { readonly clusterId: number }) {
  const { queries } = useData();
  const permissions = useQuery(queries.permissions(clusterId)).data;
  const cluster = useQuery(queries.clusters).data?.find(({ id }) => id === clusterId);
  const [isOpen, setOpen] = useState(false);
  if (permissions?.includes('resources.manage') !== true || cluster === undefined) return null;
  // Who reaches some namespaces alone changes nothing of the cluster itself.
  if (cluster.namespaces !== undefined) return null;
  return (
    <>
      <Button
        size="sm"
        variant="secondary"
        icon={<Plus size={13} strokeWidth={1.75} aria-hidden="true" />}
        reason={readOnlyReason(cluster)}
        onClick={() => setOpen(true)}
      >
        Create namespace
      </Button>
      {isOpen && (
        <Suspense>
          <CreateDialog cluster={cluster} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
