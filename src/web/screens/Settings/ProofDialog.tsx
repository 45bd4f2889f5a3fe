import type { ComponentProps } from 'react';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { useForm } from '../../kit/use-form.ts';
import { useProof } from './use-proof.tsx';

type ProofDialogProps = Pick<
  ComponentProps<typeof FormDialog>,
  'title' | 'description' | 'isDangerous' | 'act' | 'acting' | 'onClose'
> & {
  /** Changes how the person signs in, once they have shown who they are. Its failure stays in the dialog. */
  readonly run: () => Promise<void>;
};

/** Asks before a change of how the person signs in, and has them show that it is them if they signed in a while ago. */
export function ProofDialog({ run, onClose, ...words }: ProofDialogProps) {
  const proof = useProof();
  const form = useForm(async () => {
    await proof.give();
    await run();
    onClose();
  });
  return (
    <FormDialog {...words} form={form} isChanged={proof.isTyped} reason={proof.reason} onClose={onClose}>
      {proof.field}
    </FormDialog>
  );
}
