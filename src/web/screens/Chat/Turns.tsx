import { useRef } from 'react';
import type { ChatTurn } from '../../../contract/chat.ts';
import { cardLook } from '../../kit/card.ts';
import { Note } from '../../kit/Note.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { AnswerParts } from './AnswerParts.tsx';
import { EarlierTurns, type TurnLog } from './EarlierTurns.tsx';
import { SpokenSentences } from './SpokenSentences.tsx';
import { useAnswer } from './use-answer.ts';
import { useScrollPlace } from './use-scroll-place.ts';

interface TurnsProps {
  readonly clusterId: number;
  readonly conversationId: string | undefined;
  readonly turns: readonly ChatTurn[];
  /** Where the turns before the first one are read. */
  readonly log: TurnLog;
  /** An answer that was under way has ended. */
  readonly onEnded: () => void;
}

/** Questions and answers, the first one first; earlier ones are read where they are asked for. */
export function Turns({ clusterId, conversationId, turns, log, onEnded }: TurnsProps) {
  const list = useRef<HTMLOListElement>(null);
  useScrollPlace({ list, id: conversationId, isFromEnd: log.hasNextPage });
  if (turns.length === 0) return null;
  return (
    // The place is kept here: a browser that keeps it as well would move it twice.
    <div className="flex min-w-0 flex-col gap-3 [overflow-anchor:none]">
      {log.hasNextPage && (
        <EarlierTurns log={log} onFocusLost={() => list.current?.focus({ preventScroll: true })} />
      )}
      <ol
        ref={list}
        tabIndex={-1}
        className="flex min-w-0 flex-col gap-3 outline-none"
        aria-label="Questions and answers"
      >
        {turns.map((turn) => (
          <li key={turn.id} className={`flex min-w-0 flex-col gap-2 px-3.5 py-3 ${cardLook}`}>
            {turn.state === 'running' ? (
              <RunningTurn clusterId={clusterId} turn={turn} onEnded={onEnded} />
            ) : (
              <TurnBody clusterId={clusterId} turn={turn} />
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface TurnProps {
  readonly clusterId: number;
  readonly turn: ChatTurn;
}

function RunningTurn({ clusterId, turn, onEnded }: TurnProps & { readonly onEnded: () => void }) {
  const answer = useAnswer(clusterId, turn, onEnded);
  return (
    <>
      <TurnBody clusterId={clusterId} turn={answer} />
      <SpokenSentences parts={answer.parts} known={turn.parts.at(-1)?.number ?? 0} />
    </>
  );
}

function TurnBody({ clusterId, turn }: TurnProps) {
  const { question, withheld, parts, state } = turn;
  return (
    <>
      {question !== null && <h3 className="font-semibold wrap-anywhere whitespace-pre-line">{question}</h3>}
      {withheld === null ? (
        <AnswerParts clusterId={clusterId} parts={parts} isRunning={state === 'running'} />
      ) : (
        <Note tone="info">
          <Glyph tone="info" size={13} />
          <p className="min-w-0 flex-1">{withheld}</p>
        </Note>
      )}
    </>
  );
}
