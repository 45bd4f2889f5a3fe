/** Frames further apart than this (ms) are worth drawing a list in the frame of its letter: the next one is long in coming. */
const slowClock = 12;
/** A list that takes longer than this (ms) keeps its letter waiting. */
const mostInFrame = 6;
/** So many of them in a row are no chance: letters go first from then on. */
const mostSlow = 2;
/** Frames looked at to know how far apart they are: one that was missed among them counts for nothing. */
const framesSeen = 4;

/** Whether the list of what was typed is drawn together with its letter, or after it. */
export interface DrawPace {
  isTogether(): boolean;
  /** Told how long drawing a list took (ms). */
  took(duration: number): void;
  /** Ends looking at frames. */
  end(): void;
}

/**
 * Where a screen draws sixty times a second, a list that comes after its letter waits for a whole frame more: there both
 * are drawn at once, as long as that takes a few milliseconds. Where frames follow each other closely, or drawing takes
 * long, the letter goes first.
 * @param frames asks for the next frame as `requestAnimationFrame` does, and gives it up
 */
export function createDrawPace(frames: {
  readonly ask: (run: (time: number) => void) => number;
  readonly cancel: (id: number) => void;
}): DrawPace {
  let apart = 0;
  let last = 0;
  let seen = 0;
  const look = (time: number) => {
    if (seen === 1) apart = time - last;
    else if (seen > 1) apart = Math.min(apart, time - last);
    last = time;
    seen += 1;
    if (seen <= framesSeen) asked = frames.ask(look);
  };
  let asked = frames.ask(look);
  let slow = 0;
  return {
    isTogether: () => seen > framesSeen && apart > slowClock && slow < mostSlow,
    took: (duration) => {
      slow = duration > mostInFrame ? slow + 1 : 0;
    },
    end: () => frames.cancel(asked),
  };
}
