import { isIP } from 'node:net';

const patterns: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^\s@]+@[^\s@]+$/,
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  uuid3: /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  uuid4: /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i,
  uuid5: /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i,
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  mac: /^([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$/,
  hexcolor: /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
  hostname: /^([a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?\.)*[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$/,
  duration: /^([+-]?(\d+(\.\d*)?|\.\d+)\s*(ns|us|µs|ms|s|m|h|d|w|[a-z]+)\s*)+$|^0$/,
};

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  ipv4: (text) => isIP(text) === 4,
  ipv6: (text) => isIP(text) === 6,
  cidr: (text) => {
    const [address = '', bits = ''] = text.split('/');
    const kind = isIP(address);
    return kind !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 4 ? 32 : 128);
  },
  uri: (text) => URL.canParse(text) || text.startsWith('/'),
};

/** Whether a text has a format; formats that the API server does not know accept any text. */
export function hasFormat(format: string, text: string): boolean {
  const pattern = patterns[format];
  if (pattern !== undefined) {
    return pattern.test(text) && (!format.startsWith('date') || !Number.isNaN(Date.parse(text)));
  }
  return checks[format]?.(text) ?? true;
}
