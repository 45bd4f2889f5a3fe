import type { OwnSession } from '../../../contract/sessions.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { LastSeen } from '../Members/LastSeen.tsx';
import { browserName } from './browser-name.ts';
import { useOwnChange } from './use-own-change.ts';
import { dateTimeText } from '../../kit/date-time.ts';

/** Where the person is signed in, with a way out of each. */
export function OwnSessions({ sessions }: { readonly sessions: readonly OwnSession[] }) {
  const { services } = useCommands();
  const { api } = useData();
  const change = useOwnChange();
  const others = sessions.filter(({ isCurrent }) => !isCurrent).length;
  const endOthers = async () => {
    if (await change.make('others', () => api.endOtherSessions({})))
      services.toast.success('Every other session is signed out');
  };
  return (
    <>
      <ul className="flex flex-col" aria-label="Sessions">
        {sessions.map(({ id, isCurrent, userAgent, address, company, way, createdAt, lastSeenAt }) => (
          <li key={id} className="flex min-w-0 items-center gap-2 border-b border-hairline py-1.5">
            <div className="min-w-0 flex-1 wrap-anywhere">
              {browserName(userAgent)} {isCurrent && <Badge tone="info">This one</Badge>}
              <span className="block text-xs text-text-3">
                {address}, {company ?? 'no organisation'}, by {way}, since{' '}
                <time dateTime={createdAt}>{dateTimeText(createdAt)}</time>, used{' '}
                <LastSeen at={lastSeenAt} isWithin />
              </span>
            </div>
            {!isCurrent && (
              <Button
                size="sm"
                variant="secondary"
                aria-label={`Sign out ${browserName(userAgent)} at ${address}`}
                isLoading={change.busy === `end ${id}`}
                loadingText="Ending..."
                onClick={() =>
                  void change.make(`end ${id}`, () => api.endOwnSession({ params: { sessionId: id } }))
                }
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div>
        <Button
          variant="secondary"
          isLoading={change.busy === 'others'}
          loadingText="Ending..."
          reason={others === 0 ? 'You have no other sessions.' : undefined}
          onClick={() => void endOthers()}
        >
          Sign out everywhere else
        </Button>
      </div>
    </>
  );
}
