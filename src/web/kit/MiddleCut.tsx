import { namePartsOf } from './names.ts';

interface MiddleCutProps {
  /** The name of an object, also with its namespace in front. */
  readonly text: string;
  /** Characters at its end that are cut last; of a name those that tell it from its siblings. */
  readonly end?: number;
}

/** Names up to this length are rarely cut: they stay one text. */
const uncutLength = 12;
/** Characters at the end that never shrink, where the name says no more. */
const tail = 5;

const madeEnd = 'flex-none font-normal text-text-3';
/** It takes all that there is: a hair less, and it would lose letters to an ellipsis. */
const keptEnd = 'max-w-full flex-none overflow-hidden text-ellipsis';

/** A name in one line that is cut in its middle where it is too long: its end tells it from its siblings. */
export function MiddleCut({ text, end: kept }: MiddleCutProps) {
  const parts = namePartsOf(text);
  const isMade = kept === undefined && parts.end !== '';
  if (!isMade && text.length <= uncutLength)
    return (
      <span className="flex min-w-0" title={text}>
        <span className="min-w-0 truncate">{text}</span>
      </span>
    );
  const { stem, middle, end } = isMade
    ? parts
    : { stem: text.slice(0, -(kept ?? tail)), middle: '', end: text.slice(-(kept ?? tail)) };
  return (
    <span className="flex min-w-0" title={text}>
      {/* Assistive technology would put a space between the part that is cut off and the end. */}
      <span className="sr-only">{text}</span>
      <span className="min-w-0 truncate" aria-hidden="true">
        {stem}
        {middle !== '' && <span className="font-normal text-text-3">{middle}</span>}
      </span>
      <span className={isMade ? madeEnd : kept === undefined ? 'flex-none' : keptEnd} aria-hidden="true">
        {end}
      </span>
    </span>
  );
}
