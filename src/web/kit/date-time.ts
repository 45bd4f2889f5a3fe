/** Times are on 24 hours in every language: people compare them with logs and with `kubectl`. */
const in24Hours = { hourCycle: 'h23' } as const;

/** A date and time as the language of the page writes it. @param at ISO, or epoch in ms */
export const dateTimeText = (at: string | number): string =>
  new Date(at).toLocaleString(undefined, in24Hours);

/** A day with its month in words, which no order of numbers makes another day. @param at ISO, or epoch in ms */
export const dateText = (at: string | number): string =>
  new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' });

/** As `dateTimeText`, in the words and at the length of a style. */
export const styledDateTime = (at: string | number, style: 'short' | 'medium'): string =>
  new Date(at).toLocaleString(undefined, {
    dateStyle: style,
    timeStyle: style,
    ...in24Hours,
  });

/** A time of the day: `short` without its seconds. @param at ISO, or epoch in ms */
export const clockText = (at: string | number, style: 'short' | 'medium'): string =>
  new Date(at).toLocaleTimeString(undefined, { timeStyle: style, ...in24Hours });
