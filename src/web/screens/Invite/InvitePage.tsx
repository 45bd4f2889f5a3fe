import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { mayWork } from '../../data/session.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { BarePage } from '../../frame/BarePage.tsx';
import { Button } from '../../kit/Button.tsx';

interface InvitePageProps {
  readonly title: string;
  readonly text: string;
  /** What can be done about it. */
  readonly children?: ReactNode;
}

/** A page for somebody whom no invitation leads on: why, what to do, and how to sign in as somebody else. */
export function InvitePage({ title, text, children }: InvitePageProps) {
  const { run, registry } = useCommands();
  const { queries } = useData();
  const { workspace } = useWorkspace();
  const session = useQuery(queries.session).data;
  const isSignedIn = session !== null;
  return (
    <BarePage lead={<b className="font-semibold wrap-anywhere">{title}</b>}>
      <p className="wrap-anywhere text-text-2">{text}</p>
      {children}
      {mayWork(session) && (
        <Button size="lg" isWide onClick={() => workspace.open(registry.href('home'))}>
          Go to the console
        </Button>
      )}
      <Button
        size="lg"
        variant={children === undefined ? 'secondary' : 'transparent'}
        isWide
        className="mt-1"
        onClick={() => (isSignedIn ? run('session.logout') : workspace.open(registry.href('account.login')))}
      >
        {isSignedIn ? 'Sign in as somebody else' : 'Sign in'}
      </Button>
    </BarePage>
  );
}
