import { useQuery } from '@tanstack/react-query';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { BarePage } from '../../frame/BarePage.tsx';
import { Button } from '../../kit/Button.tsx';

interface InvitePageProps {
  readonly title: string;
  readonly text: string;
}

/** A dead end with a way out: what became of an invitation, and how to sign in as somebody else. */
export function InvitePage({ title, text }: InvitePageProps) {
  const { run, registry } = useCommands();
  const { queries } = useData();
  const { workspace } = useWorkspace();
  const isSignedIn = useQuery(queries.session).data !== null;
  return (
    <BarePage lead={<b className="font-semibold">{title}</b>}>
      <p className="text-text-2">{text}</p>
      <Button
        size="lg"
        variant="secondary"
        isWide
        className="mt-1"
        onClick={() => (isSignedIn ? run('session.logout') : workspace.open(registry.href('account.login')))}
      >
        {isSignedIn ? 'Sign in as somebody else' : 'Sign in'}
      </Button>
    </BarePage>
  );
}
