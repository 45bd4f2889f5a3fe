/** For a bar whose buttons stand at its right end: their names open to the left, and stay within it. */
export const tipsToLeft = '[&_[data-tip]::after]:right-0 [&_[data-tip]::after]:left-auto';

/** Tips of what is at the right end of a line, in the line: a list that scrolls would cut them off below it. */
export const tipsInLine =
  '[&_[data-tip]::after]:top-0 [&_[data-tip]::after]:right-[calc(100%+2px)] [&_[data-tip]::after]:left-auto';
