/** For a bar whose buttons stand at its right end: their names open to the left, and stay within it. */
export const tipsToLeft = '[&_[data-tip]::after]:right-0 [&_[data-tip]::after]:left-auto';
