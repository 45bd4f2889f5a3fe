import { useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook, TextField } from '../../kit/fields.tsx';
import { SetCard } from '../../kit/SetCard.tsx';
import { useForm } from '../../kit/use-form.ts';

/** Founds another organisation, in which the session then goes on. */
export function FoundCompany() {
  const { services } = useCommands();
  const { api } = useData();
  const [name, setName] = useState('');
  const form = useForm(async () => {
    await api.createCompany({ body: { name: name.trim() } });
    services.session.begin();
  });
  return (
    <SetCard title="Create another organisation">
      <form className={`max-w-120 ${formLook}`} onSubmit={form.submit}>
        <ErrorAlert error={form.failure} />
        <TextField
          label="Name of the organisation"
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          error={form.issue('name')}
          help="You become its Owner and switch to it."
          onChange={({ target }) => setName(target.value)}
        />
        <div>
          <Button
            type="submit"
            isLoading={form.isBusy}
            loadingText="Creating..."
            reason={name.trim() === '' ? 'Enter a name first.' : undefined}
          >
            Create the organisation
          </Button>
        </div>
      </form>
    </SetCard>
  );
}
