const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

const digits = (value: number): string => {
  const rounded = value >= 10 ? Math.round(value) : Math.round(value * 10) / 10;
  return String(rounded);
};

/** Formats bytes: `512Mi`, `7.6Gi`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1000 && unit < binary.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${digits(value)}${binary[unit] ?? ''}`;
}

/** Formats cores: `250m`, `1.2`, `16`. */
export function formatCores(cores: number): string {
  if (cores === 0) return '0';
  return Math.abs(cores) < 1 ? `${Math.max(1, Math.round(cores * 1000))}m` : digits(cores);
}

/** Formats cores with the noun: `250m cores`, `1 core`, `1.2 cores`. */
export function coresText(cores: number): string {
  const figure = formatCores(cores);
  return `${figure} ${figure === '1' ? 'core' : 'cores'}`;
}
