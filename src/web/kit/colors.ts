/**
 * A colour as the page computes it (`rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)`) in six or eight digits, as libraries read it.
 * Black for a text that is no such colour.
 */
export function hexOf(color: string): string {
  const [red = '0', green = '0', blue = '0', alpha] =
    /^rgba?\((.*)\)$/
      .exec(color)?.[1]
      ?.split(/[\s,/]+/)
      .filter(Boolean) ?? [];
  const parts = [Number(red), Number(green), Number(blue)];
  if (alpha !== undefined && alpha !== '1') parts.push(Number(alpha) * 255);
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The colours that variables stand for at an element, in six or eight digits. The tokens say light and dark in one
 * value, so that their text is no colour: an element inside computes it.
 * @param variables names with their dashes, by keys of the caller's
 */
export function colorsAt<Key extends string>(
  element: Element,
  variables: Readonly<Record<Key, string>>,
): Record<Key, string> {
  const probe = document.createElement('i');
  probe.hidden = true;
  // Forced colours are off for the probe: callers draw on a canvas and need the page's colours.
  probe.style.setProperty('forced-color-adjust', 'none');
  element.append(probe);
  const style = getComputedStyle(probe);
  const found = Object.fromEntries(
    Object.entries<string>(variables).map(([key, variable]) => {
      probe.style.color = `var(${variable})`;
      return [key, hexOf(style.color)];
    }),
  ) as Record<Key, string>;
  probe.remove();
  return found;
}
