const two = (number: number) => String(number).padStart(2, '0');

/** A minute of the day as a field for a time has it: `08:30`. */
export const dayTime = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** The minute of the day that a field for a time has; undefined while it is not whole. */
export function dayMinute(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}
