import { useQuery } from '@tanstack/react-query';
import { useApp } from '../app/context.ts';
import { Select } from '../ui/fields.tsx';

interface ClusterSelectProps {
  /** Id of the chosen cluster. */
  readonly value: string;
  readonly onChange: (cluster: string) => void;
}

/** Chooses the cluster of the other side. */
export function ClusterSelect({ value, onChange }: ClusterSelectProps) {
  const { queries } = useApp();
  const clusters = useQuery(queries.clusters).data ?? [];
  return (
    <Select label="Compare with cluster" value={value} onChange={({ target }) => onChange(target.value)}>
      {clusters.map((one) => (
        <option key={one.id} value={one.id}>
          {one.name}
        </option>
      ))}
    </Select>
  );
}
