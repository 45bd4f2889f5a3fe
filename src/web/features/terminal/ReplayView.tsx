import { useConfirmedSave } from '../identity/use-confirmed-save.ts';
import { ArrowLeft, Clapperboard, Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Recording } from '../../../contract/recordings.ts';
import { type ReplayTurn, replayTenths } from '../../../registry/commands/services.ts';
import { useCell } from '../../core/state/state.ts';
import { Hints } from '../../keyboard/Hints.tsx';
import { buttonLook } from '../../kit/Button.tsx';
import { PlaceLink } from '../../kit/Link.tsx';
import { State } from '../../kit/State.tsx';
import { freshLook, messageLook, StatusLine } from '../../kit/StatusLine.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { ShownAs, useTool } from '../../workspace/use-tool.ts';
import { useView } from '../../workspace/view.ts';
import { LogBar, LogBarSpace } from '../logs/LogBar.tsx';
import type { Player } from './player.ts';
import { lacksEnd } from './lacks-end.ts';
import { ReplayControls } from './ReplayControls.tsx';
import { usePlayer, useRecording } from './use-replay.ts';
import { dateTimeText } from '../../kit/date-time.ts';

/** How far the arrow keys go, ms. */
const step = 5_000;

const hints = [
  { id: 'replay.play', text: 'play' },
  { id: 'replay.forward', text: 'forward' },
  { id: 'replay.faster', text: 'faster' },
  { id: 'replay.find', text: 'find' },
] as const;

/** A recorded shell, replayed. Its terminal takes no keys: those of the view play it. */
export function ReplayView({ id }: { readonly id: string }) {
  const { isVisible, isFocused } = useView();
  const element = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLDivElement>(null);
  const find = useRef<HTMLInputElement>(null);
  const state = useRecording(id);
  const player = usePlayer(element, state, isVisible);
  const isThere = player !== undefined;
  useEffect(() => {
    if (isThere && isVisible && isFocused) region.current?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- once it is there; later the workspace moves the focus
  }, [isThere]);
  const recording = state.type === 'ended' ? undefined : state.recording;
  return (
    <>
      <ReplayBar recording={recording} />
      {state.type === 'ended' ? (
        <ViewBody isScrolled>
          <ShownAs name="page" />
          <State
            icon={<Clapperboard size={20} strokeWidth={1.5} aria-hidden="true" />}
            title="Nothing to replay"
            role="alert"
            level={1}
          >
            {state.title}
          </State>
        </ViewBody>
      ) : (
        <ViewBody
          ref={region}
          isScrolled
          role="region"
          tabIndex={0}
          aria-label={recording === undefined ? 'Recorded shell' : `Recorded shell: ${nameOf(recording)}`}
          className="bg-surface py-1.5 pr-0.5 pl-2.5 text-(length:--text-xs) focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus"
        >
          <div
            className="w-max"
            ref={element}
            // The terminal's own field is for typing, of which there is none.
            onFocus={() => region.current?.focus()}
          />
        </ViewBody>
      )}
      {player !== undefined && <PlayerKeys player={player} focusFind={() => find.current?.focus()} />}
      {player !== undefined && <ReplayControls player={player} find={find} />}
      <StatusLine mode="REPLAY">
        {player === undefined ? (
          <span className={freshLook()} role="status">
            {state.type === 'ended' ? 'Ended' : 'Loading'}
          </span>
        ) : (
          <PlayerStatus player={player} />
        )}
        {recording !== undefined && (
          <span className={messageLook}>
            {recording.ending ?? 'The shell is open, or the server stopped: this is what is recorded so far.'}
          </span>
        )}
        {state.type === 'loaded' && lacksEnd(state.recording, state.cast) && (
          <span className={`${messageLook} text-bad-fg`} role="alert">
            The end of this recording is missing: it could not be stored, or was deleted.
          </span>
        )}
        <Hints hints={player === undefined ? [] : hints} />
      </StatusLine>
    </>
  );
}

const nameOf = ({ namespace, name, cluster }: Recording): string => `${namespace}/${name} on ${cluster}`;

/** Says which shell it was, and leads back to the others and to its file. */
function ReplayBar({ recording }: { readonly recording: Recording | undefined }) {
  const save = useConfirmedSave();
  return (
    <LogBar>
      <PlaceLink
        className={buttonLook({ variant: 'transparent', size: 'sm' })}
        href="/settings?section=recordings"
      >
        <ArrowLeft size={14} strokeWidth={1.75} aria-hidden="true" />
        Recorded shells
      </PlaceLink>
      {recording !== undefined && (
        <>
          <h1 className="min-w-0 truncate font-semibold">{nameOf(recording)}</h1>
          <span className="min-w-0 truncate text-text-2">
            {recording.actor}, {dateTimeText(recording.startedAt)}
          </span>
          <LogBarSpace />
          <a
            className={buttonLook({ variant: 'secondary', size: 'sm' })}
            href={`/api/organization/recordings/${recording.id}/cast`}
            download
            onClick={(event) => {
              event.preventDefault();
              save(event.currentTarget.href);
            }}
          >
            <Download size={14} strokeWidth={1.75} aria-hidden="true" />
            Save as asciicast
          </a>
        </>
      )}
    </LogBar>
  );
}

function PlayerStatus({ player }: { readonly player: Player }) {
  const isPlaying = useCell(player.state, (state) => state.isPlaying);
  const isOver = useCell(player.state, (state) => state.position >= state.duration);
  return (
    <span className={freshLook()} role="status">
      {isPlaying ? 'Playing' : isOver ? 'At the end' : 'Paused'}
    </span>
  );
}

interface PlayerKeysProps {
  readonly player: Player;
  readonly focusFind: () => void;
}

/** Tells the keys what the player can do. */
function PlayerKeys({ player, focusFind }: PlayerKeysProps): null {
  const seeks = replayTenths.map((tenth, number) => [
    `to${tenth}`,
    () => player.seek((player.state.get().duration * number) / 10),
  ]);
  useTool('replay', {
    play: () => player.toggle(),
    back: () => player.skip(-step),
    forward: () => player.skip(step),
    slower: () => player.stepSpeed(-1),
    faster: () => player.stepSpeed(1),
    find: focusFind,
    ...(Object.fromEntries(seeks) as Partial<Record<ReplayTurn, () => void>>),
  });
  return null;
}
