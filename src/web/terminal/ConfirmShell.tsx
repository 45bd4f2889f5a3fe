import { Lock } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Cluster } from '../../contract/clusters.ts';
import { Button } from '../ui/Button.tsx';
import { TextField } from '../ui/fields.tsx';

interface ConfirmShellProps {
  readonly cluster: Cluster;
  /** What is about to be opened: `a shell in api-0`. */
  readonly what: string;
  readonly onConfirmed: (typed: string) => void;
}

/** Asks for the name of a protected cluster before a terminal is opened there. */
export function ConfirmShell({ cluster, what, onConfirmed }: ConfirmShellProps) {
  const [typed, setTyped] = useState('');
  const isNamed = typed === cluster.name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isNamed) onConfirmed(typed);
  };
  return (
    <div className="body scroll">
      <form className="form term-confirm" onSubmit={submit} noValidate>
        <h2 className="row">
          <Lock size={14} strokeWidth={1.75} aria-hidden="true" />
          {cluster.name} is protected
        </h2>
        <p className="sec">
          You are about to open {what}. What you do there changes a running container. It is recorded that you
          opened it, not what you type.
        </p>
        <TextField
          label={
            <>
              Type <b className="semi">{cluster.name}</b> to go on
            </>
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button
          type="submit"
          variant="danger"
          reason={isNamed ? undefined : `Type ${cluster.name} to go on.`}
        >
          Open the terminal
        </Button>
      </form>
    </div>
  );
}
