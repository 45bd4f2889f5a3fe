import type { ChatTurn } from '../../../contract/chat.ts';
import { cardLook } from '../../kit/card.ts';
import { Note } from '../../kit/Note.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { AnswerParts } from './AnswerParts.tsx';
import { SpokenSentences } from './SpokenSentences.tsx';
import { useAnswer } from './use-answer.ts';

interface TurnsProps {
  readonly clusterId: number;
  readonly turns: readonly ChatTurn[];
  /** An answer that was under way has ended. */
  readonly onEnded: () => void;
}

/** Questions and answers, the first one first. */
export function Turns({ clusterId, turns, onEnded }: TurnsProps) {
  if (turns.length === 0) return null;
  return (
    <ol className="flex min-w-0 flex-col gap-3" aria-label="Questions and answers">
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
