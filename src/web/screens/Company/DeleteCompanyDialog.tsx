import { useState } from 'react';
import type { Company } from '../../../contract/companies.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { isTyped, NameField } from '../../kit/NameField.tsx';
import { useForm } from '../../kit/use-form.ts';

interface DeleteCompanyDialogProps {
  readonly company: Company;
  readonly onClose: () => void;
}

/** Asks for the name of the organisation that is to be deleted. */
export function DeleteCompanyDialog({ company, onClose }: DeleteCompanyDialogProps) {
  const { services } = useCommands();
  const { api } = useData();
  const [typed, setTyped] = useState('');
  const form = useForm(async () => {
    await api.deleteCompany({ body: { name: typed.trim() } });
    onClose();
    await services.session.logout();
  });
  return (
    <FormDialog
      title={`Delete ${company.name}?`}
      isDangerous
      form={form}
      isChanged={typed !== ''}
      act="Delete organisation"
      acting="Deleting..."
      reason={isTyped(typed, company.name) ? undefined : 'Type the name of the organisation first.'}
      onClose={onClose}
    >
      <p>
        {company.clusters === 1 ? '1 cluster is' : `${company.clusters} clusters are`} removed from the
        console; the clusters themselves do not change.{' '}
        {company.members === 1 ? '1 person is' : `${company.members} people are`} signed out. This cannot be
        undone.
      </p>
      <NameField
        label={
          <>
            Type <b className="font-semibold">{company.name}</b> to confirm
          </>
        }
        value={typed}
        onChange={setTyped}
      />
    </FormDialog>
  );
}
