import type { AccessRequest } from '../../../contract/access-requests.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { lengthText, leftText, placeText, stateText, stateTone } from '../../frame/access-text.ts';
import { useServerNow } from '../../frame/use-access.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Button } from '../../kit/Button.tsx';
import { useChange } from '../use-change.ts';
import { styledDateTime } from '../../kit/date-time.ts';

const row =
  'flex min-w-0 items-start gap-3 py-2.5 first:pt-0 last:pb-0 narrow:flex-col narrow:items-stretch narrow:gap-2';

/** One request: who asks for what, where, why and for how long; how it stands, and what can be done with it. */
export function RequestRow({ request }: { readonly request: AccessRequest }) {
  const { person, permissions, reason, state, isOwn, approvedBy, approversNeeded, mayDecide, mayEnd } =
    request;
  const what = `${permissions.join(', ')} on ${placeText(request)}`;
  const name = isOwn ? what : `${person.name}: ${what}`;
  return (
    <li className={row} aria-label={name}>
      <div className="min-w-0 flex-1">
        {!isOwn && (
          <span className="block wrap-anywhere">
            <b className="font-medium">{person.name}</b>{' '}
            <span className="text-xs text-text-3">{person.email}</span>
          </span>
        )}
        <span className="mono wrap-anywhere">{permissions.join(', ')}</span>{' '}
        <Badge tone={stateTone[state]}>{stateText[state]}</Badge>
        <span className="block text-xs wrap-anywhere text-text-2">
          on {placeText(request)} · for {lengthText(request.minutes)}
          <Times request={request} />
        </span>
        {state === 'pending' && approversNeeded > 1 && (
          <span className="block text-xs wrap-anywhere text-text-2">
            {approvedBy.length === 0
              ? `Needs ${approversNeeded} approvals`
              : `Approved by ${approvedBy.join(', ')} · needs ${approversNeeded} approvals`}
          </span>
        )}
        <span className="block text-xs wrap-anywhere whitespace-pre-line text-text-2">“{reason}”</span>
      </div>
      {(mayDecide || mayEnd) && <RowButtons request={request} name={name} />}
    </li>
  );
}

const clock = (time: string) => styledDateTime(time, 'short');

function Times({
  request: { state, askedAt, decideBy, decidedBy, approvedBy, endsAt },
}: {
  readonly request: AccessRequest;
}) {
  // The one who refused a request is not among those who approved it before.
  const deciders = state === 'refused' || approvedBy.length === 0 ? [decidedBy ?? []].flat() : approvedBy;
  const by = deciders.length === 0 ? '' : ` by ${deciders.join(' and ')}`;
  if (state === 'pending') return ` · asked ${clock(askedAt)}, waits until ${clock(decideBy)}`;
  if (state === 'refused') return ` · asked ${clock(askedAt)}, refused${by}`;
  if (state !== 'active') return ` · asked ${clock(askedAt)}${decidedBy === null ? '' : `, approved${by}`}`;
  return (
    <>
      {` · approved${by}, ends in `}
      <TimeLeft endsAt={endsAt ?? ''} />
    </>
  );
}

function TimeLeft({ endsAt }: { readonly endsAt: string }) {
  const now = useServerNow();
  return <span className="font-medium tabular-nums">{leftText(Date.parse(endsAt) - now)}</span>;
}

function RowButtons({ request, name }: { readonly request: AccessRequest; readonly name: string }) {
  const { services } = useCommands();
  const { api } = useData();
  const change = useChange();
  const { id, person, state, mayDecide, mayApprove } = request;
  const params = { requestId: id };
  const act = async (what: string, call: () => Promise<unknown>, done: string) => {
    if (await change.make(what, call)) services.toast.success(done, { detail: name });
  };
  if (!mayDecide) {
    const verb = state === 'pending' ? 'Withdraw' : request.isOwn ? 'Give back' : 'Revoke';
    const done = state === 'pending' ? 'Request withdrawn' : 'Temporary access ended';
    return (
      <Button
        size="sm"
        variant="secondary"
        aria-label={`${verb} ${name}`}
        isLoading={change.busy === 'end'}
        loadingText="Ending..."
        onClick={() => void act('end', () => api.endAccess({ params }), done)}
      >
        {verb}
      </Button>
    );
  }
  const approve = async () => {
    let after: AccessRequest = request;
    const isMade = await change.make('approve', async () => {
      after = await api.approveAccess({ params });
    });
    if (!isMade) return;
    if (after.state === 'active') {
      services.toast.success(`Approved for ${lengthText(request.minutes)}`, { detail: name });
    } else {
      services.toast.info('Approved. Somebody else has to approve it as well.', { detail: name });
    }
  };
  return (
    <div className="flex flex-none flex-wrap gap-2">
      {mayApprove && (
        <Button
          size="sm"
          aria-label={`Approve ${name}`}
          isLoading={change.busy === 'approve'}
          loadingText="Approving..."
          onClick={() => void approve()}
        >
          Approve
        </Button>
      )}
      <Button
        size="sm"
        variant="secondary"
        aria-label={`Refuse ${name}`}
        isLoading={change.busy === 'refuse'}
        loadingText="Refusing..."
        onClick={() => void act('refuse', () => api.refuseAccess({ params }), `Refused ${person.name}`)}
      >
        Refuse
      </Button>
    </div>
  );
}
