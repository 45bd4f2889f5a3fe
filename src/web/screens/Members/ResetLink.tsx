import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resetMinutes } from '../../../contract/reset.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { CopiedText } from '../../kit/CopiedText.tsx';
import { OnceDialog } from '../../kit/OnceDialog.tsx';
import type { Changes } from '../use-change.ts';

interface ResetLinkProps {
  readonly member: { readonly userId: number; readonly name: string };
  readonly change: Changes;
}

/** Makes a link by which somebody sets a new password; the server refuses it for people of several organisations. */
export function ResetLink({ member: { userId, name }, change }: ResetLinkProps) {
  const { api, queries } = useData();
  const isMailed = useQuery(queries.signInOptions()).data?.mailsResets === true;
  const [link, setLink] = useState<string>();
  const make = async () => {
    const { link } = await api.memberResetLink({ params: { userId } });
    setLink(link);
  };
  return (
    <>
      <Button
        variant="secondary"
        reason={
          isMailed ? 'They can ask for a link with “Forgot your password?” on the sign-in page.' : undefined
        }
        isLoading={change.busy === 'reset link'}
        loadingText="Making..."
        onClick={() => void change.make('reset link', make)}
      >
        Reset link…
      </Button>
      {link !== undefined && (
        <OnceDialog title={`Reset link for ${name}`} onClose={() => setLink(undefined)}>
          <CopiedText label="Link, shown only now" text={link} copy="Copy link">
            Anybody who has the link can set a new password for this account, once, within {resetMinutes}{' '}
            minutes. Pass it on to {name} alone.
          </CopiedText>
        </OnceDialog>
      )}
    </>
  );
}
