import { useQuery } from '@tanstack/react-query';
import { useData } from '../../data/port.ts';
import { Select } from '../../kit/Select.tsx';

interface ClusterSelectProps {
  /** Id of the chosen cluster. */
  readonly value: string;
  readonly onChange: (cluster: string) => void;
}

/** Chooses the cluster of the other side. */
export function ClusterSelect({ value, onChange }: ClusterSelectProps) {
  const { queries } = useData();
  const clusters = useQuery(queries.clusters).data ?? [];
  return (
    <Select
      label="Compare with cluster"
      value={value}
      options={clusters.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={onChange}
    />
  );
}
