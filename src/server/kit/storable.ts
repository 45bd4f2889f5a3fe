/** Whether no text in a value, keys included, has a NUL or a lone surrogate: PostgreSQL stores neither. */
export function isStorable(root: unknown): boolean {
  // Not by recursion: callers choose how deep a body is.
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) return false;
    } else if (Array.isArray(value)) {
      for (const item of value) left.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) left.push(key, item);
    }
  }
  return true;
}
