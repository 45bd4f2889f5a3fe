import type { NumberedPart } from '../../../contract/chat.ts';
import { dedent } from './answer-blocks.ts';
import { ModelText } from './ModelText.tsx';
import { peopleIn } from './people.ts';

interface SpokenSentencesProps {
  readonly parts: readonly NumberedPart[];
  /** The last part that was there when the answer was opened: it is read and not spoken. */
  readonly known: number;
}

/** Tells screen readers the finished sentences of an answer as they come. */
export function SpokenSentences({ parts, known }: SpokenSentencesProps) {
  const people = peopleIn(parts);
  return (
    <div className="sr-only" role="log" aria-live="polite" aria-label="The answer as it comes">
      {parts
        .filter(({ number }) => number > known)
        .map(({ number, part }) => {
          if (part.type === 'text' && part.by === 'model')
            return (
              <div key={number}>
                <span>The model says: </span>
                <ModelText text={dedent(part.text)} people={people} />
              </div>
            );
          if (part.type === 'text' || part.type === 'notice') return <p key={number}>{part.text}</p>;
          if (part.type === 'end') return <p key={number}>{part.text ?? 'The answer is complete.'}</p>;
          return null;
        })}
    </div>
  );
}
