import { type FormEvent, useState } from 'react';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { linkLook, PlaceLink } from '../../kit/Link.tsx';
import { Button } from '../../kit/Button.tsx';
import { TextField } from '../../kit/fields.tsx';
import { ClusterSelect } from './ClusterSelect.tsx';
import { listsHref } from './other.ts';

interface OtherFieldsProps {
  readonly self: ObjectRef;
  readonly other: ObjectRef | undefined;
  readonly kind: AnyKind;
  readonly onChoose: (other: ObjectRef) => void;
  readonly onLastApplied: () => void;
}

/** Chooses what an object is compared with: another of its kind, in this cluster or another, or what was last applied. */
export function OtherFields({ self, other, kind, onChoose, onLastApplied }: OtherFieldsProps) {
  const [cluster, setCluster] = useState(other?.cluster ?? self.cluster);
  const [namespace, setNamespace] = useState(other?.namespace ?? self.namespace ?? '');
  const [name, setName] = useState(other?.name ?? self.name);
  const isSelf = cluster === self.cluster && namespace === (self.namespace ?? '') && name === self.name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSelf || name === '') return;
    onChoose({ cluster, kind: self.kind, ...(self.namespace === undefined ? {} : { namespace }), name });
  };
  return (
    <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
      <ClusterSelect value={cluster} onChange={setCluster} />
      {self.namespace !== undefined && (
        <TextField
          label="Namespace"
          value={namespace}
          onChange={({ target }) => setNamespace(target.value)}
        />
      )}
      <TextField label="Name" value={name} onChange={({ target }) => setName(target.value)} />
      <Button
        type="submit"
        reason={isSelf ? 'That is this object: choose another cluster, namespace or name.' : undefined}
      >
        Compare
      </Button>
      <Button variant="secondary" onClick={onLastApplied}>
        Compare with what kubectl last applied
      </Button>
      <PlaceLink
        className={`self-end leading-control-md narrow:leading-9 ${linkLook}`}
        href={listsHref(kind, self, other)}
      >
        All {kind.title}
        {self.namespace === undefined ? '' : ` of ${self.namespace}`}…
      </PlaceLink>
    </form>
  );
}
