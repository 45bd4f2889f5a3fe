/** The seats that a text asks for, or why they cannot be had. */
export type AskedSeats =
  | { readonly seats: number; readonly issue?: never }
  | { readonly seats?: never; readonly issue: string };

/** As many as can be asked for. */
const max = 100_000;
/** What an empty field counts as. */
const usualSeats = 1;

const seatsText = (count: number): string => (count === 1 ? '1 seat' : `${count} seats`);

/**
 * Reads the field of seats. Fewer than are taken are refused, as is what is no whole number from 1 on.
 * @param taken members and pending invitations, which each take a seat
 */
export function askedSeats(text: string, taken: number): AskedSeats {
  const typed = text.trim();
  if (typed !== '' && !/^\d{1,9}$/.test(typed)) return { issue: 'Enter a whole number of seats.' };
  const seats = typed === '' ? usualSeats : Number(typed);
  if (seats < 1) return { issue: 'Enter at least 1 seat.' };
  if (seats > max) return { issue: `Enter at most ${seatsText(max)}.` };
  if (seats < taken)
    return {
      issue: `Members and pending invitations take ${seatsText(taken)}: enter ${taken} or more, or remove somebody first.`,
    };
  return { seats };
}
