import { useEffect } from 'react';
import { failureParam } from '../../../contract/sign-in.ts';
import { splitHref } from '../../../registry/path.ts';
import { identityChannel } from '../../data/identity-check.ts';
import { BarePage } from '../../frame/BarePage.tsx';
import { useWorkspace } from '../../workspace/port.ts';
import { signInSentence } from '../sign-in-failures.ts';

/** `/confirmed`: where a provider leads the window in which somebody confirmed their identity. */
export function Screen() {
  const { workspace } = useWorkspace();
  const failure = signInSentence(new URLSearchParams(splitHref(workspace.href()).search).get(failureParam));
  useEffect(() => {
    if (failure !== undefined) return;
    const channel = new BroadcastChannel(identityChannel);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    channel.postMessage('confirmed');
    channel.close();
    window.close();
  }, [failure]);
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
