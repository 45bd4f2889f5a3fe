import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { signInWithPasskey } from '../../data/passkey.ts';
import { useData } from '../../data/port.ts';
import { TextField } from '../../kit/fields.tsx';

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
export function useProof(): ProofState {
  const { api, queryClient, queries } = useData();
  // Read anew when the form opens: a page that has been open for a while remembers what has run out since.
  const asked = useQuery({ ...queries.passkeys, refetchOnMount: 'always' }).data?.proof ?? 'none';
  const [password, setPassword] = useState('');
  const [needed, setNeeded] = useState(asked);
  const [isGiven, setGiven] = useState(false);
  // Once something is asked for, reading it again must not take the field away.
  if (needed === 'none' && asked !== 'none') setNeeded(asked);
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
        help="You signed in a while ago. Confirm that it is you."
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
      if (isGiven || needed === 'none') return;
      if (needed === 'password') await api.confirmPassword({ body: { password } });
      else queryClient.setQueryData(queries.session.queryKey, await signInWithPasskey(api));
      setGiven(true);
    },
  };
}
