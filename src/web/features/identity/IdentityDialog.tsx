import { useEffect, useState } from 'react';
import type { Problem } from '../../../contract/problem.ts';
import type { SignInProvider } from '../../../contract/sign-in.ts';
import { Refusal } from '../../../registry/commands/refusal.ts';
import { identityChannel, type IdentityMessage } from '../../data/identity-check.ts';
import { confirmActByPasskey, signInWithPasskey } from '../../data/passkey.ts';
import { useData } from '../../data/port.ts';
import { TextField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/FormDialog.tsx';
import { useForm } from '../../kit/use-form.ts';
import { signInSentence } from './sign-in-failures.ts';

interface IdentityDialogProps {
  /** The refusal of the call that waits. */
  readonly problem: Problem;
  readonly onAnswer: (isConfirmed: boolean) => void;
}

interface WayProps {
  readonly onAnswer: IdentityDialogProps['onAnswer'];
}

const asking = {
  title: 'Confirm your identity',
  description: <p>You signed in a while ago. Confirm that it is you to continue.</p>,
} as const;

/** Has the person confirm their identity in the way that the server asks for. */
export function IdentityDialog({ problem, onAnswer }: IdentityDialogProps) {
  const { code, proof, signInAt } = problem;
  if (code === 'passkey-needed') return <ForAct title={problem.title} onAnswer={onAnswer} />;
  if (proof === 'sign-in' && signInAt !== undefined)
    return <ByProvider provider={signInAt} onAnswer={onAnswer} />;
  return proof === 'passkey' ? <ByPasskey onAnswer={onAnswer} /> : <ByPassword onAnswer={onAnswer} />;
}

function ByPassword({ onAnswer }: WayProps) {
  const { api } = useData();
  const [password, setPassword] = useState('');
  const form = useForm(async () => {
    await api.confirmPassword({ body: { password } });
    onAnswer(true);
  });
  return (
    <FormDialog
      {...asking}
      form={form}
      isChanged={false}
      act="Confirm"
      acting="Confirming..."
      reason={password === '' ? 'Enter your password first.' : undefined}
      onClose={() => onAnswer(false)}
    >
      <TextField
        label="Your password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        maxLength={256}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
    </FormDialog>
  );
}

function ByPasskey({ onAnswer }: WayProps) {
  const { api, queryClient, queries } = useData();
  const form = useForm(async () => {
    const before = queryClient.getQueryData(queries.session.queryKey);
    const user = await signInWithPasskey(api);
    // With a passkey of another account the browser is signed in to that one, where nothing of this page belongs.
    if (user.id !== before?.id || user.companyId !== before.companyId) {
      onAnswer(false);
      location.assign('/');
      return;
    }
    queryClient.setQueryData(queries.session.queryKey, user);
    onAnswer(true);
  });
  return (
    <FormDialog
      {...asking}
      form={form}
      isChanged={false}
      act="Use a passkey"
      acting="Waiting for the device..."
      onClose={() => onAnswer(false)}
    >
      <p className="text-text-2">Your browser asks for one of your passkeys.</p>
    </FormDialog>
  );
}

/** One dangerous act, for which the cluster asks for a passkey. */
function ForAct({ title, onAnswer }: WayProps & { readonly title: string }) {
  const { api } = useData();
  const form = useForm(async () => {
    await confirmActByPasskey(api);
    onAnswer(true);
  });
  return (
    <FormDialog
      title="Use a passkey"
      description={<p>{title}</p>}
      form={form}
      isChanged={false}
      act="Use a passkey"
      acting="Waiting for the device..."
      onClose={() => onAnswer(false)}
    >
      <p className="text-text-2">The passkey confirms this one action, which then continues.</p>
    </FormDialog>
  );
}

/** A window of its own goes to the provider, so that the page keeps what was typed. */
function ByProvider({ provider: { label }, onAnswer }: WayProps & { readonly provider: SignInProvider }) {
  const { api } = useData();
  const [isAway, setAway] = useState(false);
  const [failure, setFailure] = useState<Refusal>();
  useEffect(() => {
    const channel = new BroadcastChannel(identityChannel);
    channel.addEventListener('message', ({ data }: MessageEvent<IdentityMessage>) => {
      const sentence = signInSentence(data.failure, label);
      if (data.failure === null) onAnswer(true);
      // A window of another page may have failed.
      else if (isAway && sentence !== undefined) {
        setAway(false);
        setFailure(new Refusal(sentence));
      }
    });
    return () => channel.close();
  }, [onAnswer, label, isAway]);
  const form = useForm(async () => {
    setFailure(undefined);
    setAway(false);
    // Before anything is awaited: a browser opens windows at a press alone.
    const opened = window.open('about:blank', '_blank', 'popup,width=560,height=720');
    if (opened === null)
      throw new Refusal('Your browser blocked the window. Allow windows of this console, and try again.');
    // The provider's page does not reach this one.
    opened.opener = null;
    try {
      opened.location.href = (await api.confirmAtProvider({})).url;
      setAway(true);
    } catch (error) {
      opened.close();
      throw error;
    }
  });
  return (
    <FormDialog
      {...asking}
      form={failure === undefined ? form : { ...form, failure }}
      isChanged={false}
      act={isAway ? `Open ${label} again` : `Continue with ${label}`}
      acting="Opening..."
      onClose={() => onAnswer(false)}
    >
      <p className="text-text-2" role="status">
        {isAway
          ? `Sign in with ${label} in the window that opened. This page then continues by itself.`
          : `A window opens, in which you sign in with ${label} again.`}
      </p>
    </FormDialog>
  );
}
