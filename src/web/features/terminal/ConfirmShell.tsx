import { Lock, Plug } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Cluster } from '../../../contract/clusters.ts';
import { recordedNotice } from '../../../contract/shell.ts';
import { Button } from '../../kit/Button.tsx';
import { TextField } from '../../kit/fields.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { useView } from '../../workspace/view.ts';
import type { ShellTarget } from './session.ts';

interface ConfirmShellProps {
  readonly cluster: Cluster;
  readonly mode: ShellTarget['mode'];
  /** The terminal that is about to open: `a shell of api in api-0`. */
  readonly what: string;
  /** @param typed the cluster's name, where it is protected */
  readonly onConfirmed: (typed: string) => void;
}

/**
 * Asks before a terminal is opened: on a protected cluster for its name, and anywhere before a running process is
 * attached to, which would take the next key.
 */
export function ConfirmShell({ cluster, mode, what, onConfirmed }: ConfirmShellProps) {
  const { isVisible, isFocused } = useView();
  const [typed, setTyped] = useState('');
  const go = useRef<HTMLButtonElement>(null);
  const isNamed = !cluster.isProtected || typed === cluster.name;
  useEffect(() => {
    if (!cluster.isProtected && isVisible && isFocused) go.current?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- once it is there; later the workspace moves the focus
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isNamed) onConfirmed(typed);
  };
  const Sign = cluster.isProtected ? Lock : Plug;
  return (
    <ViewBody isScrolled>
      <form
        className="flex max-w-120 flex-col gap-3.5 px-4 py-5"
        data-part="confirm-shell"
        data-keys="asking"
        onSubmit={submit}
        noValidate
      >
        <h2 className="flex min-w-0 items-center gap-1.5">
          <Sign size={14} strokeWidth={1.75} aria-hidden="true" />
          {cluster.isProtected ? `${cluster.name} is protected` : 'Attach to a running process?'}
        </h2>
        <p className="text-text-2">
          You are about to {mode === 'attach' ? 'attach to' : 'open'} {what}.{' '}
          {mode === 'attach'
            ? 'Your input goes to that process, and Ctrl+C may end it.'
            : 'Commands there change a running container.'}{' '}
          {cluster.isShellRecorded
            ? recordedNotice
            : 'The audit records that you opened it, not what you type.'}
        </p>
        {cluster.isProtected && (
          <TextField
            label={
              <>
                Type <b className="font-semibold">{cluster.name}</b> to go on
              </>
            }
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        <Button
          ref={go}
          type="submit"
          variant={cluster.isProtected ? 'danger' : 'primary'}
          reason={isNamed ? undefined : `Type ${cluster.name} to go on.`}
        >
          {mode === 'attach' ? 'Attach' : 'Open the terminal'}
        </Button>
      </form>
    </ViewBody>
  );
}
