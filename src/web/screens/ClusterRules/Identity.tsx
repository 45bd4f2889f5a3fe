import { useId, useState } from 'react';
import { environmentLimit, type GlobalSettings } from '../../../contract/cluster-settings.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { FieldGroup } from '../../kit/FieldGroup.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { Flag } from '../../kit/marks.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { useForm } from '../../kit/use-form.ts';
import { SaveRow } from '../../kit/SaveRow.tsx';

/** How a cluster is called and marked. */
type ClusterIdentity = Pick<GlobalSettings, 'name' | 'description' | 'environment' | 'colour'>;

/** A text that is equal for equal identities, by which the form begins anew. */
export const identityKey = ({ name, description, environment, colour }: ClusterIdentity): string =>
  JSON.stringify([name, description, environment, colour]);

const colours = [1, 2, 3, 4, 5, 6, 7, 8] as const;

interface IdentityProps {
  readonly saved: ClusterIdentity;
  /** Throws Problem, whose issues name the fields. */
  readonly save: (identity: ClusterIdentity) => Promise<void>;
}

/** Name, description, environment and mark of a cluster, as everybody sees them. */
export function Identity({ saved, save }: IdentityProps) {
  const [name, setName] = useState(saved.name);
  const [description, setDescription] = useState(saved.description);
  const [environment, setEnvironment] = useState(saved.environment);
  const [colour, setColour] = useState(saved.colour);
  const group = useId();
  const identity = { name, description, environment, colour };
  const form = useForm(() => save(identity));
  return (
    <SetCard title="Name and environment">
      <form className={`max-w-120 ${formLook}`} onSubmit={form.submit} aria-label="Name and environment">
        <ErrorAlert error={form.failure} />
        <TextField
          label="Name"
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          error={form.issue('name')}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label="Description"
          maxLength={1000}
          autoComplete="off"
          value={description}
          error={form.issue('description')}
          onChange={({ target }) => setDescription(target.value)}
        />
        <TextField
          label="Environment"
          maxLength={environmentLimit}
          autoComplete="off"
          value={environment}
          error={form.issue('environment')}
          help="The purpose of the cluster, such as production or staging. Shown beside its name."
          onChange={({ target }) => setEnvironment(target.value)}
        />
        <FieldGroup label="Mark">
          <div className="flex flex-wrap gap-x-3 gap-y-1">
            {colours.map((one) => (
              <label key={one} className="flex min-h-7 items-center gap-1.5 narrow:min-h-9">
                <input
                  type="radio"
                  className="accent-accent"
                  name={group}
                  value={one}
                  checked={colour === one}
                  onChange={() => setColour(one)}
                />
                <Flag colour={one} size={14} />
                <span className="sr-only">Mark {one}</span>
              </label>
            ))}
          </div>
        </FieldGroup>
        <SaveRow
          form={form}
          variant="secondary"
          isChanged={identityKey(identity) !== identityKey(saved)}
          reason={name.trim() === '' ? 'A cluster needs a name.' : undefined}
        >
          Save cluster
        </SaveRow>
      </form>
    </SetCard>
  );
}
