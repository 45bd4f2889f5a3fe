import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { TextField } from '../../kit/fields.tsx';
import { ClusterSelect } from './ClusterSelect.tsx';
import type { Place } from './other.ts';

interface ListPlacesProps {
  readonly isNamespaced: boolean;
  readonly left: Place;
  readonly right: Place | undefined;
  /** Name of the cluster on the left. */
  readonly leftTitle: string;
  readonly onChoose: (namespace: string | undefined, other: Place) => void;
}

/** Chooses which two lists of a kind are compared. */
export function ListPlaces({ isNamespaced, left, right, leftTitle, onChoose }: ListPlacesProps) {
  const { queries } = useData();
  const clusters = useQuery(queries.clusters).data ?? [];
  const another = clusters.find(({ id }) => String(id) !== left.cluster);
  const [own, setOwn] = useState(left.namespace ?? '');
  const [cluster, setCluster] = useState(
    right?.cluster ?? (isNamespaced ? left.cluster : String(another?.id ?? left.cluster)),
  );
  const [namespace, setNamespace] = useState(right?.namespace ?? '');
  const isSame = cluster === left.cluster && own === namespace;
  const reason = isSame
    ? isNamespaced
      ? 'That is the same list: choose another cluster or namespace.'
      : 'That is the same list: choose another cluster.'
    : isNamespaced && (own === '') !== (namespace === '')
      ? 'Choose a namespace on both sides, or all namespaces on both.'
      : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason !== undefined) return;
    onChoose(own === '' ? undefined : own, { cluster, ...(namespace === '' ? {} : { namespace }) });
  };
  return (
    <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
      {isNamespaced && (
        <NamespaceField
          label={`Namespace of ${leftTitle}`}
          cluster={left.cluster}
          value={own}
          onChange={setOwn}
        />
      )}
      <ClusterSelect value={cluster} onChange={setCluster} />
      {isNamespaced && (
        <NamespaceField
          label="Namespace to compare with"
          cluster={cluster}
          value={namespace}
          onChange={setNamespace}
        />
      )}
      <Button type="submit" reason={reason}>
        Compare
      </Button>
    </form>
  );
}

interface NamespaceFieldProps {
  readonly label: string;
  readonly cluster: string;
  readonly value: string;
  readonly onChange: (namespace: string) => void;
}

/** A namespace to write or choose; empty means all of them. */
function NamespaceField({ label, cluster, value, onChange }: NamespaceFieldProps) {
  const { queries } = useData();
  const id = useId();
  // Where they may not be listed, the name is written.
  const namespaces = useQuery({ ...queries.namespaces(Number(cluster)), retry: false }).data ?? [];
  return (
    <>
      <TextField
        label={label}
        placeholder="All namespaces"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        list={id}
        value={value}
        onChange={({ target }) => onChange(target.value.trim())}
      />
      <datalist id={id}>
        {namespaces.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
