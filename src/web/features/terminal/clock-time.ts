/** A time in ms as a clock shows it: `0:07`, `12:34`, `1:02:03`. */
export function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
