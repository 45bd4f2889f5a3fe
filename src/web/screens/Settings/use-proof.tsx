import { type ReactNode, useState } from 'react';
import { signInWithPasskey } from '../../data/passkey.ts';
import { useData } from '../../data/port.ts';
import { TextField } from '../../kit/fields.tsx';
import type { OwnPasskeys } from './Passkeys.tsx';

interface ProofState {
  /** What is asked for in the form; null for nothing. */
  readonly field: ReactNode;
  /** Why the form cannot be submitted. */
  readonly reason: string | undefined;
  readonly isTyped: boolean;
  /** Shows the server who the person is, as far as it asks. Throws Problem, and Refusal where they declined. */
  readonly give: () => Promise<void>;
}

/** Has the person show again who they are before they change how they sign in, if they signed in a while ago. */
export function useProof({ proof }: Pick<OwnPasskeys, 'proof'>): ProofState {
  const { api, queryClient, queries } = useData();
  const [password, setPassword] = useState('');
  // What was asked for when the form opened: reading it again must not take the field away.
  const [needed] = useState(proof);
  const [isGiven, setGiven] = useState(needed === 'none');
  const note = {
    none: null,
    password: (
      <TextField
        label="Your password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        maxLength={256}
        help="You signed in a while ago: show once more that it is you."
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
    ),
    passkey: <p className="text-text-2">Your browser asks for one of your passkeys first.</p>,
    'sign-in': (
      <p className="text-text-2">You signed in a while ago. Sign out and in again, then come back here.</p>
    ),
  };
  return {
    field: isGiven ? null : note[needed],
    reason: needed === 'sign-in' ? 'Sign out and in again first.' : undefined,
    isTyped: password !== '',
    give: async () => {
      if (isGiven) return;
      if (needed === 'password') await api.confirmPassword({ body: { password } });
      else queryClient.setQueryData(queries.session.queryKey, await signInWithPasskey(api));
      setGiven(true);
    },
  };
}
