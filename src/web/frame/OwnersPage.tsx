import { Lock } from 'lucide-react';
import { plainTitle, type RouteCommand } from '../../registry/commands/command.ts';
import { Hints } from '../keyboard/Hints.tsx';
import { State } from '../kit/State.tsx';
import { StatusLine } from '../kit/StatusLine.tsx';
import { ViewBody } from '../kit/ViewBody.tsx';
import { WhyNotButton } from '../kit/WhyNotButton.tsx';
import { useEnded } from '../workspace/use-ended.ts';
import { CloseTab } from './CloseTab.tsx';

/** A screen that is for Owners, to anybody else: says whose it is, and tells who they are. */
export function OwnersPage({ command }: { readonly command: RouteCommand }) {
  const title = plainTitle(command);
  useEnded('for Owners');
  return (
    <>
      <ViewBody>
        <State
          icon={<Lock size={22} strokeWidth={1.75} aria-hidden="true" />}
          title={`${title} is for Owners`}
          level={1}
          actions={
            <>
              <WhyNotButton refused={{ what: title, needs: 'owner' }} />
              <CloseTab />
            </>
          }
        >
          You are not an Owner of this organisation. Ask an Owner to make you one, or to do this for you.
        </State>
      </ViewBody>
      <StatusLine mode="FOR OWNERS">
        <Hints hints={[]} />
      </StatusLine>
    </>
  );
}
