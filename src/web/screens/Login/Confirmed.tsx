import { useEffect } from 'react';
import { failureParam } from '../../../contract/sign-in.ts';
import { splitHref } from '../../../registry/path.ts';
import { identityChannel, type IdentityMessage } from '../../data/identity-check.ts';
import { BarePage } from '../../frame/BarePage.tsx';
import { useWorkspace } from '../../workspace/port.ts';
import { signInSentence } from '../../features/identity/sign-in-failures.ts';

/** `/confirmed`: where a provider leads the window in which somebody confirmed their identity. */
export function Screen() {
  const { workspace } = useWorkspace();
  const code = new URLSearchParams(splitHref(workspace.href()).search).get(failureParam);
  const failure = signInSentence(code);
  useEffect(() => {
    const channel = new BroadcastChannel(identityChannel);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    channel.postMessage({ failure: code } satisfies IdentityMessage);
    channel.close();
    // The page that asked goes on, or says what failed.
    window.close();
  }, [code]);
  return (
    <BarePage
      lead={
        <b className="font-semibold">
          {failure === undefined ? 'You confirmed your identity.' : 'Your identity was not confirmed.'}
        </b>
      }
    >
      <p className="wrap-anywhere text-text-2">
        {failure ?? 'Close this window and continue in the one that you came from.'}
      </p>
    </BarePage>
  );
}
