const browsers: readonly (readonly [name: string, shape: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const systems: readonly (readonly [name: string, shape: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

/** A browser and its system in words, from what the browser says of itself; the text itself where it is none of these. */
export function browserName(userAgent: string): string {
  const named = (list: typeof browsers) => list.find(([, shape]) => shape.test(userAgent))?.[0];
  const browser = named(browsers);
  const system = named(systems);
  if (browser === undefined) return userAgent === '' ? 'Unknown browser' : userAgent.slice(0, 60);
  return system === undefined ? browser : `${browser} on ${system}`;
}
