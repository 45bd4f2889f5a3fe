import { plainTitle } from '../../../registry/commands/command.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { fitsKind, objectViewsOf } from '../../../registry/commands/object-views.ts';
import { plainAction } from '../actions/outcome.ts';
import { useCommands } from '../../core/commands.ts';
import type { LiveObject } from '../../data/live/object.ts';
import { useMay } from '../../data/may-act.ts';
import { BackHint, type Hint, Hints } from '../../keyboard/Hints.tsx';
import { StatusLine, StatusRetry, StatusSpace } from '../../kit/StatusLine.tsx';
import { AccessCountdown } from '../../frame/AccessCountdown.tsx';
import { FreshLine, useFreshness } from '../../frame/FreshLine.tsx';

/** What keys do in the text that is edited. */
const editHints: readonly Hint[] = [{ id: 'editor.save', text: 'review and save' }];

interface DetailStatusProps {
  readonly kind: AnyKind;
  readonly cluster: string;
  readonly data: LiveObject | undefined;
  readonly onRetry: () => void;
  /** The view of the object that shows; it has no key to itself. */
  readonly tool?: string | undefined;
  /** The word in the corner. */
  readonly mode: string;
  /** Where one is in what is shown. */
  readonly place?: string | undefined;
  /** The keys of what is shown, before those of the object. */
  readonly own?: readonly Hint[];
  /** Plain keys are text here: those of the object, and Esc, do nothing. */
  readonly isEditing?: boolean;
}

/** The line below a detail: mode, how fresh it is, and the keys that work. */
export function DetailStatus({
  kind,
  cluster,
  data,
  onRetry,
  tool,
  mode,
  place,
  own = [],
  isEditing = false,
}: DetailStatusProps) {
  const { registry } = useCommands();
  const may = useMay(cluster);
  const found = useFreshness(data, { title: kind.kind, clusterId: Number(cluster) });
  const freshness = data?.gone === undefined ? found : { look: 'none' as const, text: 'Gone' };
  const tools = objectViewsOf(registry.commands, kind.id, may)
    // The manifest of a release is its YAML.
    .filter(({ id }) => id !== `object.${tool === 'manifest' ? 'yaml' : tool}`)
    .map((command) => ({ id: command.id, text: plainTitle(command).toLowerCase() }));
  // Those that a key does here: what every kind has, or this one declares.
  const isBound = (id: string) => {
    const command = registry.has(id) ? registry.get(id) : undefined;
    return command?.type === 'action' && command.actsOn !== undefined && fitsKind(command.actsOn, kind.id);
  };
  const actions = kind.actions
    .filter(
      ({ id }) => isBound(id) && data?.view?.actions.some((one) => one.id === id && one.enabled === true),
    )
    .map((action) => ({ id: action.id, text: plainAction(action).toLowerCase() }));
  // Without the object there is nothing for them to work on.
  const hasObject = data?.gone === undefined && data?.view !== undefined;
  const hints = hasObject && !isEditing ? [...own, ...tools, ...actions] : own;
  const canRetry = freshness.look === 'stale';
  return (
    <StatusLine mode={mode} isStale={freshness.look === 'stale'}>
      <FreshLine freshness={freshness} />
      <AccessCountdown clusterId={Number(cluster)} />
      {place !== undefined && <span role="status">{place}</span>}
      {canRetry ? (
        <>
          <StatusSpace />
          <StatusRetry onRetry={onRetry} />
        </>
      ) : (
        <Hints hints={hints} inField={isEditing ? editHints : []} />
      )}
      {!isEditing && <BackHint />}
    </StatusLine>
  );
}
