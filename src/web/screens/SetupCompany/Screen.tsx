import { useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { BarePage } from '../../frame/BarePage.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { formLook } from '../../kit/fields.tsx';
import { NameField } from '../account-fields.tsx';
import { useEnter } from '../use-enter.ts';
import { useForm } from '../../kit/use-form.ts';

/** `/setup-company`: somebody without an organisation names one and becomes its Owner. */
export function Screen() {
  const { run } = useCommands();
  const { api } = useData();
  const enter = useEnter();
  const [name, setName] = useState('');
  const form = useForm(async () => enter(await api.createCompany({ body: { name: name.trim() } })));
  return (
    <BarePage lead="Name your organisation. You become its Owner.">
      <form className={formLook} onSubmit={form.submit}>
        <ErrorAlert error={form.failure} />
        <NameField
          label="Name of the organisation"
          of="organization"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the one thing to do on this page
          autoFocus
          value={name}
          onChange={setName}
          error={form.issue('name')}
        />
        <Button
          type="submit"
          size="lg"
          isWide
          className="mt-1"
          isLoading={form.isBusy}
          loadingText="Creating..."
        >
          Create the organisation
        </Button>
        <Button variant="transparent" isWide className="-mt-1.5" onClick={() => run('session.logout')}>
          Logout
        </Button>
      </form>
    </BarePage>
  );
}
