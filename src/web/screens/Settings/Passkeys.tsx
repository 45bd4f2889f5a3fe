import { useState } from 'react';
import { maxPasskeys } from '../../../contract/passkeys.ts';
import { Button } from '../../kit/Button.tsx';
import { dateText } from '../../kit/date-time.ts';
import { LastSeen } from '../Members/LastSeen.tsx';
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './PasskeyDialogs.tsx';
import type { OwnPasskeys } from './own-passkeys.ts';

type Passkey = OwnPasskeys['passkeys'][number];

/** The passkeys of the account, and the way to another one. */
export function Passkeys({ own }: { readonly own: OwnPasskeys }) {
  const [open, setOpen] = useState<
    'add' | { readonly act: 'rename' | 'remove'; readonly passkey: Passkey }
  >();
  const close = () => setOpen(undefined);
  const { passkeys, requiredBy } = own;
  return (
    <>
      <p className="text-text-2">
        {requiredBy === null
          ? 'A passkey signs you in by the fingerprint, face or PIN of a device, without a password.'
          : `${requiredBy} asks you to sign in with a passkey. Keep one on a second device: if you lose the only one, an Owner or the operator of this console has to help.`}
      </p>
      {passkeys.length === 0 ? (
        <p className="text-text-3">You have no passkey yet.</p>
      ) : (
        <ul className="flex flex-col" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <li
              key={passkey.id}
              className="flex min-w-0 flex-wrap items-center gap-2 border-b border-hairline py-1.5"
            >
              <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
                {passkey.name}
                <span className="block text-xs text-text-3">
                  {passkey.host === location.hostname ? '' : `for ${passkey.host}, `}since{' '}
                  <time dateTime={passkey.createdAt}>{dateText(passkey.createdAt)}</time>,{' '}
                  {passkey.lastUsedAt === null ? (
                    'not used to sign in yet'
                  ) : (
                    <>
                      used <LastSeen at={passkey.lastUsedAt} isWithin />
                    </>
                  )}
                </span>
              </div>
              <Button
                size="sm"
                variant="secondary"
                aria-label={`Rename ${passkey.name}`}
                onClick={() => setOpen({ act: 'rename', passkey })}
              >
                Rename…
              </Button>
              <Button
                size="sm"
                variant="secondary"
                aria-label={`Remove ${passkey.name}`}
                onClick={() => setOpen({ act: 'remove', passkey })}
              >
                Remove…
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button
          variant="secondary"
          reason={
            passkeys.length >= maxPasskeys ? `An account has at most ${maxPasskeys} passkeys.` : undefined
          }
          onClick={() => setOpen('add')}
        >
          Add passkey…
        </Button>
      </div>
      {open === 'add' && <AddPasskeyDialog onClose={close} />}
      {open !== undefined && open !== 'add' && open.act === 'rename' && (
        <RenamePasskeyDialog passkey={open.passkey} onClose={close} />
      )}
      {open !== undefined && open !== 'add' && open.act === 'remove' && (
        <RemovePasskeyDialog own={own} passkey={open.passkey} onClose={close} />
      )}
    </>
  );
}
