import { useState } from 'react';
import { resetMinutes } from '../../../contract/reset.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import type { Changes } from '../use-change.ts';
import { OnceLink } from '../../kit/OnceLink.tsx';

interface ResetLinkProps {
  readonly member: { readonly userId: number; readonly name: string };
  readonly change: Changes;
}

/** Makes a link by which somebody sets a new password; the server refuses it for people of several organisations. */
export function ResetLink({ member: { userId, name }, change }: ResetLinkProps) {
  const { api } = useData();
  const [link, setLink] = useState<string>();
  const make = async () => {
    const { link } = await api.memberResetLink({ params: { userId } });
    setLink(link);
  };
  return (
    <>
      <Button
        variant="secondary"
        isLoading={change.busy === 'reset link'}
        loadingText="Making..."
        onClick={() => void change.make('reset link', make)}
      >
        Reset link…
      </Button>
      {link !== undefined && (
        <Dialog
          title={`Reset link for ${name}`}
          isSticky
          onClose={() => setLink(undefined)}
          footer={
            <>
              <span className="min-w-0 flex-1" />
              <Button acts onClick={() => setLink(undefined)}>
                Done
              </Button>
            </>
          }
        >
          <div className="flex min-w-0 flex-col gap-3.5">
            <OnceLink link={link}>
              Whoever has it sets a new password for this account, once, within {resetMinutes} minutes. Pass
              it on to {name} alone.
            </OnceLink>
          </div>
        </Dialog>
      )}
    </>
  );
}
